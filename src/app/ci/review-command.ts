/** `ci review`: checks the files without tokens, plans them, rehearses the plan, and says so in a comment. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { listIn } from "../../core/json.ts";
import type { Console } from "../console/console.ts";
import type { CiReviewOptions } from "./ci-definition.ts";
import { keepComment } from "./comment.ts";
import { changeFlags, hasService, inJob, type PipelineJob, words } from "./job.ts";
import { jsonReport } from "./reports.ts";

/** Reviews a change. Exits with the code of the command that failed. */
export function review(options: CiReviewOptions, io: Io, console: Console): Promise<number> {
  return inJob("review", options, io, console, async (job) => {
    const checked = await check(job);
    const code = checked === EXIT.success ? await planChange(job) : checked;
    await keepComment("review", [job.reports], job.forge, io, console);
    return code;
  });
}

/** Validates the files and runs the routing tests. They decide what is read and evaluated, so there is no token here. */
async function check({ run, report, unit }: PipelineJob): Promise<number> {
  const validated = await run(
    "validate",
    ["validate", report("sarif", "findings.sarif"), report("junit", "findings.xml")],
    { offline: true },
  );
  if (validated !== EXIT.success || !hasRoutingTests(unit.directory)) return validated;
  return run("test", ["test", "--offline", report("junit", "tests.xml")], { offline: true });
}

function hasRoutingTests(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory()
      ? ![".git", "node_modules"].includes(entry.name) && hasRoutingTests(join(folder, entry.name))
      : entry.name.endsWith(".test.yaml"),
  );
}

/** Plans the change without the kinds that only an administrator's token can read, unless there is one. */
async function planChange(job: PipelineJob): Promise<number> {
  const { run, report, flags, reports, io } = job;
  if (!hasService(job)) {
    job.console.note("no token here, as in the pipeline of a fork: nothing is planned");
    reports.note({ command: "plan", code: "none" });
    return EXIT.success;
  }
  const common = [...flags, ...(io.env.INCIDENTCTL_ADMIN_TOKEN ? [] : ["--without-admin"])];
  const plan = (scope: readonly string[]) =>
    run("plan", [
      ...["plan", ...common, ...scope, ...words(io.env.INCIDENTCTL_PLAN_FLAGS), "--out", reports.file("change.plan")],
      ...[report("markdown", "plan.md"), report("html", "plan.html"), report("json", "plan.json")],
    ]);
  const first = await plan(changeFlags(job.forge.base, io));
  // A base that cannot be loaded, such as one that this change mends: everything is of this change.
  const isBaseBroken = first === EXIT.error && reports.read("plan.log").includes("--only-changed needs a base");
  const code = isBaseBroken ? await plan([]) : first;
  // The comment says what a rehearsal finds. It does not fail the check: an approval of the apply may be all that is missing.
  const isPlanned = code === EXIT.success || code === EXIT.refused;
  if (isPlanned && listIn(jsonReport(reports, "plan.json")?.changes).length > 0) {
    await run("rehearse", ["rehearse", ...common, report("markdown", "rehearsal.md")]);
  }
  return code;
}
