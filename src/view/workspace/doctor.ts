/** The checks of `doctor` as text and JSON. */

import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Paint } from "../format/ansi.ts";
import { columnLines } from "../format/columns.ts";
import { prettyJson } from "../format/json.ts";

export interface HealthCheck {
  /** A part of the setup, or a kind. */
  readonly subject: string;
  /** A `finding` stops a plan or an apply; a `note` does not. */
  readonly status: "fine" | "note" | "finding";
  readonly message: string;
}

const MARKS = { fine: "ok", note: "--", finding: "!!" } as const;
const TONES = { fine: "added", note: "quiet", finding: "alarm" } as const;

/** A line for each check, and the number of findings. */
export function doctorText(checks: readonly HealthCheck[], paint: Paint): string {
  const lines = columnLines(
    checks.map(({ subject, status, message }) => [paint(TONES[status], MARKS[status]), subject, sanitised(message)]),
  );
  const findings = findingsIn(checks);
  const verdict =
    findings === 0
      ? "No problems found."
      : `${counted(findings, "finding")}: see the ${findings === 1 ? "line" : "lines"} with !!.`;
  return `${[...lines, "", verdict].join("\n")}\n`;
}

/** The checks as JSON. */
export function doctorJson(service: string, workspace: string | null, checks: readonly HealthCheck[]): string {
  return prettyJson({
    service,
    workspace,
    findings: findingsIn(checks),
    checks: checks.map(({ subject, status, message }) => ({ about: subject, status, said: message })),
  });
}

function findingsIn(checks: readonly HealthCheck[]): number {
  return checks.filter(({ status }) => status === "finding").length;
}
