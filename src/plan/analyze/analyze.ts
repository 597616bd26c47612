/** Runs analyzers over a configuration and applies the waivers in its files. */

import { isOpaqueAt } from "../../config/resources/opaque-values.ts";
import type { RoutingTest } from "../../config/resources/routing-tests.ts";
import { byPlace, groupFindings } from "../../core/findings.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import type { Analyzer, AnalyzerRule, Finding, Hit } from "./analyzer.ts";
import { PlannedWorkspace } from "./planned-workspace.ts";
import { appliesTo, isInForce, malformedWaiver, readWaiver, unusedWaiver, type Waiver } from "./waiver.ts";

/** Every finding, waived ones included, in the order of files and lines; findings without a place come first. */
export function analyze(
  analyzers: readonly Analyzer[],
  resolved: ResolvedWorkspace,
  now: Date,
  tests: () => readonly RoutingTest[] = () => [],
): readonly Finding[] {
  const known = new Set(analyzers.map(({ id }) => id));
  const read = resolved.state.configuration.directives.map((directive) => ({
    directive,
    result: readWaiver(directive, known),
  }));
  const waivers = read.flatMap(({ result }) => ("error" in result ? [] : [result]));
  const workspace = new PlannedWorkspace(resolved, now, tests);
  const used = new Set<Waiver>();
  const isOpaque = isOpaqueAt(resolved.state.configuration.declared);
  const findings = analyzers.flatMap((analyzer) =>
    // Values from the environment are not compared (config.md, third part).
    [...analyzer.find(workspace)]
      .filter(({ at }) => !isOpaque(at))
      .map((hit) => {
        const own = waivers.filter((waiver) => appliesTo(waiver, analyzer.id, hit));
        for (const waiver of own) used.add(waiver);
        return applyWaivers(analyzer, hit, own, now);
      }),
  );
  const malformed = read.flatMap(({ directive, result }) =>
    "error" in result ? [finding(malformedWaiver, { message: result.error, at: directive.at })] : [],
  );
  // Without the live state some analyzers find less, so an unused waiver is only a note.
  const unused = waivers
    .filter((waiver) => !used.has(waiver))
    .map((waiver) =>
      finding(unusedWaiver, { message: `the waiver of ${waiver.ids.join(", ")} applies to no finding`, at: waiver.at }),
    );
  const open = findings.filter(({ waived }) => waived === undefined);
  const waived = findings.filter((one) => one.waived !== undefined);
  return [...groupFindings(open), ...waived, ...malformed, ...unused].sort(byPlace);
}

function applyWaivers(rule: AnalyzerRule, hit: Hit, waivers: readonly Waiver[], now: Date): Finding {
  const waiver = waivers.find((one) => isInForce(one, now));
  if (waiver !== undefined) {
    const { until, reason, at } = waiver;
    return { ...finding(rule, hit), waived: { until, reason, at } };
  }
  const [expired] = waivers;
  if (expired === undefined) return finding(rule, hit);
  const related = [...(hit.related ?? []), { message: `the waiver expired on ${expired.until}`, at: expired.at }];
  return finding(rule, { ...hit, message: `${hit.message} (its waiver expired on ${expired.until})`, related });
}

function finding(rule: AnalyzerRule, hit: Omit<Hit, "address"> & Partial<Pick<Hit, "address">>): Finding {
  return {
    severity: hit.severity ?? rule.severity,
    code: rule.id,
    message: hit.message,
    ...(hit.address === undefined ? {} : { address: hit.address }),
    ...(hit.at === undefined ? {} : { at: hit.at }),
    ...(hit.madeAt === undefined ? {} : { madeAt: hit.madeAt }),
    ...(hit.related === undefined ? {} : { related: hit.related }),
    ...(hit.refusesPlan === true ? { refusesPlan: true } : {}),
    help: hit.help ?? rule.fix,
  };
}
