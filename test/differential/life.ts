/** Lives a case: carries out what happens, and judges after each command what has to hold. */

import { parse, stringify } from "yaml";
import { EXIT } from "../../src/core/exit-codes.ts";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { MASK } from "../../src/core/value-text.ts";
import type { Deed } from "./cases/bodies.ts";
import { rowsOf } from "./cases/choice.ts";
import { carryOut } from "./cases/deeds.ts";
import { type Edit, edited } from "./cases/edits.ts";
import { CANARY, type Files, filesOf } from "./cases/files.ts";
import { documentOf } from "./cases/projection.ts";
import { repaired } from "./cases/repair.ts";
import type { Happening, Trial } from "./cases/trial.ts";
import { differences } from "./judge/differences.ts";
import { faultsOf, foreseen } from "./judge/judge.ts";
import { gained, machinesOf } from "./judge/powers.ts";
import { referencesIn } from "./judge/references.ts";
import { refusalReasons } from "./judge/refusal-reasons.ts";
import { text } from "./judge/texts.ts";
import { KILLED, type Program, type Run, type Stop } from "./program.ts";
import type { DifferentialService, Snapshot } from "./service.ts";

const APPROVALS = [
  "--yes",
  "--allow-delete",
  "--max-removals",
  "10000",
  "--accept-routing-window",
  "--secrets-out",
  "tokens.jsonl",
];
const RESEND = "run incidentctl resume --resolve resend";
const RESUME = ["resume", ...APPROVALS.filter((flag) => flag !== "--yes")];

/** A fault that was found: its sentences, and the story that led to it. */
export class Fault extends Error {
  constructor(faults: readonly string[], story: string) {
    super(`${faults.join("\n")}\n\n${story}`);
    this.name = "Fault";
  }
}

/** What was reached in many cases, and how often. */
export type Reached = Map<string, number>;

/** Lives a case. Throws a {@link Fault}. */
export async function live(
  trial: Trial,
  service: DifferentialService,
  program: Program,
  reached: Reached,
): Promise<void> {
  await new Life(trial, service, program, reached).live();
}

class Life {
  readonly #trial: Trial;
  readonly #service: DifferentialService;
  readonly #program: Program;
  readonly #reached: Reached;
  readonly #isReadable: boolean;
  /** What led here, for a person who reads about a fault. */
  readonly #story: Json[];
  /** What is declared, but for what nobody could mean now. */
  #declared: Fields = {};
  #files: Files = { text: "", document: {}, env: {} };
  #wasRefused = false;
  /** The values of the environment so far: a later run still masks those of an earlier one. */

  constructor(trial: Trial, service: DifferentialService, program: Program, reached: Reached) {
    this.#trial = trial;
    this.#service = service;
    this.#program = program;
    this.#reached = reached;
    this.#isReadable = trial.dialects.readable !== "partial";
    this.#story = [{ dialects: trial.dialects as Fields }];
  }

  async live(): Promise<void> {
    const { dialects, live: made, kinds, first, isApplied, happenings } = this.#trial;
    this.#service.begin(dialects);
    for (const name of Object.keys(dialects)) this.#note(name);
    await this.#byHand("live", made);
    await this.#edit(first, kinds);
    if (isApplied) await this.#apply();
    for (const happening of happenings) await this.#happens(happening);
    const before = await this.#apply();
    if (before !== undefined) await this.#undo(before);
  }

  async #happens(happening: Happening): Promise<void> {
    if (happening.does === "hands") return this.#byHand("hands", happening.hands);
    if (happening.does === "drift") return this.#lookForDrift();
    await this.#edit(happening.edits, happening.does === "edit" ? happening.kinds : []);
    if (happening.does === "stop") return this.#applyStopped(happening);
    if (happening.does === "edit") return;
    const before = await (happening.does === "apply" ? this.#apply() : this.#applySaved(happening.hands));
    if (happening.isUndone && before !== undefined) await this.#undo(before);
  }

  /** People edit the service. */
  async #byHand(part: string, deeds: readonly Deed[]): Promise<void> {
    const done: string[] = [];
    for (const deed of deeds) {
      const request = await carryOut(deed, this.#service);
      this.#note(request === undefined ? `refused: ${deed.does}` : `hand: ${deed.does}`);
      if (request !== undefined) done.push(request);
    }
    this.#story.push({ [part]: done });
  }

  /** The author edits the files, which from now on manage these kinds too. */
  async #edit(edits: readonly Edit[], kinds: readonly string[]): Promise<void> {
    const projection = documentOf(await this.#service.snapshot());
    const managed = Object.fromEntries(
      kinds.flatMap((kind) =>
        projection[kind] === undefined || this.#declared[kind] !== undefined ? [] : [[kind, projection[kind]]],
      ),
    );
    this.#declared = edits.reduce(edited, { ...this.#declared, ...managed });
  }

  /** The files as a careful author writes them who sees the workspace. */
  async #look(): Promise<Snapshot> {
    const before = await this.#service.snapshot();
    this.#declared = repaired(this.#declared, before);
    this.#files = filesOf(this.#declared, this.#trial.borrowings);
    this.#story.push({ files: this.#files.text, env: this.#files.env });
    this.#program.write(this.#files.text, this.#files.env);
    return before;
  }

  /** Whoever looks for drift sees a difference exactly where there is one. */
  async #lookForDrift(): Promise<void> {
    const before = await this.#look();
    const ran = await this.#run(["drift"]);
    this.#expectNoWrites(ran);
    this.#note(`drift: ${ran.exit}`);
    const reasons = refusalReasons(this.#files.document, before);
    if (ran.exit === EXIT.error)
      return this.#fail(reasons.length > 0 ? [] : ["drift is refused without a reason"], ran);
    if (ran.exit !== EXIT.success && ran.exit !== EXIT.changes) this.#fail([`drift ends with ${ran.exit}`], ran);
    this.#expectForeseen(ran.exit === EXIT.changes, before, ran);
  }

  /** A whole apply, judged by the workspace before it, or before the stopped runs that it finishes. Returns the one before it if anything was written. */
  async #apply(since?: Snapshot): Promise<Snapshot | undefined> {
    const before = await this.#look();
    const ran = await this.#run(["apply", ...APPROVALS]);
    if (this.#isForeseenEnd(ran, before)) return undefined;
    this.#note(ran.writes > 0 ? "apply" : "apply: nothing to do");
    this.#expectForeseen(ran.writes > 0, before, ran);
    await this.#expectSettled(since ?? before, ran);
    return hasWritten(ran) ? before : undefined;
  }

  /** A plan is saved, people edit the service, and the saved plan is applied: as it was, or not at all. */
  async #applySaved(hands: readonly Deed[]): Promise<Snapshot | undefined> {
    const before = await this.#look();
    const planned = await this.#run(["plan", "--out", "saved.plan"]);
    this.#expectNoWrites(planned);
    if (this.#isForeseenEnd(planned, before)) return undefined;
    await this.#byHand("between", hands);
    const now = await this.#service.snapshot();
    const ran = await this.#run(["apply", "--plan", "saved.plan", ...APPROVALS]);
    const isChanged = text(now as Fields) !== text(before as Fields);
    this.#note(`saved: ${ran.exit}${isChanged ? " after an edit by hand" : ""}`);
    const { document } = this.#files;
    if (ran.exit === EXIT.stale || ran.exit === EXIT.error) {
      this.#expectNoWrites(ran);
      if (!isChanged) this.#fail(["a saved plan is refused although nobody did anything"], ran);
      // What is mentioned may have been taken away.
      const isOutdated = text(repaired(this.#declared, now)) !== text(this.#declared);
      const hasReason = isOutdated || refusalReasons(document, now).length > 0;
      this.#fail(ran.exit === EXIT.stale || hasReason ? [] : ["a saved plan is refused without a reason"], ran);
      return undefined;
    }
    // Which incidents hold a resource is not always returned: what is refused for their sake stays, as the plan says it may.
    // A plan holds no hash of a value that may be secret: one from the environment is sent, whatever is there by then.
    const declared = parse(this.#files.text) as Fields;
    const differing = (at: Snapshot) =>
      foreseen(declared, { ...at, incidents: now.incidents }, this.#isReadable)
        .certain.map((one) => one.replace(/(\$\{env:.*), and is .*/s, "$1"))
        .join("\n");
    if (differing(before) !== differing(now))
      this.#fail([`a saved plan is applied, although since then:\n${differing(now)}`], ran);
    if (this.#isForeseenEnd(ran, now)) {
      await this.#expectUntouched(now, ran);
      return undefined;
    }
    await this.#expectSettled(now, ran);
    return hasWritten(ran) ? now : undefined;
  }

  /** An apply is stopped at a write; resumed or not, the next one finishes it. */
  async #applyStopped({ stop, keepsGoing, isResumed }: Happening & { readonly does: "stop" }): Promise<void> {
    const before = await this.#look();
    const ran = await this.#run(["apply", ...APPROVALS, ...(keepsGoing ? ["--keep-going"] : [])], stop);
    this.#note(`stopped: ${stop.how}`);
    if (stop.how === "unprocessable") this.#wasRefused = true;
    this.#story.push({
      stopped: `${stop.how} at write ${stop.at}${keepsGoing ? ", kept going" : ""}, exit ${ran.exit}`,
    });
    await this.#expectUntouched(before, ran);
    if (isResumed || ran.exit === KILLED) {
      let resumed = await this.#run(RESUME);
      // By a clock that nobody moves, a rule that was not created may still arrive. Here it cannot.
      if (stop.how === "killed before" && resumed.stderr.includes(RESEND))
        resumed = await this.#run([...RESUME, "--resolve", "resend"]);
      this.#note(`resumed: ${resumed.exit}`);
      await this.#expectUntouched(before, resumed);
      if (ran.exit === KILLED && resumed.exit !== 0 && !isLostToken(resumed) && !this.#isRefusedRename(before))
        this.#fail([`resume ends with ${resumed.exit}`], resumed);
    }
    // One more apply reaches what is declared, or two: the first may find what a lost response has left, and makes a key again whose token is lost.
    await this.#look();
    const next = await this.#run(["apply", ...APPROVALS]);
    await this.#expectUntouched(before, next);
    if (next.exit !== 0) await this.#apply(before);
    else await this.#expectSettled(before, next);
  }

  /** Undoes the last run, and compares with the workspace before it. */
  async #undo(before: Snapshot): Promise<void> {
    // Each warning by itself, with its address.
    const made = await this.#run(["undo", "--out", "undo.plan", "--verbose"]);
    if (made.exit === EXIT.error && /no run/.test(made.stderr)) return;
    if (made.exit !== 0) this.#fail([`undo ends with ${made.exit}`], made);
    const ran = await this.#run(["apply", "--plan", "undo.plan", ...APPROVALS]);
    this.#note("undo");
    this.#story.push({ undo: `${made.stdout}\n${made.stderr}` });
    const isRename =
      this.#trial.dialects.options === "replace" && ran.refused.some((one) => /custom_fields.*is in use by/.test(one));
    if (ran.exit === EXIT.partial && isRename) return;
    if (ran.exit !== 0) this.#fail([`applying the undo ends with ${ran.exit}`], ran);
    // What the plan lists as a change it has promised to restore: only its warnings, and what the service refused, excuse a difference.
    const said = [made, ran]
      .flatMap(({ stdout, stderr }) => `${stdout}\n${stderr}`.split("\n"))
      .filter((line) => /^ *!|^ *(preserved, in use|disabled instead) |\[W_/.test(line))
      .join("\n");
    const masked = said.split(/:?\s+/).filter((word) => word.includes(MASK));
    const left = differences(before, await this.#service.snapshot()).filter(({ name }) => {
      const [address = name] = name.split(",");
      return !said.includes(address) && !masked.some((word) => mayStandFor(word, address));
    });
    this.#fail(
      left.map(({ message }) => `after undo: ${message}`),
      ran,
    );
  }

  /** Runs a command. Its output and all files are without values that nobody may see. */
  async #run(args: readonly string[], stop?: Stop): Promise<Run> {
    const moments = [machinesOf(this.#service)];
    this.#program.watch(() => moments.push(machinesOf(this.#service)));
    const ran = await this.#program.run(args, stop);
    this.#fail([...gained(moments), ...falseWarnings(ran), ...wrongDeletions(ran)], ran);
    const leaks = [["the output", ran.stdout + ran.stderr] as const, ...this.#program.files()].filter(
      ([, shown]) => shown.includes(CANARY) || shown.includes(this.#service.emulator.adminToken),
    );
    this.#fail(
      leaks.map(([path]) => `${args.join(" ")}: a secret is in ${path}`),
      ran,
    );
    return ran;
  }

  /** Whether a command ended without having done it all, for a reason that was foreseen; other ends are faults. */
  #isForeseenEnd(ran: Run, before: Snapshot): boolean {
    const reasons = refusalReasons(this.#files.document, before);
    if (ran.exit === EXIT.error && ran.writes === 0) {
      if (reasons.length === 0) this.#fail(["no plan is made, without a reason"], ran);
      this.#note("no plan");
      return true;
    }
    if (reasons.length > 0) this.#fail([`a plan is made although ${reasons.join(", ")}`], ran);
    if (ran.exit === EXIT.partial && this.#isRefusedRename(before)) {
      this.#note("a rename was refused");
      return true;
    }
    if (ran.exit !== 0) this.#fail([`it ends with ${ran.exit}`], ran);
    return false;
  }

  /** A difference was seen exactly where one was foreseen. */
  #expectForeseen(isSeen: boolean, before: Snapshot, ran: Run): void {
    const { certain, possible } = foreseen(this.#files.document, before, this.#isReadable, this.#wasRefused);
    if (!isSeen) this.#fail(certain, ran);
    else if (possible.length === 0) this.#fail(["a difference is seen where there is none"], ran);
  }

  /** The workspace is as declared, and the next plan is empty. */
  async #expectSettled(before: Snapshot, ran: Run): Promise<void> {
    const after = await this.#service.snapshot();
    const judging = { isFullyReadable: this.#isReadable, isWhole: true, mayStay: true, wasRefused: this.#wasRefused };
    this.#fail(faultsOf(this.#files.document, before, after, judging), ran);
    const next = await this.#run(["plan", "--detailed-exitcode"]);
    this.#expectNoWrites(next);
    if (next.exit !== 0) this.#fail([`the next plan ends with ${next.exit}`], next);
  }

  /** What nobody asked for has not happened, wherever the run stopped. */
  async #expectUntouched(before: Snapshot, ran: Run): Promise<void> {
    const after = await this.#service.snapshot();
    const judging = { isFullyReadable: this.#isReadable, isWhole: false, mayStay: true };
    this.#fail(faultsOf(this.#files.document, before, after, judging), ran);
  }

  #expectNoWrites(ran: Run): void {
    if (ran.writes > 0) this.#fail(["it only reads, but has written"], ran);
  }

  /** A rename of an option in use that the service takes for a removal. */
  #isRefusedRename(before: Snapshot): boolean {
    if (this.#trial.dialects.options !== "replace") return false;
    const held = new Set(referencesIn(before).map(({ to }) => to));
    return rowsOf(this.#files.document.custom_fields).some(({ slug, options }) => {
      const rows = rowsOf(before.custom_fields.find((one) => one.slug === slug)?.options);
      return (isList(options) ? options : []).some((one) => {
        const former = rows.find(({ label }) => isFields(one) && label === one.renamed_from);
        return former !== undefined && (held.has(String(former.id)) || held.has(`choice ${slug} ${former.label}`));
      });
    });
  }

  #fail(faults: readonly string[], ran: Run): void {
    if (faults.length === 0) return;
    const output = `exit ${ran.exit}\n${ran.stdout}\n${ran.stderr}\n${ran.refused.join("\n")}`;
    throw new Fault(faults, stringify([...this.#story, { output }], { lineWidth: 0 }));
  }

  #note(what: string): void {
    this.#reached.set(what, (this.#reached.get(what) ?? 0) + 1);
  }
}

/** Whether a run has written anything: an undo passes over one whose writes were all refused. */
function hasWritten({ writes, refused }: Run): boolean {
  return writes > refused.length;
}

/** The author is careful: whatever the files name is there. */
function falseWarnings({ stdout, stderr }: Run): readonly string[] {
  const lines = `${stdout}\n${stderr}`
    .split("\n")
    .filter((line) => /which (does not exist|is not in the configuration)/.test(line));
  return lines.map((line) => `a warning is false: ${line.trim()}`);
}

/** A plan may learn from a refusal which incidents use a resource, but never what else refers to it. */
function wrongDeletions({ refused }: Run): readonly string[] {
  return refused
    .filter((one) => {
      const uses = /^DELETE .* is in use by (.*?) and cannot be deleted/.exec(one)?.[1] ?? "";
      return [...uses.matchAll(/\d+ ([a-z ]+)\(s\)/g)].some(([, noun]) => noun !== "incident");
    })
    .map((one) => `the plan deletes what is in use: ${one}`);
}

/** The token of a creation whose response was lost cannot be had again. */
function isLostToken({ exit, stderr, stdout }: Run): boolean {
  return exit === EXIT.partial && /token/.test(stderr + stdout);
}

/** Whether a text with masks may stand for an address: a mask hides any part of it, also a value of an earlier change. */
function mayStandFor(masked: string, address: string): boolean {
  const parts = masked.split(MASK);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = address.indexOf(part, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  return address.endsWith(parts.at(-1) ?? "");
}
