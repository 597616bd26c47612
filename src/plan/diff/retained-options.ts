/** Options and keyed items that are no longer in the files and have to stay, because something still uses them. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { locationOf } from "../../config/resources/origins.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import { type Fields, isFields, isList, type Json, listIn, objectsIn } from "../../core/json.ts";
import { counted } from "../../core/value-text.ts";
import type { KeyedItems } from "../../kinds/model/kind.ts";
import { addressOf, type LiveResource } from "../../kinds/model/resource.ts";
import { incidentsWithOption } from "../../workspace/match/incident-usage.ts";
import { wasShorteningRefused } from "../../workspace/match/last-applied.ts";
import { removedOptions, removedValues } from "../../workspace/match/option-match.ts";
import type { PlanContext } from "../model/context.ts";
import type { Warning } from "../model/plan.ts";

/** The properties of a declared resource that its lists are computed from; `fields` may be filled. */
type ListSource = Pick<DeclaredResource, "address" | "fields" | "origins">;

/** Labels of options that stay. */
export interface RetainedOptions {
  readonly labels: readonly string[];
  readonly warnings: readonly Warning[];
}

/** The options of a declared resource that have to stay although the files do not list them. */
export function retainOptions(
  context: PlanContext,
  declared: DeclaredResource,
  live: LiveResource,
  field: string,
  preserved: ReadonlySet<string>,
): RetainedOptions {
  const [before, after] = [live.fields[field], declared.fields[field]];
  if (!isList(before) || !isList(after)) return { labels: [], warnings: [] };
  const wasRefused = wasShorteningRefused(context.lastApplied, declared.address, field, after);
  const retained = removedOptions(before.map(String), after).flatMap((label) => {
    const uses = optionUses(context, live, field, label, preserved);
    const reasons =
      uses.length === 0 && wasRefused
        ? ["the service refused to remove it at the last apply (retry with --resend-unreadable)"]
        : uses;
    return reasons.length === 0 ? [] : [{ label, reasons }];
  });
  const warnings = retained.map(({ label, reasons }) =>
    retainedWarning(
      declared,
      field,
      `option "${label}" is not in the configuration but stays: ${reasons.join(" and ")}`,
    ),
  );
  return { labels: retained.map(({ label }) => label), warnings };
}

function optionUses(
  context: PlanContext,
  live: LiveResource,
  field: string,
  label: string,
  preserved: ReadonlySet<string>,
): readonly string[] {
  const incidents = incidentsWithOption(context.usage, live, field, label) ?? 0;
  const referrers = optionReferrers(context, live, label, preserved);
  const addresses = (isPossible: boolean) =>
    referrers.flatMap((referrer) => (referrer.isPossible === isPossible ? [referrer.address] : []));
  const [certain, possible] = [addresses(false), addresses(true)];
  return [
    ...(incidents > 0 ? [`used by ${counted(incidents, "incident")}`] : []),
    ...(certain.length > 0 ? [`referenced by ${certain.join(", ")}`] : []),
    ...(possible.length > 0 ? [`may be referenced by ${possible.join(", ")}`] : []),
  ];
}

/** Resources that remain after this plan and whose conditions reference the option, or may. */
function optionReferrers(
  { state, graph }: PlanContext,
  target: LiveResource,
  label: string,
  preserved: ReadonlySet<string>,
): readonly { readonly address: string; readonly isPossible: boolean }[] {
  const kinds = [...state.kinds.values()].filter(({ references }) => references?.dependsOn?.includes(target.kind.name));
  return kinds.flatMap((kind) =>
    state.all(kind.name).flatMap((resource) => {
      const { scope, key } = resource;
      const declared = state.declared(kind.name, key, scope);
      const remains = declared !== undefined || kind.lifecycle.permanent === true || preserved.has(resource.address);
      if (!remains && state.isManaged(kind.name, scope)) return [];
      const references = graph.referencesOf({ kind, scope, fields: { ...resource.fields, ...declared?.fields } });
      const own = references.filter(
        ({ reference }) =>
          reference.option === label && reference.key === target.key && reference.kind === target.kind.name,
      );
      const isPossible = own.every(({ reference }) => reference.isPossible === true);
      return own.length === 0 ? [] : [{ address: addressOf(kind, scope, key), isPossible }];
    }),
  );
}

/** Items of a keyed list that stay, and those that can go only after their values are gone. */
interface RetainedItems {
  readonly items: readonly Fields[];
  readonly deferred: readonly Fields[];
  readonly warnings: readonly Warning[];
}

/** The items of a keyed list that have to stay although the files do not list them: children that remain hold values of them. */
export function retainItems(
  { state }: PlanContext,
  declared: ListSource,
  live: LiveResource,
  field: string,
  { keyOf, kind, values }: KeyedItems,
  preserved: ReadonlySet<string>,
): RetainedItems {
  const listed = new Set(objectsIn(declared.fields[field]).map(keyOf));
  const removed = objectsIn(live.fields[field]).filter((item) => !listed.has(keyOf(item)));
  const isManaged = state.isManaged(kind, live.key);
  const children = state.live(kind, live.key) ?? [];
  const holders = (item: Fields) => children.filter((child) => hasValue(child.fields[values], keyOf(item)));
  // Managed children are rewritten without the value, or removed; the values of others stay.
  const remains = (child: LiveResource) => !isManaged || preserved.has(child.address);
  const retained = removed.filter((item) => holders(item).some(remains));
  return {
    items: retained,
    deferred: removed.filter((item) => !retained.includes(item) && holders(item).length > 0),
    warnings: retained.map((item) => {
      const count = countOf(holders(item).filter(remains).length);
      return retainedWarning(
        declared,
        field,
        `"${item.name}" is not in the configuration but stays: ${count} a value of it`,
      );
    }),
  };
}

/** Declared items with the options that they must keep, for good and until the children hold other values. */
interface RetainedItemOptions {
  readonly items: readonly Json[];
  /** Undefined if nothing has to wait. */
  readonly interim: readonly Json[] | undefined;
  readonly warnings: readonly Warning[];
}

/** The items of a keyed list with the options that they have to keep although the files do not list them: children hold them. */
export function retainItemOptions(
  { state }: PlanContext,
  declared: ListSource,
  live: LiveResource,
  field: string,
  { keyOf, kind, values, options }: KeyedItems,
  preserved: ReadonlySet<string>,
): RetainedItemOptions {
  const items = listIn(declared.fields[field]);
  if (options === undefined) return { items, interim: undefined, warnings: [] };
  const before = new Map(objectsIn(live.fields[field]).map((item) => [keyOf(item), item]));
  const reduced = objectsIn(items).flatMap((item) => {
    const removed = removedValues(before.get(keyOf(item))?.[options], item[options]);
    return removed.length === 0 ? [] : [{ item, removed }];
  });
  if (reduced.length === 0) return { items, interim: undefined, warnings: [] };

  const isManaged = state.isManaged(kind, live.key);
  const children = state.live(kind, live.key) ?? [];
  const valueIn = (fields: Fields | undefined, item: Fields) => {
    const map = fields?.[values];
    return isFields(map) ? map[keyOf(item)] : undefined;
  };
  // A managed child that does not declare a value keeps the one that it has.
  const staysIn = (child: LiveResource, item: Fields, value: Json) => {
    if (!isManaged || preserved.has(child.address)) return true;
    const target = state.declared(kind, child.key, live.key);
    return target !== undefined && holdsValue(valueIn(target.fields, item) ?? value, value);
  };
  const warnings: Warning[] = [];
  const final = new Map<Json, Fields>();
  const interim = new Map<Json, Fields>();
  for (const { item, removed } of reduced) {
    const listed = listIn(item[options]);
    const retained = removed.filter((value) => {
      const holders = children.filter((child) => holdsValue(valueIn(child.fields, item), value));
      const remaining = holders.filter((child) => staysIn(child, item, value)).length;
      if (holders.length > remaining) {
        // Until the children hold another value, the item keeps its options beside the new ones.
        const all = [...new Set([...listIn(before.get(keyOf(item))?.[options]), ...listed])];
        interim.set(item, { ...item, [options]: all });
      }
      if (remaining === 0) return false;
      const subject = `option "${value}" of "${item.name}"`;
      warnings.push(
        retainedWarning(declared, field, `${subject} is not in the configuration but stays: ${countOf(remaining)} it`),
      );
      return true;
    });
    if (retained.length > 0) final.set(item, { ...item, [options]: [...listed, ...retained] });
  }
  return {
    items: items.map((item) => final.get(item) ?? item),
    interim: interim.size === 0 ? undefined : items.map((item) => interim.get(item) ?? final.get(item) ?? item),
    warnings,
  };
}

/** Whether a map holds a value under the name. */
export function hasValue(map: Json | undefined, name: string): boolean {
  const value = isFields(map) ? map[name] : undefined;
  return value !== undefined && value !== null && value !== "" && !(isList(value) && value.length === 0);
}

function holdsValue(holder: Json | undefined, value: Json): boolean {
  return holder === value || (isList(holder) && holder.includes(value));
}

function retainedWarning({ address, origins }: ListSource, field: string, message: string): Warning {
  return {
    code: "W_RETAINED",
    address,
    message: `${address}: ${message}`,
    source: sourcePlace(locationOf(origins, `/${field}`)),
  };
}

function countOf(children: number): string {
  return counted(children, "entry holds", "entries hold");
}
