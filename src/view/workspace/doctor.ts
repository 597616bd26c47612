/** The checks of `doctor` as text and JSON. */

import { mergeRepeats } from "../../core/findings.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { columnLines } from "../format/columns.ts";
import { prettyJson } from "../format/json.ts";
import { othersText } from "../format/shorten.ts";
import type { ReportStyle } from "../format/style.ts";

export interface HealthCheck {
  /** A part of the setup, or a kind. */
  readonly subject: string;
  /** A `finding` stops a plan or an apply; a `note` does not. */
  readonly status: "fine" | "note" | "finding";
  readonly message: string;
  /** Checks of one cause have the same remedy, whatever their messages. */
  readonly cause?: string;
}

const MARKS = { fine: "ok", note: "--", finding: "!!" } as const;
const TONES = { fine: "added", note: "quiet", finding: "alarm" } as const;

/** A line for each check, or unless `verbose` for all of one cause that are not fine, and the number of findings. */
export function doctorText(checks: readonly HealthCheck[], { paint, verbose }: ReportStyle): string {
  const repeats = mergeRepeats(
    checks,
    ({ subject, status, message, cause = message }) => [status, cause, verbose || status === "fine" ? subject : ""],
    ({ subject }) => subject,
  );
  const lines = columnLines(
    repeats.map(({ first: { subject, status, message }, names }) => {
      const also = names.length === 0 ? "" : ` (also: ${othersText(names, "; --verbose shows each")})`;
      return [paint(TONES[status], MARKS[status]), subject, `${sanitised(message)}${also}`];
    }),
  );
  const findings = findingsIn(checks);
  const verdict =
    findings === 0
      ? "No problems found."
      : `${counted(findings, "finding")}: see the ${findings === 1 ? "line" : "lines"} with !!.`;
  return `${[...lines, "", verdict].join("\n")}\n`;
}

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
