/** Applies one reviewed plan, and proposes what was not reviewed. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../../core/exit-codes.ts";
import {
  canonical,
  type Fields,
  fieldsIn,
  isList,
  listIn,
  objectsIn,
  parseJson,
  pick,
  textIn,
  textsIn,
} from "../../../core/json.ts";
import { ONLY_CHANGED } from "../../../plan/model/plan.ts";
import { changeFlags, type PipelineJob, words } from "../job.ts";

/** A plan to apply with the files of the checkout. */
export interface PlanToApply {
  readonly plan: Uint8Array;
  /** A folder outside of the checkout. */
  readonly outside: string;
  /** The commit that the change began at; undefined if it is the first one. */
  readonly base: string | undefined;
  /** The fingerprint that a person has read; undefined for a reviewed plan. */
  readonly named: string | undefined;
  /** The name of the command in the reports. */
  readonly name: string;
}

/**
 * Applies a saved plan, or exits with 5. One that is stale is made again from its commit and base: if other resources or other files have
 * changed, it has the same requests.
 */
export async function applyPlan(
  { run, reports, flags, io, report, console }: PipelineJob,
  { plan: bytes, outside, base, named, name }: PlanToApply,
): Promise<number> {
  const file = join(outside, "reviewed.plan");
  writeFileSync(file, bytes, { mode: 0o600 });
  const reviewed = planIn(file, named);
  if (typeof reviewed === "string") {
    reports.write(`${name}.log`, `${reviewed}\n`);
    reports.note({ command: name, code: EXIT.stale });
    console.note(reviewed);
    return EXIT.stale;
  }
  if ([reviewed.changes, reviewed.operations, reviewed.blocked].every((list) => isList(list) && list.length === 0)) {
    console.note("the reviewed plan changes nothing");
    return EXIT.success;
  }
  const approvals = [...words(io.env.INCIDENTCTL_APPLY_FLAGS), ...words(io.env.INCIDENTCTL_APPROVALS)];
  const apply = (path: string, fingerprint: string) =>
    run(name, [
      ...["apply", "--plan", path, `--expect-plan=${fingerprint}`, "--yes", report("markdown", `${name}.md`)],
      ...[...flags, ...approvals],
    ]);
  const first = await apply(file, fingerprintOf(reviewed));
  if (first !== EXIT.stale) return first;
  // A file that is no plan, or a damaged one, could name any request.
  const again = join(outside, "again.plan");
  const isIntact = (await run("show", ["show", file])) === EXIT.success;
  const partial = textsIn(reviewed.partial);
  const scope = partial.includes(ONLY_CHANGED) ? changeFlags(base, io) : [];
  const withoutAdmin = partial.some((flag) => flag.startsWith("--exclude ")) ? ["--without-admin"] : [];
  rmSync(again, { force: true });
  const isMade =
    isIntact && (await run("plan", ["plan", ...flags, ...scope, ...withoutAdmin, "--out", again])) === EXIT.success;
  const made = isMade ? planIn(again, named) : "it cannot be made again";
  if (typeof made !== "string") {
    const isSame = fingerprintOf(made) === fingerprintOf(reviewed) || requestsOf(made) === requestsOf(reviewed);
    if (isSame) return apply(again, fingerprintOf(made));
  }
  reports.note({ command: name, code: EXIT.stale });
  return EXIT.stale;
}

/** Plans what remains of the changes since the base, or every difference, which was not reviewed. It is not applied. */
export async function propose(
  { run, report, reports, flags, console, io }: PipelineJob,
  base: string | undefined,
  { isEverything = false }: { readonly isEverything?: boolean } = {},
): Promise<number> {
  const scope = isEverything ? [] : changeFlags(base, io);
  const code = await run("propose", [
    ...["plan", ...flags, ...scope, "--detailed-exitcode", "--out", reports.file("proposal.plan")],
    ...[report("markdown", "proposal.md"), report("html", "proposal.html"), report("json", "proposal.json")],
  ]);
  if (code === EXIT.success) {
    for (const end of ["plan", "md", "html", "json"]) rmSync(reports.file(`proposal.${end}`), { force: true });
  }
  if (code !== EXIT.changes) return code;
  console.note(`read ${reports.file("proposal.md")}, then apply the proposal`);
  return EXIT.stale;
}

/** The plan in a file; a reason if it is none of the reviewed files. */
function planIn(file: string, named: string | undefined): Fields | string {
  const plan = fieldsIn(parseJson(readFileSync(file, "utf8")));
  if ("undoes" in plan) return "the plan undoes an earlier run: it is not a plan of these files";
  const fingerprint = fingerprintOf(plan);
  if (!/^[0-9a-f]{32}$/.test(fingerprint)) return "the reviewed plan is not a plan of this program";
  if (named !== undefined && fingerprint !== named) return `the plan has the fingerprint ${fingerprint}, not ${named}`;
  return plan;
}

function fingerprintOf(plan: Fields): string {
  return textIn(fieldsIn(plan.seal).fingerprint) ?? "";
}

/** The changes and the requests of a plan, with what they rely on. */
function requestsOf(plan: Fields): string {
  const changes = objectsIn(plan.changes).map((change) => pick(change, ["address", "action", "fields"]));
  return canonical([changes, listIn(plan.operations)]);
}
