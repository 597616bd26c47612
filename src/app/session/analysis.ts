/** The analyzers, run for a plan and for `validate`. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { loadRoutingTests, type RoutingTest } from "../../config/resources/routing-tests.ts";
import type { FileTree } from "../../config/source/file-tree.ts";
import { InvalidConfiguration, sourcePlace } from "../../core/diagnostic.ts";
import { analyze } from "../../plan/analyze/analyze.ts";
import type { Finding } from "../../plan/analyze/analyzer.ts";
import { analyzers } from "../../plan/analyze/index.ts";
import type { Warning } from "../../plan/model/plan.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import type { Analysis } from "./make-plan.ts";

/** Returns an analysis as of a time, for a plan. Notes and waived findings are for `validate` only. */
export function analyzeAt(now: Date): (resolved: ResolvedWorkspace) => Analysis {
  return (resolved) => {
    const findings = analyze(analyzers, resolved, now, () => validTests(resolved.state.configuration));
    const open = findings.filter(({ severity, waived }) => severity !== "note" && waived === undefined);
    return {
      errors: open.filter(({ refusesPlan }) => refusesPlan === true),
      warnings: open.filter(({ refusesPlan }) => refusesPlan !== true).map(warningOf),
    };
  };
}

/** The routing tests in the folder of the settings; none if they are not valid, which is for `validate` to say. */
export function validTests(configuration: Configuration, tree?: FileTree): readonly RoutingTest[] {
  try {
    const { home } = configuration.settings;
    const files = tree === undefined ? {} : { tree };
    return loadRoutingTests([], configuration, { cwd: home, check: () => {}, mayBeEmpty: true, ...files });
  } catch (error) {
    if (error instanceof InvalidConfiguration) return [];
    throw error;
  }
}

function warningOf({ code, message, address, at }: Finding): Warning {
  return {
    code,
    message,
    ...(address === undefined ? {} : { address }),
    ...(at === undefined ? {} : { source: sourcePlace(at) }),
  };
}
