/** The invariants of every run, checked by its requests, the final state, the output and the files. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { catalogEntries } from "../../../src/emulator/modules/catalog/catalog-tables.ts";
import { statusTable } from "../../../src/emulator/modules/option-lists/option-lists.ts";
import { LATER } from "../../../src/plan/diff/step.ts";
import type { Intent } from "../../../src/run/journal/intent.ts";
import { readJournal } from "../../../src/run/journal/read.ts";
import type { MemoryDisk } from "../../support/memory-disk.ts";
import type { SentRequest } from "../injection/connection.ts";
import type { CommandResult, Play, Stage } from "../stage/stage.ts";
import { SINK } from "../stage/stage.ts";
import { differences, type Inventory, withoutPartsOf, withoutRetired } from "./inventory.ts";
import { canaries, leaksIn, type Secrets } from "./secret-leaks.ts";

export interface Violation {
  readonly invariant: string;
  readonly what: string;
}

const EXITS: readonly number[] = [0, 1, 3, 4, 5, 6];
const LONGEST_RUN = 20 * 60_000;
const PER_MINUTE = 900;
const WINDOW = 60_000;

/** Violations of a single command, however it ended. `outputBefore` is the output of earlier commands, which may have reported preserved resources. */
export function judgeCommand(stage: Stage, play: Play, ran: CommandResult, outputBefore = ""): readonly Violation[] {
  return [
    ...exits(stage, ran, outputBefore),
    ...nothingSent(ran),
    ...messages(ran),
    ...bounds(stage, ran),
    ...rates(play),
    ...secrecy(stage, play, ran),
  ];
}

/** Violations in the final state, after recovery and a successful last command. */
export function judgeEnd(stage: Stage, output: string): readonly Violation[] {
  const end = missingState(stage, output);
  return [
    ...end.map((what): Violation => ({ invariant: what.includes(": extra ") ? "I2" : "I1", what })),
    ...lostTokens(stage),
  ];
}

/** Output about resources that were disabled or preserved because they may be in use. */
export const PRESERVED: RegExp =
  /may be used by [^\n]+, which could not be read|disabled instead|preserved because in use/;

/** Differences between the workspace and the end of the undisturbed run, without resources that the output reports as preserved. */
function missingState(stage: Stage, output: string): readonly string[] {
  const preserved = preservedIn(output);
  const stays = (table: string, row: string) => preserved.some((one) => one.table === table && one.key.test(row));
  const seen = (inventory: Inventory) => {
    const rest = withoutPartsOf(inventory, stays);
    return PRESERVED.test(output) ? withoutRetired(rest) : rest;
  };
  return differences(seen(stage.expected), seen(stage.inventory())).filter((line) => {
    const [, table = "", row = ""] = /^(\w+): extra (.*)$/s.exec(line) ?? [];
    return !stays(table, row);
  });
}

/** Resources that the service refused to delete, by the output. The output repeats them as long as the refusal lasts. */
function preservedIn(output: string): readonly { readonly table: string; readonly key: RegExp }[] {
  const reported = [
    ...output.matchAll(/preserved, in use +\S+ +(\w+)\/([^\n]+?) \(/g),
    ...output.matchAll(/ (\w+)\/([^\n]+?) is not in the configuration but stays: the service refused to delete it/g),
  ];
  return reported.map(([, kind = "", key = ""]) => {
    const [, entry] = /\/entries\/(.+)/.exec(key) ?? [];
    const name = JSON.stringify(entry ?? key).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return { table: entry === undefined ? kind : catalogEntries.name, key: new RegExp(`"(?:slug|name)":${name}`) };
  });
}

/** I12: the exit code is true. 0 means that the workspace is as declared. */
function exits(
  stage: Stage,
  { exit, logged, stdout, stderr }: CommandResult,
  outputBefore: string,
): readonly Violation[] {
  const violations: Violation[] = [];
  const bad = (what: string) => violations.push({ invariant: "I12", what });
  const committed = logged.filter(({ commit }) => commit !== null).length;
  if (!EXITS.includes(exit)) bad(`exit code ${exit}`);
  if (exit !== 0 && exit !== 4 && committed > 0) bad(`exit code ${exit} after ${committed} writes that took effect`);
  if (exit !== 0) return violations;
  const end = missingState(stage, outputBefore + stdout + stderr);
  // The next run reads again what could not be read.
  const kept = /may be used by [^\n]+, which could not be read/.test(stdout);
  if (end.length > 0 && !kept) bad(`exit code 0, and the workspace is not as declared: ${end.slice(0, 3).join("; ")}`);
  if (!/Verified:|No changes\./.test(stdout)) bad("exit code 0 without a verification");
  return violations;
}

/** I4: a refused command sends nothing. */
function nothingSent({ exit, sent }: CommandResult): readonly Violation[] {
  const writes = sent.filter(({ method }) => method !== "GET");
  if (![3, 5, 64].includes(exit) || writes.length === 0) return [];
  return [{ invariant: "I4", what: `exit code ${exit} after ${writes.length} writes were sent` }];
}

/** I13: the output says what happened and what to do. */
function messages({ exit, stdout, stderr }: CommandResult): readonly Violation[] {
  const text = stdout + stderr;
  const violations: Violation[] = [];
  const bad = (what: string) => violations.push({ invariant: "I13", what });
  if (/^ {4}at |\bundefined\b|\[object |NaN/m.test(text)) bad(`the output is not for people: ${excerpt(text)}`);
  if (exit === 0) return violations;
  if (!/error: |failed|unknown|Not verified|waiting|skipped/.test(text)) bad(`exit code ${exit} without a reason`);
  if (exit === 4 && !/incidentctl \w+/.test(text)) bad("exit code 4 without a next step");
  if (exit === 4 && !/\w+\/[\w.-]+/.test(text)) bad("exit code 4 without an entry's name");
  return violations;
}

/** I11: a command ends, in a time proportional to its work. */
function bounds(stage: Stage, { sent, took }: CommandResult): readonly Violation[] {
  const violations: Violation[] = [];
  const most = 4 * stage.undisturbed.sent.length + 80;
  if (sent.length > most)
    violations.push({ invariant: "I11", what: `${sent.length} requests, where ${most} would be many` });
  if (took > LONGEST_RUN) violations.push({ invariant: "I11", what: `it took ${Math.round(took / 1000)} s` });
  return violations;
}

/** I10: no minute has more requests than the limit. */
function rates({ connection }: Play): readonly Violation[] {
  const times = connection.sent.map(({ at }) => at);
  for (let last = PER_MINUTE; last < times.length; last++) {
    const first = times[last - PER_MINUTE] ?? 0;
    if ((times[last] ?? 0) - first < WINDOW) {
      return [{ invariant: "I10", what: `${PER_MINUTE + 1} requests within a minute` }];
    }
  }
  return [];
}

/** I9: secrets are only in the service and in the token sink. */
function secrecy(stage: Stage, play: Play, { stdout, stderr }: CommandResult): readonly Violation[] {
  const issued = [...play.connection.revealed].map((value, index) => [`issued ${index + 1}`, value] as const);
  // Secrets of the files of an earlier run count as well: its journal exists.
  const texts = [stage.scenario.before, stage.scenario.after].flatMap((files) => Object.values(files ?? {}));
  const mentioned = Object.entries(canaries).filter(([name]) => texts.some((text) => text.includes(name)));
  const own = [["INCIDENTCTL_TOKEN", stage.workspace.emulator.adminToken] as const, ...mentioned];
  const all: Secrets = new Map([...own, ...issued]);
  const places: (readonly [string, string, Secrets])[] = [
    ["stdout", stdout, all],
    ["stderr", stderr, all],
  ];
  for (const [path, text] of stage.files()) {
    if (path in stage.scenario.after) continue;
    places.push([path, text, path === SINK ? new Map(own) : all]);
  }
  return places.flatMap(([place, text, secrets]) =>
    leaksIn(text, secrets).map(({ secret, encoding }) => ({
      invariant: "I9",
      what: `${secret} in ${place} (${encoding})`,
    })),
  );
}

/** I8: every live token is in the sink. */
function lostTokens(stage: Stage): readonly Violation[] {
  const kept = keptTokens(stage);
  const lost = stage.liveTokens().filter((prefix) => !stage.knownTokens.has(prefix) && !kept.has(prefix));
  return lost.map((prefix) => ({ invariant: "I8", what: `the token ${prefix} lives, and is not in the sink` }));
}

function keptTokens(stage: Stage): ReadonlySet<string> {
  const texts = stage.sinks.filter((path) => existsSync(path)).map((path) => readFileSync(path, "utf8"));
  const lines = texts.flatMap((text) => text.split("\n").filter((line) => line !== ""));
  return new Set(lines.map((line) => String(JSON.parse(line).prefix)));
}

/** I7: every write has an open intent in the journal, synced to the disk, before it is sent. */
export function judgeIntent(disk: MemoryDisk, { method, path, body }: SentRequest): readonly Violation[] {
  if (method === "GET") return [];
  const hash = body === null ? null : createHash("sha256").update(body).digest("hex");
  const journals = [...disk.durable()].filter(([name]) => name.endsWith(".unfinished"));
  const intended = journals.some(([name, bytes]) => {
    const entries = readJournal(name, bytes)?.entries ?? [];
    const open = new Map<string, Intent>();
    for (const entry of entries) {
      if (entry.type === "intent") open.set(entry.intent.operation.id, entry.intent);
      if (entry.type === "settlement") open.delete(entry.settlement.operation);
    }
    return [...open.values()].some(({ operation, body: planned }) => {
      // The hash is that of the body without its secrets.
      const isHashed = operation.inserts?.some(({ secret }) => secret !== undefined) !== true;
      return operation.method === method && (!isHashed || planned === hash) && leadsTo(operation.path, path);
    });
  });
  return intended ? [] : [{ invariant: "I7", what: `${method} ${path} was sent without an intent in the journal` }];
}

/** Whether a planned path, which may have a placeholder for the id of an earlier creation, matches the path of a request. */
function leadsTo(planned: string, sent: string): boolean {
  const [target = ""] = sent.split("?");
  const [there, here] = [planned.split("/"), target.split("/")];
  return there.length === here.length && there.every((part, at) => part === here[at] || part === LATER);
}

/** I16: after every request, incidents can be declared and moved through their stages. */
export class StateWatch {
  readonly violations: Violation[] = [];
  readonly #stage: Stage;
  readonly #stages: ReadonlySet<string>;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#stages = this.#enabledStages();
  }

  readonly look: (sent: { readonly method: string; readonly path: string }) => void = ({ method, path }) => {
    if (method === "GET") return;
    const { database } = this.#stage.workspace.control.service;
    const bad = (what: string) => this.violations.push({ invariant: "I16", what: `after ${method} ${path}: ${what}` });
    if (database.scalar(`SELECT COUNT(*) FROM "severities" WHERE "enabled" = 1`) === 0) bad("no severity is enabled");
    const locked = `SELECT COUNT(*) FROM "form_fields" WHERE "required" = 1 AND "visible" = 0`;
    if (database.scalar(locked) > 0) bad("a form asks for a field that it does not show");
    const now = this.#enabledStages();
    const gone = [...this.#stages].filter((stage) => !now.has(stage));
    if (gone.length > 0) bad(`no status of the stage ${gone.join(", ")} is enabled`);
  };

  #enabledStages(): ReadonlySet<string> {
    const rows = this.#stage.workspace.control.service.database.list(statusTable, { enabled: true });
    return new Set(rows.map(({ lifecycle_stage }) => String(lifecycle_stage)));
  }
}

function excerpt(text: string): string {
  return text.slice(-300).trim();
}
