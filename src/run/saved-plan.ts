/** A saved plan: read from its file, and made again from the files and the live state to see that it still holds. */

import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Json } from "../core/json.ts";
import { quoted, sanitised } from "../core/sanitise.ts";
import { reasonOf } from "../output/save-file.ts";
import { planHash } from "../plan/checks/seal.ts";
import type { Plan } from "../plan/plan.ts";
import { planJson } from "../report/plan/json.ts";
import { isEmpty } from "../report/plan/summary.ts";
import type { MadePlan } from "../session/make-plan.ts";
import type { PlanFilter } from "../session/plan-filter.ts";
import type { PlanSource } from "../session/session.ts";
import { validPlan } from "./valid-plan.ts";

/** A plan as it lies in a file. */
export interface SavedPlan {
  readonly plan: Plan;
  readonly text: string;
}

/**
 * Reads a saved plan. A file that cannot be read ends the command; one that holds no plan does so with the exit code
 * `damaged`: for `apply` that is a seal that does not hold, whichever byte of the file was changed.
 */
export async function readPlan(
  path: string,
  cwd: string,
  damaged: typeof EXIT.error | typeof EXIT.stale,
): Promise<SavedPlan> {
  const text = await contents(resolve(cwd, path)).catch((error: unknown) => {
    throw new Stop(EXIT.error, `cannot read the plan ${quoted(path)}: ${reasonOf(error)}`);
  });
  const plan = await parsed(text);
  if (plan === undefined) {
    throw new Stop(damaged, `${quoted(path)} is not a plan of this program (format version 1), or is damaged`);
  }
  return { plan, text };
}

/** Far more than the plan of the largest configuration has. */
const LARGEST = 256 * 1024 * 1024;

/** The text of a file or a pipe; a device would never end. */
async function contents(path: string): Promise<string> {
  const file = await open(path);
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !stats.isFIFO()) throw new Error("it is no file");
    if (stats.size > LARGEST) throw new Error(`it has more than ${LARGEST} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function parsed(text: string): Promise<Plan | undefined> {
  try {
    const value: Json = JSON.parse(text);
    return await validPlan(value);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Makes the plan again and gives the new one, which is the one to apply. Anything but the moment of its making that is not
 * as in the file ends the command: the plan is stale, or was changed, or is for another workspace or configuration.
 */
export async function remake(saved: SavedPlan, source: PlanSource, safe: (text: string) => string): Promise<MadePlan> {
  const { plan } = saved;
  if (plan.target.host !== source.reader.host) {
    const [wanted, here] = [quoted(plan.target.host), quoted(source.reader.host)];
    throw new Stop(EXIT.stale, `the plan was made for ${wanted}, not for ${here}; nothing was written`);
  }
  if (plan.seal.configuration !== source.configuration.digest) {
    throw stale("the configuration is not the one it was made from");
  }
  const made = await source.prepare({
    filter: narrowingOf(plan),
    identify: plan.target.workspace !== null,
    // What has expired since is no reason to think that somebody changed the file.
    analyzedAt: new Date(plan.seal.created_at),
  });
  const fresh = made.plan;
  if (fresh.target.workspace !== plan.target.workspace) throw stale("the workspace is another one");
  if (fresh.seal.live !== plan.seal.live) throw stale("the workspace has changed since");
  if (!isSame(saved, fresh, safe)) throw stale("its file was changed after it was saved");
  return made;
}

/**
 * Whether a plan is the saved one, to the last byte of its file but for the moment of its making. What is blocked depends
 * on the consents of a run, and is compared only as far as the seal vouches for it.
 */
export function isSame({ plan, text }: SavedPlan, other: Plan, safe: (text: string) => string): boolean {
  const blocked = { ...other, blocked: plan.blocked };
  const seal = { ...other.seal, created_at: plan.seal.created_at, hash: planHash(blocked) };
  return safe(planJson({ ...blocked, seal })) === text;
}

/** Ends the command when a plan is not the one that was reviewed, as far as its fingerprint tells. */
export function expectPlan(plan: Plan, fingerprint: string): void {
  const found = plan.seal.fingerprint;
  if (found === fingerprint) return;
  const now = isEmpty(plan) ? "now there is nothing to change" : `the plan is now ${found}`;
  throw new Stop(
    EXIT.stale,
    `this is not the plan that was expected: ${now}; nothing was written; review it with plan`,
  );
}

function stale(what: string): Stop {
  return new Stop(EXIT.stale, `the plan no longer holds: ${what}; nothing was written; make a new one with plan --out`);
}

/** The narrowing that a plan says it was made with. */
export function narrowingOf({ partial = [] }: Plan): PlanFilter {
  const values = (flag: string): string[] =>
    partial.filter((said) => said.startsWith(`${flag} `)).map((said) => said.slice(flag.length + 1));
  const kinds = values("--kinds").flatMap((said) => said.split(","));
  const narrowing = { kinds, targets: values("--target"), excludes: values("--exclude") };
  const known = narrowing.kinds.length > 0 ? 1 : 0;
  if (known + narrowing.targets.length + narrowing.excludes.length !== partial.length) {
    throw stale(`it says ${sanitised(partial.join(" "))}, which this program does not understand`);
  }
  return narrowing;
}
