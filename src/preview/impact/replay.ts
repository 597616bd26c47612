/** Replays recent incidents against the declare form before and after a plan: which of them the plan would cause to be refused. */

import { addTo } from "../../core/lists.ts";
import type { DeclarationRules } from "./form.ts";
import type { PastIncident } from "./past-incident.ts";
import { type DeclarationRefusal, findRefusals, type RefusalReason } from "./refusals.ts";

/** Incidents that are refused for a reason. An incident counts once under each of its reasons. */
export interface ReasonCount extends RefusalReason {
  readonly refused: number;
  readonly possibly: number;
}

/** Totals; each incident counts once. */
export interface Totals {
  readonly incidents: number;
  /** Incidents that are certainly refused because of the plan. */
  readonly refused: number;
  /** Incidents that may be refused because of the plan. */
  readonly possibly: number;
  /** Incidents that would be refused today as well. */
  readonly already: number;
}

/** Impact on the declarations of one source. */
export interface SourceImpact extends Totals {
  readonly source: string;
  /** The most frequent first. */
  readonly reasons: readonly ReasonCount[];
}

/** Impact of a plan on declarations like the recent ones. */
export interface Impact extends Totals {
  /** Every source, the most affected first. */
  readonly sources: readonly SourceImpact[];
}

/** The impact on these incidents. */
export function replay(incidents: readonly PastIncident[], before: DeclarationRules, after: DeclarationRules): Impact {
  const bySource = new Map<string, IncidentEffect[]>();
  for (const incident of incidents) addTo(bySource, incident.source, effectOn(incident, before, after));
  const sources = [...bySource].map(([source, effects]) => ({ source, ...totals(effects), reasons: counts(effects) }));
  return { ...totals([...bySource.values()].flat()), sources: sources.sort(byImpact) };
}

/** Effect of the plan on one incident: the refusals that it causes, or `already` if it would be refused today. */
export type IncidentEffect = "already" | readonly DeclarationRefusal[];

/** The effect on one incident. A refusal that is possible today is at most possible after the plan. */
export function effectOn(incident: PastIncident, before: DeclarationRules, after: DeclarationRules): IncidentEffect {
  const today = findRefusals(incident, before, before);
  if (today.some(({ isCertain }) => isCertain)) return "already";
  return findRefusals(incident, after, before).flatMap((refusal): readonly DeclarationRefusal[] => {
    const isKnown = today.some((other) => isSame(other, refusal));
    if (!isKnown) return [refusal];
    return refusal.isCertain ? [{ ...refusal, isCertain: false }] : [];
  });
}

function totals(effects: readonly IncidentEffect[]): Totals {
  const affected = effects.filter((effect) => effect !== "already").filter(({ length }) => length > 0);
  const refused = affected.filter((effect) => effect.some(({ isCertain }) => isCertain)).length;
  return {
    incidents: effects.length,
    refused,
    possibly: affected.length - refused,
    already: effects.filter((effect) => effect === "already").length,
  };
}

function counts(effects: readonly IncidentEffect[]): readonly ReasonCount[] {
  const byReason = new Map<string, ReasonCount>();
  for (const effect of effects) {
    if (effect === "already") continue;
    for (const { code, subject, isCertain } of effect) {
      const key = JSON.stringify([code, subject]);
      const { refused = 0, possibly = 0 } = byReason.get(key) ?? {};
      const more = isCertain ? { refused: refused + 1, possibly } : { refused, possibly: possibly + 1 };
      byReason.set(key, { code, subject, ...more });
    }
  }
  return [...byReason.values()].sort(
    (left, right) =>
      right.refused - left.refused || right.possibly - left.possibly || compareText(nameOf(left), nameOf(right)),
  );
}

function byImpact(left: SourceImpact, right: SourceImpact): number {
  return (
    right.refused - left.refused ||
    right.possibly - left.possibly ||
    right.incidents - left.incidents ||
    compareText(left.source, right.source)
  );
}

function isSame(left: RefusalReason, right: RefusalReason): boolean {
  return left.code === right.code && left.subject === right.subject;
}

function nameOf({ code, subject }: RefusalReason): string {
  return `${subject} ${code}`;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
