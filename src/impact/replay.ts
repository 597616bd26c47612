/** Recent incidents replayed against the declare form as it is and as it will be: who would be refused only because of the plan. */

import type { Moment } from "./form.ts";
import type { PastIncident } from "./incident.ts";
import { type Reason, type Refusal, refusals } from "./refusals.ts";

/** Incidents that a reason concerns; one incident may count under several reasons, but once under each. */
export interface ReasonCount extends Reason {
  readonly refused: number;
  readonly possibly: number;
}

/** Totals: each incident counts at most once. */
export interface Totals {
  readonly incidents: number;
  /** Certain to be refused, and only because of the plan. */
  readonly refused: number;
  /** May be refused because of the plan: what decides it cannot be known. */
  readonly possibly: number;
  /** Would be refused today as well, so no effect of the plan. */
  readonly already: number;
}

/** What the plan does to the declarations of one source. */
export interface SourceImpact extends Totals {
  readonly source: string;
  /** The most frequent first. */
  readonly reasons: readonly ReasonCount[];
}

/** What the plan does to declarations like the recent ones. */
export interface Impact extends Totals {
  /** Every source, the most concerned first. */
  readonly sources: readonly SourceImpact[];
}

/** Replays the incidents before and after the plan. */
export function replay(incidents: readonly PastIncident[], before: Moment, after: Moment): Impact {
  const bySource = new Map<string, Effect[]>();
  for (const incident of incidents) {
    const effects = bySource.get(incident.source) ?? [];
    effects.push(effectOn(incident, before, after));
    bySource.set(incident.source, effects);
  }
  const sources = [...bySource].map(([source, effects]) => ({ source, ...totals(effects), reasons: counts(effects) }));
  return { ...totals([...bySource.values()].flat()), sources: sources.sort(byConcern) };
}

/** What the plan does to one incident: nothing, when it would be refused already. */
export type Effect = "already" | readonly Refusal[];

/** The refusals that the plan brings about. One that was possible before is at most possible afterwards. */
export function effectOn(incident: PastIncident, before: Moment, after: Moment): Effect {
  const today = refusals(incident, before, before);
  if (today.some(({ certain }) => certain)) return "already";
  return refusals(incident, after, before).flatMap((refusal): readonly Refusal[] => {
    const known = today.some((other) => same(other, refusal));
    if (!known) return [refusal];
    return refusal.certain ? [{ ...refusal, certain: false }] : [];
  });
}

function totals(effects: readonly Effect[]): Totals {
  const felt = effects.filter((effect) => effect !== "already").filter(({ length }) => length > 0);
  const refused = felt.filter((effect) => effect.some(({ certain }) => certain)).length;
  return {
    incidents: effects.length,
    refused,
    possibly: felt.length - refused,
    already: effects.filter((effect) => effect === "already").length,
  };
}

function counts(effects: readonly Effect[]): readonly ReasonCount[] {
  const found = new Map<string, ReasonCount>();
  for (const effect of effects) {
    if (effect === "already") continue;
    for (const { code, subject, certain } of effect) {
      const key = JSON.stringify([code, subject]);
      const { refused = 0, possibly = 0 } = found.get(key) ?? {};
      const more = certain ? { refused: refused + 1, possibly } : { refused, possibly: possibly + 1 };
      found.set(key, { code, subject, ...more });
    }
  }
  return [...found.values()].sort(
    (left, right) =>
      right.refused - left.refused || right.possibly - left.possibly || compared(nameOf(left), nameOf(right)),
  );
}

function byConcern(left: SourceImpact, right: SourceImpact): number {
  return (
    right.refused - left.refused ||
    right.possibly - left.possibly ||
    right.incidents - left.incidents ||
    compared(left.source, right.source)
  );
}

function same(left: Reason, right: Reason): boolean {
  return left.code === right.code && left.subject === right.subject;
}

function nameOf({ code, subject }: Reason): string {
  return `${subject} ${code}`;
}

function compared(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
