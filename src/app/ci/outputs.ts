/** Writes what later steps, and GitLab, read of a job's reports. */

import {
  driftOutputs,
  type Outputs,
  planOutputs,
  qualityReport,
  terraformReport,
} from "../../view/pipeline/outputs.ts";
import type { Forge } from "./forge/forge.ts";
import { jsonReport, type ReportFolder } from "./reports.ts";

/** The commands that run in a job. */
export type JobCommand = "review" | "apply" | "drift" | "pull";

/** Outputs of the step, and the files `outputs`, `terraform.json` and `codequality.json`. `home` is the directory of the unit below the checkout. */
export function writeOutputs(
  command: JobCommand,
  { reports, forge, home }: { readonly reports: ReportFolder; readonly forge: Forge; readonly home: string },
): void {
  if (command === "drift") {
    const drift = jsonReport(reports, "drift.json");
    if (drift !== undefined) write(driftOutputs(drift));
    return;
  }
  const plan = jsonReport(reports, "plan.json") ?? jsonReport(reports, "proposal.json");
  if (plan !== undefined) {
    write(planOutputs(plan));
    reports.write("terraform.json", terraformReport(plan));
  }
  const findings = jsonReport(reports, "findings.sarif");
  if (findings !== undefined) {
    reports.write("codequality.json", qualityReport(findings, home));
  }

  function write(outputs: Outputs): void {
    const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
    reports.write("outputs", lines.join(""));
    forge.output(outputs);
  }
}
