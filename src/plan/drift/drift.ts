/** Compares the differences of a plan with the accepted ones: each is new, known, expired or resolved. */

import { declarableFields } from "../../config/edit/declarable.ts";
import { canonical, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { type Kind, POSITION } from "../../kinds/model/kind.ts";
import { isBlank } from "../../kinds/values/equality.ts";
import { equalField } from "../../kinds/values/same-field.ts";
import { plainValue } from "../../kinds/values/sameness.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { actionCounts, type Change, type FieldChange, fingerprint, type Plan } from "../model/plan.ts";
import { declaredOrder, liveOrder } from "../order/operations.ts";
import type { Acceptance } from "./acceptance.ts";

/** One difference: a field of a resource, or a resource as a whole. */
export interface DriftDifference {
  readonly address: string;
  readonly action: Change["action"];
  /** JSON Pointer into the resource; empty for the whole resource. */
  readonly path: string;
  /**
   * Fingerprint of both sides and the service, 16 hex digits; it stays the same until one of them changes. The live value in another form that
   * services are known to answer is no change.
   */
  readonly fingerprint: string;
  /** Fingerprint of the declared side alone. */
  readonly declared: string;
  /** The values are secret, so the difference cannot be accepted. */
  readonly secret?: true;
}

/** A difference, and the acceptance at its place, which may be for other values. */
export interface JudgedDifference extends DriftDifference {
  readonly accepted?: Pick<Acceptance, "until" | "because" | "by">;
  /** The files declare another value than when the difference was accepted, and its last day has not passed. */
  readonly conflict?: true;
  /** Accepted, and the last day is near: {@link WARNING_DAYS}. */
  readonly ending?: true;
}

/** Days before the last day of an acceptance on which plans and drift begin to warn. */
export const WARNING_DAYS = 7;

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

/** The two sides of a change, as far as the plan does not show them. */
export interface DriftSides {
  /** The fields of the live resource, all of them and those that a file can hold; undefined if it does not exist. */
  live(change: Change): { readonly all: Fields; readonly declarable: Fields } | undefined;
  /** The value of a field with each list in one order whose order means nothing there. */
  inOneOrder(change: Change, field: string, value: Json): Json;
  isDeclared(address: string): boolean;
  /** Keys of the resources that stand on the other side of this one in the files. */
  inversions(change: Change): readonly string[];
  /** Keys of the live resources of the list in declared order. */
  order(change: Change): readonly string[];
}

/** The sides of the changes of a plan. Live values that an apply took from the environment are left out: a short one could be guessed. */
export function sidesOf(state: ResolvedState, hashes: LastAppliedHashes): DriftSides {
  const declared = new Set(state.configuration.declared.map(({ address }) => address));
  const kinds = [...state.kinds.values()];
  const ordersOf = ({ kind: name }: Change): readonly [readonly string[], readonly string[]] => {
    const kind: Kind | undefined = state.kinds.get(name);
    const live = kind === undefined ? [] : liveOrder(state, kind);
    return [live, kind === undefined ? [] : declaredOrder(state, kind).filter((address) => live.includes(address))];
  };
  return {
    live: ({ kind, address, fields }) => {
      const found = state.all(kind).find((resource) => resource.address === address);
      if (found === undefined) return undefined;
      const masked = new Set(fields.flatMap(({ path, secret }) => (secret === true ? [path.slice(1)] : [])));
      const isShown = (name: string) => !masked.has(name) && !cameFromEnvironment(hashes, address, name);
      const declarable = Object.entries(declarableFields(found, kinds)).filter(([name]) => isShown(name));
      return { all: found.fields, declarable: Object.fromEntries(declarable) };
    },
    inOneOrder: ({ kind: name }, field, value) => {
      const kind: Kind | undefined = state.kinds.get(name);
      return kind === undefined ? value : inOneOrder(value, (one, other) => equalField(kind, field, one, other));
    },
    isDeclared: (address) => declared.has(address),
    order: (change) => ordersOf(change)[1],
    inversions: (change) => {
      const [live, files] = ordersOf(change);
      const isBefore = (order: readonly string[], other: string): boolean =>
        order.indexOf(other) < order.indexOf(change.address);
      return files.filter((other) => isBefore(live, other) !== isBefore(files, other)).sort();
    },
  };
}

/** The drift of a plan, given what was accepted; `today` is a day in UTC. */
export function judgeDrift(plan: Plan, sides: DriftSides, accepted: readonly Acceptance[], today: string): Drift {
  const own = new Map(accepted.filter(({ host }) => host === plan.target.host).map((one) => [placeOf(one), one]));
  const lists: Record<"new" | "known" | "expired", JudgedDifference[]> = { new: [], known: [], expired: [] };
  const seen = new Set<string>();
  const lastWarned = new Date(Date.parse(today) + WARNING_DAYS * 86_400_000).toISOString().slice(0, 10);
  const differences = plan.changes.flatMap((change) => differencesIn(change, plan.target.host, sides));
  for (const { former, ...difference } of differences) {
    const place = placeOf(difference);
    const one = own.get(place);
    seen.add(place);
    if (one === undefined) {
      lists.new.push(difference);
      continue;
    }
    const { until, because, by } = one;
    const isSame = [difference.fingerprint, ...former].includes(one.fingerprint) && difference.secret !== true;
    const isValid = today <= until;
    const list = isSame ? (isValid ? "known" : "expired") : "new";
    // Version 1 of the file does not tell which side has changed.
    const isConflict = !isSame && isValid && one.declared !== difference.declared;
    lists[list].push({
      ...difference,
      accepted: { until, because, ...(by === undefined ? {} : { by }) },
      ...(isConflict ? { conflict: true } : {}),
      ...(list === "known" && until <= lastWarned ? { ending: true } : {}),
    });
  }
  const reported = [...lists.new, ...lists.expired].map(({ fingerprint }) => fingerprint).sort();
  return {
    fingerprint: reported.length === 0 ? null : fingerprint(reported),
    ...lists,
    resolved: plan.partial === undefined ? [...own.values()].filter((one) => !seen.has(placeOf(one))) : [],
  };
}

/** The code of warnings about acceptances that no longer hold. */
export const W_ACCEPTED = "W_ACCEPTED";

/** The plan without the known differences: its remaining changes and fields. */
export function withoutAccepted<Judged extends Plan>(plan: Judged, { known }: Drift): Judged {
  const accepted = new Set(known.map(placeOf));
  const isAccepted = (address: string, path: string): boolean => accepted.has(placeOf({ address, path }));
  const changes = plan.changes.flatMap((change): readonly Change[] => {
    if (isWholeResource(change)) return isAccepted(change.address, "") ? [] : [change];
    const fields = change.fields.filter(({ path }) => !isAccepted(change.address, path));
    return fields.length === 0 ? [] : [{ ...change, fields }];
  });
  const summary = { ...plan.summary, ...actionCounts(changes) };
  // The report of drift has sections of its own for what the plan warns of.
  const warnings = plan.warnings.filter(({ code }) => code !== W_ACCEPTED);
  return { ...plan, changes, summary, warnings, operations: changes.length === 0 ? [] : plan.operations };
}

/** A difference, with the fingerprints that former versions gave it. */
interface MeasuredDifference extends DriftDifference {
  readonly former: readonly string[];
}

function differencesIn(change: Change, host: string, sides: DriftSides): readonly MeasuredDifference[] {
  const { address, action } = change;
  if (isWholeResource(change)) return [wholeDifference(change, host, sides)];
  return change.fields.map(({ path, before, after, secret }) => {
    const former = [before, plainForm(before)].map((one) => fingerprint({ host, address, path, before: one, after }));
    const place = { address, action, path, former, ...(secret === true ? { secret } : {}) };
    if (path !== `/${POSITION}`) {
      const live = plainForm(sides.inOneOrder(change, path.slice(1), before));
      const own = fingerprint({ host, address, path, before: live, after });
      return { ...place, fingerprint: own, declared: fingerprint({ host, address, path, after }) };
    }
    // Positions shift when other resources come and go.
    const inversions = sides.inversions(change);
    return {
      ...place,
      fingerprint: fingerprint({ host, address, path, inversions }),
      declared: fingerprint({ host, address, path, order: sides.order(change) }),
    };
  });
}

/** The difference of a resource that is missing, or that should not be there or not be enabled. */
function wholeDifference(change: Change, host: string, sides: DriftSides): MeasuredDifference {
  const { address, action } = change;
  const fields = change.fields.filter(({ path }) => path !== `/${POSITION}`);
  const live = sides.live(change);
  const held = live?.declarable ?? null;
  const isDeclared = sides.isDeclared(address);
  // Every field that a file can hold counts, not only those that are shown, so that a later change is noticed.
  // Whether one that is not declared would be deleted or disabled depends on others.
  const measured = (form: Form, shown: Json = held): string =>
    fingerprint(
      isDeclared
        ? { host, address, action, fields: fields.map((field) => sidesIn(field, form)), held: form(shown) }
        : { host, address, action: "remove", held: form(shown) },
    );
  const asIs = (value: Json): Json => value;
  const ordered = Object.entries(held ?? {}).map(([name, value]) => [name, sides.inOneOrder(change, name, value)]);
  const all = { host, address, action, fields: fields.map((field) => sidesIn(field, asIs)), held: live?.all ?? null };
  const place = { address, action, path: "", former: [measured(asIs), measured(plainForm), fingerprint(all)] };
  const stated = fields.map(({ path, after }) => [path, after]);
  return {
    ...place,
    fingerprint: measured(
      (value, name) => plainForm(name === undefined ? value : sides.inOneOrder(change, name, value)),
      held === null ? null : Object.fromEntries(ordered),
    ),
    declared: fingerprint(isDeclared ? { host, address, action, fields: stated } : { host, address, action: "remove" }),
  };
}

/** Returns a form of a live value: that of the field with a name, or that of all fields. */
type Form = (value: Json, name?: string) => Json;

/** A value with each list sorted whose reverse is the same: its order means nothing. */
function inOneOrder(
  value: Json,
  isSame: (one: Json, other: Json) => boolean,
  whole: (part: Json) => Json = (part) => part,
): Json {
  if (isList(value)) {
    const items = value.map((item, at) => inOneOrder(item, isSame, (part) => whole(value.with(at, part))));
    const isSet = items.length > 1 && isSame(whole(value), whole(value.toReversed()));
    const order = (item: Json): string => canonical(plainForm(item));
    return isSet ? items.toSorted((left, right) => (order(left) < order(right) ? -1 : 1)) : items;
  }
  if (!isFields(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, inOneOrder(member, isSame, (part) => whole({ ...value, [name]: part }))] as const,
  );
  return Object.fromEntries(members);
}

/** A live value in the one of all forms in which services answer it that has nothing empty. */
function plainForm(value: Json): Json {
  if (isList(value)) return value.map(plainForm);
  if (!isFields(value)) return isBlank(value) ? null : plainValue(value);
  const filled = Object.entries(value).filter(([, member]) => !isBlank(member));
  return Object.fromEntries(filled.map(([name, member]) => [name, plainForm(member)]));
}

/** Whether a resource differs as a whole: it is missing, or it is not declared. */
function isWholeResource({ action, fields }: Change): boolean {
  return action === "create" || action === "delete" || action === "disable" || fields.length === 0;
}

/** The path of a field, its live value in a form, and the declared one. */
function sidesIn({ path, before, after }: FieldChange, form: Form): Json {
  return [path, form(before, path.slice(1)), after];
}

/** The place of a difference. All compared ones are of the same service. */
function placeOf({ address, path }: Pick<DriftDifference, "address" | "path">): string {
  return `${address}#${path}`;
}
