/** One random case: a workspace, files, edits by hand, other files; and what has to hold. */

import fc from "fast-check";
import { stringify } from "yaml";
import type { Fields } from "../../src/core/json.ts";
import { isFields, isList, type Json } from "../../src/core/json.ts";
import { type Dialects, dialectChoices } from "../../src/emulator/dialects.ts";
import type { Deed } from "./bodies.ts";
import { rowsOf } from "./choice.ts";
import { carryOut, DEED_NAMES } from "./deeds.ts";
import { differences } from "./differences.ts";
import { EDITS, type Edit, edited } from "./edits.ts";
import { type Borrowing, CANARY, type Files, filesOf } from "./files.ts";
import { faultsOf } from "./judge.ts";
import { KILLED, type Program, type Run } from "./program.ts";
import { documentOf } from "./projection.ts";
import { referencesIn } from "./references.ts";
import { refusalReasons } from "./refusal-reasons.ts";
import { repaired } from "./repair.ts";
import type { DifferentialService, Snapshot } from "./service.ts";

/** A case, as plain numbers, which are interpreted on the way. */
export interface Trial {
  readonly dialects: Partial<Dialects>;
  readonly live: readonly Deed[];
  /** The kinds that the first files manage. */
  readonly kinds: readonly string[];
  readonly first: readonly Edit[];
  readonly hands: readonly Deed[];
  /** The kinds that only the second files manage. */
  readonly more: readonly string[];
  readonly second: readonly Edit[];
  readonly borrowings: readonly Borrowing[];
  readonly how: "apply" | "saved" | "killed";
  readonly at: number;
  readonly isUndone: boolean;
}

const KINDS = [
  "severities",
  "statuses",
  "incident_types",
  "incident_roles",
  "custom_fields",
  "forms",
  "runbooks",
  "catalog_types",
  "alert_sources",
  "routing_rules",
  "webhooks",
  "api_keys",
  "agents",
];

const number = fc.nat(255);

function deeds(weights: (name: string) => number, maxLength: number): fc.Arbitrary<readonly Deed[]> {
  const names = DEED_NAMES.flatMap((name) => Array.from({ length: weights(name) }, () => name));
  const deed = fc.record({ does: fc.constantFrom(...names), at: number, variant: number, bits: number });
  return fc.array(deed, { maxLength, size: "max" });
}

const isMaking = (name: string) => /^(create|put|declare|grant)/.test(name);
const isReferring = (name: string) => /entry|rule|runbook|field|grant|incident$/.test(name);
const edits = fc.array(
  fc.record({ does: fc.constantFrom(...EDITS), list: number, at: number, variant: number, bits: number }),
  {
    maxLength: 12,
    size: "max",
  },
);

const CHOICES = dialectChoices();

/** Random cases. */
export const trials: fc.Arbitrary<Trial> = fc.record({
  dialects: fc
    .subarray(CHOICES.map(([name]) => name))
    .map((names) =>
      Object.fromEntries(CHOICES.flatMap(([name, [, other]]) => (names.includes(name) ? [[name, other ?? ""]] : []))),
    ),
  live: deeds((name) => (name.startsWith("delete") ? 0 : isMaking(name) ? (isReferring(name) ? 6 : 3) : 1), 40),
  kinds: fc.subarray(KINDS),
  first: edits,
  hands: deeds(() => 1, 5),
  more: fc.subarray(KINDS, { maxLength: 2 }),
  second: edits,
  borrowings: fc.array(fc.record({ at: number, how: number }), { maxLength: 3 }),
  how: fc.constantFrom("apply", "apply", "saved", "killed"),
  at: fc.nat(7),
  isUndone: fc.boolean(),
});

const APPROVALS = [
  "--yes",
  "--allow-delete",
  "--max-removals",
  "10000",
  "--accept-routing-window",
  "--secrets-out",
  "tokens.jsonl",
];

/** A fault that was found: its sentences, and the story that led to it. */
export class Fault extends Error {
  readonly story: string;
  constructor(faults: readonly string[], story: string) {
    super(`${faults.join("\n")}\n\n${story}`);
    this.story = story;
  }
}

/** Runs a case. Throws a {@link Fault}. */
export async function runTrial(
  trial: Trial,
  service: DifferentialService,
  program: Program,
  isBuilt: boolean,
): Promise<void> {
  service.begin(trial.dialects);
  program.begin(isBuilt);
  const story: { [part: string]: Json } = { dialects: trial.dialects as Fields };
  const byHand = async (part: string, list: readonly Deed[]) => {
    const done: string[] = [];
    for (const deed of list) {
      const request = await carryOut(deed, service);
      if (request !== undefined) done.push(request);
    }
    story[part] = done;
  };
  const fail = (faults: readonly string[], ran?: Run) => {
    if (ran !== undefined) story.output = `exit ${ran.exit}\n${ran.stdout}\n${ran.stderr}\n${ran.refused.join("\n")}`;
    if (faults.length > 0) throw new Fault(faults, stringify(story, { lineWidth: 0 }));
  };
  /** Every output and file, without values that nobody may see. */
  const check = (what: string, ran: Run): Run => {
    const leaks = [["the output", ran.stdout + ran.stderr] as const, ...program.files()].filter(
      ([, text]) => text.includes(CANARY) || text.includes(service.emulator.adminToken),
    );
    fail(
      leaks.map(([path]) => `${what}: a secret is in ${path}`),
      ran,
    );
    return ran;
  };
  const run = async (args: readonly string[], kill?: Parameters<Program["run"]>[1]) =>
    check(args.join(" "), await program.run(args, kill));
  const isReadable = trial.dialects.readable !== "partial";

  await byHand("live", trial.live);
  let plain: Fields = {};
  let files: Files = { text: "", document: {}, env: {} };
  for (const [step, list] of [trial.first, trial.second].entries()) {
    if (step === 1) await byHand("hands", trial.hands);
    const before = await service.snapshot();
    const projection = documentOf(before);
    const kinds = step === 0 ? trial.kinds : trial.more.filter((kind) => !trial.kinds.includes(kind));
    const managed = Object.fromEntries(
      kinds.flatMap((kind) => (projection[kind] === undefined ? [] : [[kind, projection[kind]]])),
    );
    plain = repaired(list.reduce(edited, { ...plain, ...managed }), before);
    files = filesOf(plain, trial.borrowings);
    story[`files ${step + 1}`] = files.text;
    if (Object.keys(files.env).length > 0) story.env = files.env;
    program.write(files.text, files.env);
    const isWritten = await (step === 0 ? settle("apply", 0, before) : settle(trial.how, trial.at, before));
    const canUndo = isWritten && trial.how !== "killed";
    if (step === 1 && trial.isUndone && canUndo) await undo(before);
  }

  /** Applies the files, and judges. Returns whether the run wrote. */
  async function settle(how: Trial["how"], at: number, before: Snapshot): Promise<boolean> {
    const { document } = files;
    let ran: Run;
    if (how === "saved") {
      ran = await run(["plan", "--out", "saved.plan"]);
      if (ran.writes > 0) fail(["a plan writes"], ran);
      if (ran.exit === 0) ran = await run(["apply", "--plan", "saved.plan", ...APPROVALS]);
    } else if (how === "killed") {
      ran = await run(["apply", ...APPROVALS], { at, isSent: at % 2 === 0 });
      if (ran.exit === KILLED) {
        story.killed = `at write ${at}`;
        const resumed = await run(["resume", ...APPROVALS.filter((flag) => flag !== "--yes")]);
        if (resumed.exit !== 0 && !isLostToken(resumed)) fail([`resume ends with ${resumed.exit}`], resumed);
        ran = await run(["apply", ...APPROVALS]);
      }
    } else ran = await run(["apply", ...APPROVALS]);
    const reasons = refusalReasons(document, before);
    if (ran.exit === 1 && ran.writes === 0) {
      if (reasons.length === 0) fail(["no plan is made, without a reason"], ran);
      throw new Unplanned();
    }
    if (ran.exit === 4 && isRefusedRename(trial, document, before)) throw new Unplanned();
    if (ran.exit !== 0) fail([`apply ends with ${ran.exit}`], ran);
    const after = await service.snapshot();
    fail(faultsOf(document, before, after, isReadable), ran);
    const next = await run(["plan", "--detailed-exitcode"]);
    if (next.exit !== 0) fail([`the next plan ends with ${next.exit}`], next);
    return ran.writes > 0;
  }

  /** Undoes the last run, and compares with the workspace before it. */
  async function undo(before: Snapshot): Promise<void> {
    const made = await run(["undo", "--out", "undo.plan"]);
    if (made.exit === 1 && /no run/.test(made.stderr)) return;
    if (made.exit !== 0) fail([`undo ends with ${made.exit}`], made);
    const ran = await run(["apply", "--plan", "undo.plan", ...APPROVALS]);
    story.undo = `${made.stdout}\n${made.stderr}`;
    const isRename =
      trial.dialects.options === "replace" && ran.refused.some((one) => /custom_fields.*is in use by/.test(one));
    if (ran.exit === 4 && isRename) throw new Unplanned();
    if (ran.exit !== 0) fail([`applying the undo ends with ${ran.exit}`], ran);
    const said = made.stdout + made.stderr + ran.stdout + ran.stderr;
    const hidden = (name: string) =>
      Object.values(files.env).reduce((text, value) => text.replaceAll(value, "(secret)"), name);
    const left = differences(before, await service.snapshot()).filter(({ name }) => {
      const [address = name] = name.split(",");
      return !said.includes(address) && !said.includes(hidden(address));
    });
    fail(
      left.map(({ message }) => `after undo: ${message}`),
      ran,
    );
  }
}

/** A case that ends here, for a reason that was foreseen. */
export class Unplanned extends Error {}

/** The token of a creation whose response was lost cannot be had again. */
function isLostToken({ exit, stderr, stdout }: Run): boolean {
  return exit === 4 && /token/.test(stderr + stdout);
}

/** A rename of an option in use that the service takes for a removal. */
function isRefusedRename({ dialects }: Trial, document: Fields, before: Snapshot): boolean {
  if (dialects.options !== "replace") return false;
  const held = new Set(referencesIn(before).map(({ to }) => to));
  return rowsOf(document.custom_fields).some(({ slug, options }) => {
    const rows = rowsOf(before.custom_fields.find((one) => one.slug === slug)?.options);
    return (isList(options) ? options : []).some((one) => {
      const former = rows.find(({ label }) => isFields(one) && label === one.renamed_from);
      return former !== undefined && (held.has(String(former.id)) || held.has(`choice ${slug} ${former.label}`));
    });
  });
}
