/** The findings of the analyzers, as warnings of a plan. */

import { analyze } from "../analyze/analyze.ts";
import type { Finding } from "../analyze/analyzer.ts";
import { analyzers } from "../analyze/index.ts";
import type { ResolvedWorkspace } from "../match/resolve.ts";
import type { Warning } from "../plan/plan.ts";

/** A function that analyzes as of a moment. Notes and waived findings are left out; `validate` shows them. */
export function analysisAt(now: Date): (resolved: ResolvedWorkspace) => readonly Warning[] {
  return (resolved) =>
    analyze(analyzers, resolved, now)
      .filter(({ severity, waived }) => severity !== "note" && waived === undefined)
      .map(warning);
}

function warning({ code, message, address, at }: Finding): Warning {
  return {
    code,
    message,
    ...(address === undefined ? {} : { address }),
    ...(at === undefined ? {} : { source: { file: at.file, line: at.line, column: at.column } }),
  };
}
