/** The fields to write to a live resource: the declared ones, those that must be sent with them, and options and items that must stay. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { locationOf } from "../../config/resources/origins.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import { type Fields, isFields, isList, type Json, objectsIn } from "../../core/json.ts";
import { valueText } from "../../core/value-text.ts";
import type { KeyedItems } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import type { PlanContext } from "../model/context.ts";
import type { Warning } from "../model/plan.ts";
import { retainItemOptions, retainItems, retainOptions } from "./retained-options.ts";

/** The fields of a matched resource, filled. */
export interface FilledFields {
  readonly fields: Fields;
  /** Fields as they must be until the children that hold their items are gone. */
  readonly interim: Fields;
  readonly warnings: readonly Warning[];
}

const NO_FIELDS: Fields = {};
const NO_WARNINGS: readonly Warning[] = [];

/** Fills the declared fields of a matched resource. `preserved`: addresses of resources that are not in the configuration and stay. */
export function fillFields(
  context: PlanContext,
  declared: DeclaredResource,
  live: LiveResource,
  preserved: ReadonlySet<string>,
): FilledFields {
  const { kind } = declared;
  const complete = context.state.listOf(declared).fillForReplace(declared.fields, live.fields, live.row);
  const fields: Record<string, Json> = {};
  const interim: Record<string, Json> = {};
  const warnings: Warning[] = [];
  for (const name in kind.fields) {
    const { optionList, keyedItems } = kind.fields[name] ?? {};
    const [list, liveList] = [complete[name], live.fields[name]];
    if (!isList(list)) continue;
    if (optionList === true) {
      const retained = retainOptions(context, declared, live, name, preserved);
      fields[name] = withRetained(list, retained.labels, liveList, (option) => liveLabel(option, liveList));
      warnings.push(...retained.warnings);
    } else if (keyedItems !== undefined) {
      const kept = keepUnknown(declared, list, liveList, name, keyedItems);
      const source = {
        address: declared.address,
        fields: { ...complete, [name]: kept.items },
        origins: declared.origins,
      };
      const items = retainItems(context, source, live, name, keyedItems, preserved);
      const options = retainItemOptions(context, source, live, name, keyedItems, preserved);
      const keyOf = (item: Json) => (isFields(item) ? keyedItems.keyOf(item) : "");
      const withItems = (all: readonly Json[]) => withRetained(all, items.items, liveList, keyOf);
      fields[name] = withItems(options.items);
      if (items.deferred.length > 0 || options.interim !== undefined) {
        const interimList = withItems(options.interim ?? options.items);
        interim[name] = withRetained(interimList, items.deferred.map(keyedItems.optional), liveList, keyOf);
      }
      warnings.push(...kept.warnings, ...items.warnings, ...options.warnings);
    }
  }
  if (Object.keys(fields).length === 0) return { fields: complete, interim: NO_FIELDS, warnings: NO_WARNINGS };
  return { fields: { ...complete, ...fields }, interim, warnings };
}

/** The declared items, each with the live value of the field that never changes if only a newer service knows it. */
function keepUnknown(
  { address, origins }: DeclaredResource,
  items: readonly Json[],
  live: Json | undefined,
  list: string,
  { keyOf, fixed }: KeyedItems,
): { readonly items: readonly Json[]; readonly warnings: readonly Warning[] } {
  if (fixed === undefined) return { items, warnings: NO_WARNINGS };
  const { name, isKnown } = fixed;
  const unknown = new Map(
    objectsIn(live).flatMap((item) => {
      const value = item[name] ?? null;
      return value === null || isKnown(value) ? [] : [[keyOf(item), value] as const];
    }),
  );
  if (unknown.size === 0) return { items, warnings: NO_WARNINGS };
  const warnings: Warning[] = [];
  const kept = items.map((item, index) => {
    const value = isFields(item) ? unknown.get(keyOf(item)) : undefined;
    if (!isFields(item) || value === undefined) return item;
    const message = `the service has the ${name} ${valueText(value)} for "${String(item.name)}", which this program does not know, so it stays`;
    const source = sourcePlace(locationOf(origins, `/${list}/${index}/${name}`));
    warnings.push({ code: "W_FORM", message, address, source });
    return { ...item, [name]: value };
  });
  return { items: kept, warnings };
}

/** A declared list with the live items that stay although it does not list them: each right after the item that it follows now. */
function withRetained(
  declared: readonly Json[],
  retained: readonly Json[],
  live: Json | undefined,
  keyOf: (item: Json) => string,
): readonly Json[] {
  const order = isList(live) ? live.map(keyOf) : [];
  const list = [...declared];
  for (const item of retained) {
    const before = new Set(order.slice(0, order.indexOf(keyOf(item))));
    list.splice(list.findLastIndex((other) => before.has(keyOf(other))) + 1, 0, item);
  }
  return list;
}

/** The label that a declared option has in the service now: the former one only until it is renamed. */
function liveLabel(option: Json, live: Json | undefined): string {
  const label = optionLabel(option);
  const former = isFields(option) && typeof option.renamed_from === "string" ? option.renamed_from : label;
  return isList(live) && live.includes(label) ? label : former;
}
