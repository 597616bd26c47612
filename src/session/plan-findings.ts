/** What the analyzers have to say about a plan, as its warnings. */

import { analyze } from "../analyze/analyze.ts";
import type { Finding } from "../analyze/analyzer.ts";
import { analyzers } from "../analyze/index.ts";
import type { LiveState } from "../analyze/view.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { kinds } from "../kinds/index.ts";
import type { Warning } from "../plan/plan.ts";

/** Analyzes as of a moment, with the live state as far as it was read. Notes and what is waived are for `validate` only. */
export function analysisAt(now: Date): (configuration: Configuration, live: LiveState) => readonly Warning[] {
  return (configuration, live) =>
    analyze(analyzers, { kinds, configuration, live, now })
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
