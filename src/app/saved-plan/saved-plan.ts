/** Saved plans: writes one, reads it, and makes it again from the configuration and the live state to check that it still holds. */

import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { defined, type Json, parseJson } from "../../core/json.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { withExplanation } from "../../plan/base/attribute.ts";
import { fingerprintOf, planHash, rowDigests, sealPlan, withHash } from "../../plan/checks/seal.ts";
import { W_TOKEN } from "../../plan/checks/unstored-tokens.ts";
import { ONLY_CHANGED, type Plan, type SealedPlan, type Warning } from "../../plan/model/plan.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import { planJson } from "../../view/plan/json.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import type { Console } from "../console/console.ts";
import { reasonOf, saveFile } from "../console/save-file.ts";
import { analyzeAt } from "../session/analysis.ts";
import { W_BASE } from "../session/explained-plan.ts";
import type { MadePlan } from "../session/make-plan.ts";
import type { PlanFilter } from "../session/plan-filter.ts";
import type { PlanSource } from "../session/session.ts";
import { changeActions, changedFiles, changedResources, sharesResources } from "./staleness.ts";
import { isShallow, validPlan } from "./valid-plan.ts";

/** A plan in a file. */
export interface SavedPlan {
  readonly plan: SealedPlan;
  readonly text: string;
}

/** Saves a plan. It has no value from the environment, and nothing that depends on one. */
export async function savePlan(plan: SealedPlan, path: string, io: Io, console: Console): Promise<void> {
  await saveFile(path, savedText(plan, console.safe), io.cwd);
}

/** The text of a saved plan. The hash of one in which a secret is masked is that of the plan as it is read from the file. */
function savedText(plan: SealedPlan, safe: (text: string) => string): string {
  const text = planJson(plan);
  const masked = safe(text);
  return masked === text ? text : planJson(withHash(JSON.parse(masked)));
}

/**
 * Reads a saved plan. A file that cannot be read ends the command. A file that is not a plan ends it with the exit code `damaged`: for
 * `apply`, that of a broken seal, whichever byte of the file was changed.
 */
export async function readPlan(
  path: string,
  io: Io,
  damaged: typeof EXIT.error | typeof EXIT.stale,
): Promise<SavedPlan> {
  const text = await readText(resolve(io.cwd, path)).catch((error: unknown) => {
    throw new Stop(EXIT.error, `cannot read the plan ${quoted(path)}: ${reasonOf(error)}`);
  });
  const plan = await validPlan(shallowJson(text));
  if (plan === undefined) {
    throw new Stop(
      damaged,
      `${quoted(path)} is not a plan of this program (format version 1), or is damaged; plan --out saves one`,
    );
  }
  return { plan, text };
}

/** Ends the command if a variable of the files that a saved plan was made from is not set. */
export function requireVariables({ plan: { seal } }: SavedPlan, env: Io["env"], again: string): void {
  const unset = (seal.variables ?? []).filter((name) => env[name] === undefined);
  if (unset.length === 0) return;
  const variables = `the environment ${unset.length === 1 ? "variable" : "variables"} ${unset.map((one) => quoted(one)).join(", ")}`;
  throw staleBy(again)(`it refers to ${variables}, which ${unset.length === 1 ? "is" : "are"} not set`);
}

/** Most bytes of a plan: far more than the plan of the largest configuration has. */
const LARGEST = 256 * 1024 * 1024;

/** Reads a file or a pipe; a device might never end. */
async function readText(path: string): Promise<string> {
  const file = await open(path);
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !stats.isFIFO()) throw new Error("it is not a file");
    if (stats.size > LARGEST) throw new Error(`it has more than ${LARGEST} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** The value of a JSON text; null, which is no plan, if it is not JSON or is nested too deeply. */
function shallowJson(text: string): Json {
  const value = parseJson(text) ?? null;
  return isShallow(value) ? value : null;
}

/** A saved plan that was made again. */
export interface RemadePlan extends MadePlan {
  readonly plan: SealedPlan;
}

/**
 * Makes the plan again and returns the new one, which is the one to apply. Any difference from the file, except for the time, ends the
 * command: the plan is stale, was changed, or is for another workspace or configuration. `again` is the command that makes a new plan.
 */
export async function remakePlan(
  saved: SavedPlan,
  source: PlanSource,
  safe: (text: string) => string,
  again: string,
): Promise<RemadePlan> {
  const stale = staleBy(again);
  const { plan } = saved;
  if (plan.target.host !== source.reader.host) {
    const [plannedHost, currentHost] = [quoted(plan.target.host), quoted(source.reader.host)];
    throw new Stop(EXIT.stale, `the plan was made for ${plannedHost}, not for ${currentHost}; nothing was written`);
  }
  const { environment } = source.configuration.settings;
  if (plan.target.environment !== undefined && plan.target.environment !== environment) {
    const here = environment === undefined ? "none" : quoted(environment);
    throw stale(`it was made for the environment ${quoted(plan.target.environment)}, and here it is ${here}`);
  }
  if (plan.seal.configuration !== source.configuration.digest) {
    throw stale("the configuration has changed since", changedFiles(plan.seal.files, source.configuration.files));
  }
  const made = await source.prepare({
    filter: filterOf(plan),
    identify: plan.target.workspace !== null,
    // A waiver may have expired since; the file is still unchanged.
    analyze: analyzeAt(new Date(plan.seal.created_at)),
  });
  const fresh = sealPlan(made.plan, made, { saved: false });
  if (fresh.target.workspace !== plan.target.workspace || fresh.seal.live !== plan.seal.live) {
    const rows = rowDigests(made);
    const isOther = fresh.target.workspace !== plan.target.workspace && !sharesResources(plan.seal.rows, rows);
    if (isOther) throw stale("it is for another workspace");
    throw stale("the workspace has changed since", changedResources(plan, fresh, rows));
  }
  // The file of accepted differences is not part of the configuration, and each has its last day.
  if (JSON.stringify(fresh.accepted ?? []) !== JSON.stringify(plan.accepted ?? []))
    throw stale("the accepted differences have changed since");
  if (!isSamePlan(saved, fresh, safe)) throw stale(...otherPlan(plan, fresh));
  return { ...made, plan: withHash({ ...withExplanation(fresh, plan), seal: fresh.seal }) };
}

/**
 * Whether a plan is the saved one, byte for byte except for the time. `blocked` depends on the approvals of a run, a warning about a
 * token on its use, and what only explains the plan on the base of the time, so only the seal covers them.
 */
export function isSamePlan({ plan, text }: SavedPlan, other: SealedPlan, safe: (text: string) => string): boolean {
  const { created_at, files, rows, variables } = plan.seal;
  const sources = defined({ files, rows, variables });
  const { files: _files, rows: _rows, variables: _variables, ...seal } = other.seal;
  const same = withHash({
    ...withExplanation(withoutAdditions(plan, other), plan),
    warnings: withSavedWarnings(other.warnings, plan.warnings),
    derived: withSavedValues(other, plan),
    blocked: plan.blocked,
    seal: { ...seal, created_at, ...sources },
  });
  return savedText(same, safe) === text;
}

/** The side effects of a plan, with the saved values of members that only a newer service knows: these may change with every answer. */
function withSavedValues({ derived, operations }: Plan, saved: Plan): Plan["derived"] {
  const isUnknown = (address: string, path: string): boolean =>
    operations.some(
      (one) => one.address === address && one.guard?.unknown?.includes(path.replace(/\/\d+(?=\/)/g, "/*")) === true,
    );
  return derived.map((one, at) => {
    const before = saved.derived[at];
    const isSame = before?.address === one.address && before.path === one.path;
    return isSame && isUnknown(one.address, one.path) ? { ...one, after: before.after } : one;
  });
}

/** The warnings of a plan, with those about tokens and the base that a saved plan has, at their places in it. */
function withSavedWarnings(warnings: readonly Warning[], saved: readonly Warning[]): readonly Warning[] {
  const isOfSaved = ({ code }: Warning): boolean => code === W_TOKEN || code === W_BASE;
  const others = warnings.filter((warning) => !isOfSaved(warning));
  const merged = saved.flatMap((warning) => (isOfSaved(warning) ? warning : (others.shift() ?? [])));
  return [...merged, ...others];
}

/** Returns the other plan without the members that an earlier build of the program did not write, if the saved plan lacks them. */
function withoutAdditions(saved: Plan, other: Plan): Plan {
  return {
    ...sharedMembers(saved, other, ["accepted", "ignored", "others"]),
    target: sharedMembers(saved.target, other.target, ["environment"]),
    summary: sharedMembers(saved.summary, other.summary, ["accepted", "ignored", "others"]),
    changes: other.changes.map((change, at) =>
      sharedMembers(saved.changes[at] ?? change, change, ["attention", "values"]),
    ),
  };
}

/** Returns the other record without the optional members that the saved one lacks, in the same order. */
function sharedMembers<Members extends object>(saved: Members, other: Members, optional: readonly string[]): Members {
  const lacking = optional.filter((name) => !(name in saved));
  if (lacking.length === 0) return other;
  return Object.fromEntries(Object.entries(other).filter(([name]) => !lacking.includes(name))) as Members;
}

/** The reason for which a plan made again from the same files and live state is another one, and its differences. */
function otherPlan(saved: SealedPlan, fresh: Plan): readonly [reason: string, differences: readonly string[]] {
  if (saved.tool.version !== fresh.tool.version) {
    return [`version ${sanitised(saved.tool.version)} made it, and this is version ${fresh.tool.version}`, []];
  }
  if (planHash(saved) !== saved.seal.hash) return ["its file was changed after it was saved", []];
  const differences = changedResources(saved, fresh, saved.seal.rows);
  return differences.length === 0
    ? ["the plan is another one now, by incidentctl.lock or values from the environment", []]
    : ["the workspace or a value from the environment has changed since", differences];
}

/**
 * Ends the command if the fingerprint of a plan is not the expected one. The expected plan is not known, unless it is that of a run: the
 * message lists the changes of this one, for a comparison with the reviewed plan. `runs` are the latest first; `review` is the command that shows
 * the plan.
 */
export function requireFingerprint(
  plan: Plan,
  fingerprint: string,
  runs: readonly RecordedRun[],
  review: string,
): void {
  const actual = fingerprintOf(plan);
  if (actual === fingerprint) return;
  const now = isEmpty(plan) ? "now there is nothing to change" : `the plan is now ${actual}`;
  const last = runs.find(({ contents }) => contents.begin.plan.seal.fingerprint === fingerprint);
  const advice =
    last === undefined
      ? "compare the changes with the reviewed plan; a plan saved with plan --out tells what has changed"
      : `the expected plan was that of run ${sanitised(last.run)}, ${last.contents.begin.at}`;
  const lines = [
    `this is not the expected plan: ${now}; nothing was written; review it with ${review}`,
    advice,
    ...changeActions(plan),
  ];
  throw new Stop(EXIT.stale, lines.join("\n"));
}

/** The function that ends the command for a reason; `again` is the command that makes a new plan. */
function staleBy(again: string): (reason: string, differences?: readonly string[]) => Stop {
  return (reason, differences = []) => {
    const first = `the plan no longer holds: ${reason}; nothing was written; make a new one with ${again}`;
    return new Stop(EXIT.stale, [first, ...differences].join("\n"));
  };
}

/** Returns the filter that a plan was made with. */
export function filterOf({ partial = [], base }: Plan): PlanFilter {
  const values = (flag: string): string[] =>
    partial.filter((flagText) => flagText.startsWith(`${flag} `)).map((flagText) => flagText.slice(flag.length + 1));
  const kinds = values("--kinds").flatMap((names) => names.split(","));
  const onlyChanged = partial.includes(ONLY_CHANGED) ? { onlyChanged: base?.changed ?? [] } : {};
  const paths = partial.filter((typed) => !typed.startsWith("-"));
  const filter = { kinds, paths, targets: values("--target"), excludes: values("--exclude"), ...onlyChanged };
  const known = (filter.kinds.length > 0 ? 1 : 0) + ("onlyChanged" in onlyChanged ? 1 : 0);
  if (known + paths.length + filter.targets.length + filter.excludes.length !== partial.length) {
    const parts = sanitised(partial.join(" "));
    throw new Stop(
      EXIT.stale,
      `nothing was written: the plan says ${parts}, which this version does not know; make a new one`,
    );
  }
  return filter;
}
