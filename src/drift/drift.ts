/** What differs, held against what people have accepted: what is new, known, expired or resolved. */

import type { Fields, Json } from "../core/json.ts";
import { type Change, type FieldChange, fingerprint, type Plan } from "../plan/plan.ts";

/** One thing that differs: a field of an entry, or an entry as a whole. */
export interface Difference {
  readonly address: string;
  readonly action: Change["action"];
  /** JSON Pointer into the entry; empty for the entry as a whole. */
  readonly path: string;
  /** Of both sides, the service included; the same in every run until one of them changes. 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** Its values are secret, so nothing can be remembered of it. */
  readonly secret?: true;
}

/** A difference that somebody has accepted. */
export interface Acceptance {
  /** Scheme, host and port of the service at which it was accepted. */
  readonly host: string;
  readonly address: string;
  readonly path: string;
  readonly fingerprint: string;
  /** The last day on which it counts, in UTC: `2026-12-31`. */
  readonly until: string;
  readonly because: string;
}

/** A difference, and what was accepted at its place: the same, or something else meanwhile. */
export interface Remembered extends Difference {
  readonly accepted?: Pick<Acceptance, "until" | "because">;
}

/** Every difference in exactly one list; what alarms is new or expired. */
export interface Drift {
  /** Of all that alarms; null when nothing does. */
  readonly fingerprint: string | null;
  readonly new: readonly Remembered[];
  readonly known: readonly Remembered[];
  readonly expired: readonly Remembered[];
  /** Accepted at this service and no longer there; none are told by a partial comparison. */
  readonly resolved: readonly Acceptance[];
}

/** The live entry that a change is about, undefined where there is none. */
export type LiveEntry = (change: Change) => Fields | undefined;

/** Judges a plan by what was accepted; `today` is a day in UTC. */
export function judge(plan: Plan, live: LiveEntry, accepted: readonly Acceptance[], today: string): Drift {
  const own = new Map(accepted.filter(({ host }) => host === plan.target.host).map((one) => [placeOf(one), one]));
  const lists: Record<"new" | "known" | "expired", Remembered[]> = { new: [], known: [], expired: [] };
  const met = new Set<string>();
  for (const difference of plan.changes.flatMap((change) => differencesIn(change, plan.target.host, live))) {
    const place = placeOf(difference);
    const one = own.get(place);
    met.add(place);
    if (one === undefined) {
      lists.new.push(difference);
      continue;
    }
    const same = one.fingerprint === difference.fingerprint && difference.secret !== true;
    const list = same ? (today <= one.until ? "known" : "expired") : "new";
    lists[list].push({ ...difference, accepted: { until: one.until, because: one.because } });
  }
  const alarming = [...lists.new, ...lists.expired].map(({ fingerprint }) => fingerprint).sort();
  return {
    fingerprint: alarming.length === 0 ? null : fingerprint(alarming),
    ...lists,
    resolved: plan.partial === undefined ? [...own.values()].filter((one) => !met.has(placeOf(one))) : [],
  };
}

/** The plan without what is known: the changes that still alarm, with the fields that do. */
export function alarming(plan: Plan, { known }: Drift): Plan {
  if (known.length === 0) return plan;
  const quiet = new Set(known.map(placeOf));
  const isQuiet = (address: string, path: string): boolean => quiet.has(placeOf({ address, path }));
  const changes = plan.changes.flatMap((change): readonly Change[] => {
    if (isWhole(change)) return isQuiet(change.address, "") ? [] : [change];
    const fields = change.fields.filter(({ path }) => !isQuiet(change.address, path));
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

function differencesIn(change: Change, host: string, live: LiveEntry): readonly Difference[] {
  const { address, action } = change;
  if (!isWhole(change)) {
    return change.fields.map(({ path, before, after, secret }) => ({
      address,
      action,
      path,
      fingerprint: fingerprint({ host, address, path, before, after }),
      ...(secret === true ? { secret } : {}),
    }));
  }
  const fields = change.fields.filter(({ path }) => path !== "/position").map(pair);
  // What it holds besides the fields that are shown counts as well: whoever changes it later is to be noticed.
  const held = live(change) ?? null;
  return [{ address, action, path: "", fingerprint: fingerprint({ host, address, action, fields, held }) }];
}

/** Whether an entry differs as a whole: it is missing, or it should not be there. */
function isWhole({ action, fields }: Change): boolean {
  return action === "create" || action === "delete" || action === "disable" || fields.length === 0;
}

function pair({ path, before, after }: FieldChange): Json {
  return [path, before, after];
}

/** The service is left out: it is the same for all that are compared. */
function placeOf({ address, path }: Pick<Difference, "address" | "path">): string {
  return `${address}#${path}`;
}
