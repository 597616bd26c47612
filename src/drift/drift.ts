/** Compares the differences of a plan with the accepted ones: each is new, known, expired or resolved. */

import type { Fields, Json } from "../core/json.ts";
import type { ResolvedState } from "../match/resolved-state.ts";
import { type Change, type FieldChange, fingerprint, type Plan } from "../plan/plan.ts";

/** One difference: a field of a resource, or a resource as a whole. */
export interface DriftDifference {
  readonly address: string;
  readonly action: Change["action"];
  /** JSON Pointer into the resource; empty for the whole resource. */
  readonly path: string;
  /** Fingerprint of both sides and the service, 16 hex digits; it stays the same until one of them changes. */
  readonly fingerprint: string;
  /** The values are secret, so the difference cannot be accepted. */
  readonly secret?: true;
}

/** An accepted difference. */
export interface Acceptance {
  /** Scheme, host and port of the service that it was accepted for. */
  readonly host: string;
  readonly address: string;
  readonly path: string;
  readonly fingerprint: string;
  /** Last day on which it counts, in UTC: `2026-12-31`. */
  readonly until: string;
  readonly because: string;
}

/** A difference, and the acceptance at its place, which may be for other values. */
export interface JudgedDifference extends DriftDifference {
  readonly accepted?: Pick<Acceptance, "until" | "because">;
}

/** Every difference, in exactly one list. New and expired ones are reported as drift. */
export interface Drift {
  /** Fingerprint of the new and expired differences; null if there are none. */
  readonly fingerprint: string | null;
  readonly new: readonly JudgedDifference[];
  readonly known: readonly JudgedDifference[];
  readonly expired: readonly JudgedDifference[];
  /** Accepted for this service and no longer different; empty for a partial comparison. */
  readonly resolved: readonly Acceptance[];
}

/** The fields of the live resource that a change is about; undefined if it does not exist. */
export type FindLiveFields = (change: Change) => Fields | undefined;

/** Finds the live resource of a change. */
export function findLiveIn(live: ResolvedState): FindLiveFields {
  return ({ kind, address }) => live.all(kind).find((resource) => resource.address === address)?.fields;
}

/** The drift of a plan, given what was accepted; `today` is a day in UTC. */
export function judgeDrift(plan: Plan, live: FindLiveFields, accepted: readonly Acceptance[], today: string): Drift {
  const own = new Map(accepted.filter(({ host }) => host === plan.target.host).map((one) => [placeOf(one), one]));
  const lists: Record<"new" | "known" | "expired", JudgedDifference[]> = { new: [], known: [], expired: [] };
  const seen = new Set<string>();
  for (const difference of plan.changes.flatMap((change) => differencesIn(change, plan.target.host, live))) {
    const place = placeOf(difference);
    const one = own.get(place);
    seen.add(place);
    if (one === undefined) {
      lists.new.push(difference);
      continue;
    }
    const isSame = one.fingerprint === difference.fingerprint && difference.secret !== true;
    const list = isSame ? (today <= one.until ? "known" : "expired") : "new";
    lists[list].push({ ...difference, accepted: { until: one.until, because: one.because } });
  }
  const reported = [...lists.new, ...lists.expired].map(({ fingerprint }) => fingerprint).sort();
  return {
    fingerprint: reported.length === 0 ? null : fingerprint(reported),
    ...lists,
    resolved: plan.partial === undefined ? [...own.values()].filter((one) => !seen.has(placeOf(one))) : [],
  };
}

/** The plan without the known differences: its remaining changes and fields. */
export function withoutAccepted(plan: Plan, { known }: Drift): Plan {
  if (known.length === 0) return plan;
  const accepted = new Set(known.map(placeOf));
  const isAccepted = (address: string, path: string): boolean => accepted.has(placeOf({ address, path }));
  const changes = plan.changes.flatMap((change): readonly Change[] => {
    if (isWholeResource(change)) return isAccepted(change.address, "") ? [] : [change];
    const fields = change.fields.filter(({ path }) => !isAccepted(change.address, path));
    return fields.length === 0 ? [] : [{ ...change, fields }];
  });
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  const summary = {
    ...plan.summary,
    create: count("create"),
    update: count("update"),
    move: count("move"),
    enable: count("enable"),
    disable: count("disable"),
    delete: count("delete"),
  };
  return { ...plan, changes, summary, operations: changes.length === 0 ? [] : plan.operations };
}

function differencesIn(change: Change, host: string, live: FindLiveFields): readonly DriftDifference[] {
  const { address, action } = change;
  if (!isWholeResource(change)) {
    return change.fields.map(({ path, before, after, secret }) => ({
      address,
      action,
      path,
      fingerprint: fingerprint({ host, address, path, before, after }),
      ...(secret === true ? { secret } : {}),
    }));
  }
  const fields = change.fields.filter(({ path }) => path !== "/position").map(pair);
  // All live fields count, not only those that are shown, so that any later change is noticed.
  const liveFields = live(change) ?? null;
  return [{ address, action, path: "", fingerprint: fingerprint({ host, address, action, fields, held: liveFields }) }];
}

/** Whether a resource differs as a whole: it is missing, or it is not declared. */
function isWholeResource({ action, fields }: Change): boolean {
  return action === "create" || action === "delete" || action === "disable" || fields.length === 0;
}

function pair({ path, before, after }: FieldChange): Json {
  return [path, before, after];
}

/** The place of a difference. All compared ones are of the same service. */
function placeOf({ address, path }: Pick<DriftDifference, "address" | "path">): string {
  return `${address}#${path}`;
}
