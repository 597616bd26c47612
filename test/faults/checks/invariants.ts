/** The one judge of every run: it reads the requests, the final state, the output and the files, and says which invariant does not hold. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Intent } from "../../../src/apply/execute/journal.ts";
import { catalogEntries } from "../../../src/emulator/modules/catalog/catalog-tables.ts";
import { statusTable } from "../../../src/emulator/modules/option-lists/statuses.ts";
import { readJournal } from "../../../src/journal/read.ts";
import { LATER } from "../../../src/plan/diff/step.ts";
import type { Sent } from "../injection/connection.ts";
import type { MemoryDisk } from "../injection/memory-disk.ts";
import type { Play, Ran, Stage } from "../stage/stage.ts";
import { SINK } from "../stage/stage.ts";
import { differences, type Inventory, withoutPartsOf, withoutRetired } from "./inventory.ts";
import { canaries, leaksIn, type Secrets } from "./secret-leaks.ts";

/** An invariant that does not hold. */
export interface Violation {
  readonly invariant: string;
  readonly what: string;
}

const EXITS: readonly number[] = [0, 1, 3, 4, 5, 6];
const LONGEST_RUN = 20 * 60_000;
const PER_MINUTE = 900;
const WINDOW = 60_000;

/** What has to hold of every single command, however it ended; what had to stay, an earlier one may have told. */
export function judgeCommand(stage: Stage, play: Play, ran: Ran, toldBefore = ""): readonly Violation[] {
  return [
    ...exits(stage, ran, toldBefore),
    ...nothingSent(ran),
    ...messages(ran),
    ...bounds(stage, ran),
    ...rates(play),
    ...secrecy(stage, play, ran),
  ];
}

/** What has to hold in the end, when everything has recovered and the last command said that all is well. */
export function judgeEnd(stage: Stage, said: string): readonly Violation[] {
  const end = misses(stage, said);
  return [
    ...end.map((what): Violation => ({ invariant: what.includes(": too much ") ? "I2" : "I1", what })),
    ...custody(stage),
  ];
}

/** What may still be in use, as far as anybody can see, is disabled instead of deleted, or stays; the output says so. */
export const SPARED: RegExp =
  /may be used by [^\n]+, which could not be read|disabled instead|preserved because in use/;

/** How the workspace differs from the one at the end of the undisturbed run, less what the output says has to stay. */
function misses(stage: Stage, said: string): readonly string[] {
  const kept = keptIn(said);
  const stays = (table: string, row: string) => kept.some((one) => one.table === table && one.key.test(row));
  const seen = (inventory: Inventory) => {
    const left = withoutPartsOf(inventory, stays);
    return SPARED.test(said) ? withoutRetired(left) : left;
  };
  return differences(seen(stage.expected), seen(stage.inventory())).filter((line) => {
    const [, table = "", row = ""] = /^(\w+): too much (.*)$/s.exec(line) ?? [];
    return !stays(table, row);
  });
}

/** What the service refused to delete, as the output tells it: a refusal is taken for what it says, and told until it is lifted. */
function keptIn(said: string): readonly { readonly table: string; readonly key: RegExp }[] {
  const told = [
    ...said.matchAll(/preserved, in use +\S+ +(\w+)\/([^\n]+?) \(/g),
    ...said.matchAll(/ (\w+)\/([^\n]+?) is not in the configuration but stays: the service refused to delete it/g),
  ];
  return told.map(([, kind = "", key = ""]) => {
    const [, entry] = /\/entries\/(.+)/.exec(key) ?? [];
    const name = JSON.stringify(entry ?? key).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return { table: entry === undefined ? kind : catalogEntries.name, key: new RegExp(`"(?:slug|name)":${name}`) };
  });
}

/** I12: the exit code says what happened; and 0 says that everything is as declared. */
function exits(stage: Stage, { exit, logged, stdout, stderr }: Ran, toldBefore: string): readonly Violation[] {
  const found: Violation[] = [];
  const bad = (what: string) => found.push({ invariant: "I12", what });
  const committed = logged.filter(({ commit }) => commit !== null).length;
  if (!EXITS.includes(exit)) bad(`exit code ${exit}`);
  if (exit !== 0 && exit !== 4 && committed > 0) bad(`exit code ${exit} after ${committed} writes that took effect`);
  if (exit !== 0) return found;
  const end = misses(stage, toldBefore + stdout + stderr);
  // What could not be seen now is looked at again by the next run.
  const kept = /may be used by [^\n]+, which could not be read/.test(stdout);
  if (end.length > 0 && !kept) bad(`exit code 0, and the workspace is not as declared: ${end.slice(0, 3).join("; ")}`);
  if (!/Verified:|No changes\./.test(stdout)) bad("exit code 0 without a word of having looked again");
  return found;
}

/** I4: what is refused is refused before anything is sent. */
function nothingSent({ exit, sent }: Ran): readonly Violation[] {
  const writes = sent.filter(({ method }) => method !== "GET");
  if (![3, 5, 64].includes(exit) || writes.length === 0) return [];
  return [{ invariant: "I4", what: `exit code ${exit} after ${writes.length} writes were sent` }];
}

/** I13: whoever reads it learns what happened, and what to do. */
function messages({ exit, stdout, stderr }: Ran): readonly Violation[] {
  const text = stdout + stderr;
  const found: Violation[] = [];
  const bad = (what: string) => found.push({ invariant: "I13", what });
  if (/^ {4}at |\bundefined\b|\[object |NaN/m.test(text)) bad(`the output is not for people: ${excerpt(text)}`);
  if (exit === 0) return found;
  if (!/error: |failed|unknown|Not verified|waiting|skipped/.test(text)) bad(`exit code ${exit} without a reason`);
  if (exit === 4 && !/incidentctl \w+/.test(text)) bad("exit code 4 without a next step");
  if (exit === 4 && !/\w+\/[\w.-]+/.test(text)) bad("exit code 4 without an entry's name");
  return found;
}

/** I11: it ends, and in a time that has to do with what there was to do. */
function bounds(stage: Stage, { sent, took }: Ran): readonly Violation[] {
  const found: Violation[] = [];
  const most = 4 * stage.undisturbed.sent.length + 80;
  if (sent.length > most)
    found.push({ invariant: "I11", what: `${sent.length} requests, where ${most} would be many` });
  if (took > LONGEST_RUN) found.push({ invariant: "I11", what: `it took ${Math.round(took / 1000)} s` });
  return found;
}

/** I10: never more in any minute than agreed. */
function rates({ line }: Play): readonly Violation[] {
  const times = line.sent.map(({ at }) => at);
  for (let last = PER_MINUTE; last < times.length; last++) {
    const first = times[last - PER_MINUTE] ?? 0;
    if ((times[last] ?? 0) - first < WINDOW) {
      return [{ invariant: "I10", what: `${PER_MINUTE + 1} requests within a minute` }];
    }
  }
  return [];
}

/** I9: no secret anywhere but with the service and in the sink. */
function secrecy(stage: Stage, play: Play, { stdout, stderr }: Ran): readonly Violation[] {
  const issued = [...play.line.revealed].map((value, index) => [`issued ${index + 1}`, value] as const);
  // What only the files of an earlier run mentioned is as secret: that run has left word of it.
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

/** I8: a token that lives is in the sink. */
function custody(stage: Stage): readonly Violation[] {
  const kept = keptTokens(stage);
  const lost = stage.liveTokens().filter((prefix) => !stage.knownTokens.has(prefix) && !kept.has(prefix));
  return lost.map((prefix) => ({ invariant: "I8", what: `the token ${prefix} lives, and nobody has it` }));
}

function keptTokens(stage: Stage): ReadonlySet<string> {
  const texts = stage.sinks.filter((path) => existsSync(path)).map((path) => readFileSync(path, "utf8"));
  const lines = texts.flatMap((text) => text.split("\n").filter((line) => line !== ""));
  return new Set(lines.map((line) => String(JSON.parse(line).prefix)));
}

/** I7: what is about to be sent is written down, and written through, before its first byte leaves; and not as settled since. */
export function judgeIntent(disk: MemoryDisk, { method, path, body }: Sent): readonly Violation[] {
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
      return operation.method === method && planned === hash && leadsTo(operation.path, path);
    });
  });
  return intended ? [] : [{ invariant: "I7", what: `${method} ${path} was sent without a word in the journal` }];
}

/** Whether a planned path, which may leave open what an earlier creation is to tell, is the one that something was sent to. */
function leadsTo(planned: string, sent: string): boolean {
  const [target = ""] = sent.split("?");
  const [there, here] = [planned.split("/"), target.split("/")];
  return there.length === here.length && there.every((part, at) => part === here[at] || part === LATER);
}

/** I16: looked at after every request, an incident could be declared, and moved through its stages. */
export class Watch {
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
