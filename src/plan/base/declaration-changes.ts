/** How the declarations of the files differ from those of a base: what a change of the files can be the reason of. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { fileOf } from "../../config/resources/origins.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { addTo } from "../../core/lists.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, listName } from "../../kinds/model/resource.ts";
import {
  type ComparedList,
  compareConfigurations,
  differentLists,
  partnersIn,
} from "../make/compare-configurations.ts";
import type { Change, FieldChange, Released } from "../model/plan.ts";
import { releasedBy } from "./released.ts";

/** The differences of two configurations, by address. */
export interface DeclarationChanges {
  /** Resources that are new, have other declared fields, or are not declared any more; rules by their rank in the files. */
  readonly changed: ReadonlySet<string>;
  /** Resources whose order among those that both declare is another one. */
  readonly moved: ReadonlySet<string>;
  /** Beginnings of addresses: lists that only the files manage, and resources that only the base declares. */
  readonly prefixes: ReadonlySet<string>;
  /** Beginning of the addresses of each ranked list → the fields of each of its rules that the files have no more. */
  readonly removedRules: ReadonlyMap<string, readonly (readonly FieldChange[])[]>;
  /** Kinds whose policy of removals is another one. */
  readonly policies: ReadonlySet<string>;
  readonly released: readonly Released[];
  /** Resources that only the base declares, with the names of their lists and their files; no rules. */
  readonly gone: readonly { readonly list: string; readonly address: string; readonly file: string }[];
  /**
   * The addresses that `--only-changed` admits, and beginnings of addresses, which end with a slash: a ranked list changes as a whole.
   */
  readonly admitted: readonly string[];
}

/** Compares the files with their base. */
export function declarationChanges(
  base: Configuration,
  configuration: Configuration,
  kinds: readonly Kind[],
): DeclarationChanges {
  const lists = differentLists(base, configuration, kinds);
  const differences = compareConfigurations(base, configuration, kinds, lists);
  const ranked = new Set(kinds.filter(({ lifecycle }) => lifecycle.order === "rank").map(({ name }) => name));
  const isRule = ({ kind }: Change): boolean => ranked.has(kind);
  const changed = differences.changes.filter(({ action }) => action !== "move");
  const gone = changed.filter(({ action }) => action === "delete");
  const moved = movedIn(lists);
  const removedRules = new Map<string, (readonly FieldChange[])[]>();
  for (const { kind: name, scope } of [...base.managed, ...configuration.managed]) {
    const kind = kinds.find((one) => one.name === name);
    if (kind !== undefined && ranked.has(name)) removedRules.set(addressPrefix(kind, scope), []);
  }
  const labels = new Set(kinds.flatMap(({ identity }) => (identity.labels ?? []).map((name) => `/${name}`)));
  for (const { address, fields } of gone.filter(isRule)) {
    const list = address.slice(0, address.lastIndexOf("/") + 1);
    // The service does not know the name of a rule.
    addTo(
      removedRules,
      list,
      fields.filter(({ path }) => !labels.has(path)),
    );
  }
  const isOther = (kind: Kind): boolean =>
    removalPolicyOf(base.settings, kind) !== removalPolicyOf(configuration.settings, kind);
  const prefixes = new Set([
    ...differences.managedAfter.map((list) => `${list}/`),
    ...gone.filter((one) => !isRule(one)).map(({ address }) => `${address}/`),
  ]);
  const listOf = (address: string): string =>
    [...removedRules.keys()].find((list) => address.startsWith(list)) ?? address;
  return {
    changed: new Set(changed.filter((one) => !(isRule(one) && one.action === "delete")).map(({ address }) => address)),
    moved,
    prefixes,
    admitted: [...new Set([...changed.map(({ address }) => address), ...moved, ...prefixes].map(listOf))].sort(),
    removedRules,
    policies: new Set(kinds.filter(isOther).map(({ name }) => name)),
    released: releasedBy(base, configuration, kinds, lists),
    gone: lists.filter(({ kind }) => !ranked.has(kind.name)).flatMap(goneFrom),
  };
}

function goneFrom(list: ComparedList): DeclarationChanges["gone"] {
  const paired = new Set(partnersIn(list).values());
  const gone = list.before.filter((_, index) => !paired.has(index));
  return gone.map((one) => ({ list: listName(list.kind.name, list.scope), address: one.address, file: fileOf(one) }));
}

/** The addresses of resources before or behind which another one stands now. */
function movedIn(lists: readonly ComparedList[]): ReadonlySet<string> {
  const ordered = lists.filter(({ kind }) => kind.lifecycle.order !== undefined);
  return new Set(
    ordered.flatMap((list) => {
      const partners = partnersIn(list);
      const pairs = [...partners].sort(([left], [right]) => left - right);
      return outOfOrder(pairs.map(([, before]) => before)).flatMap((at) => {
        const [index = -1] = pairs[at] ?? [];
        return list.after[index]?.address ?? [];
      });
    }),
  );
}

/** The indexes of numbers that have a larger one before them or a smaller one behind. */
function outOfOrder(numbers: readonly number[]): readonly number[] {
  const smallestBehind: number[] = [];
  let smallest = Number.POSITIVE_INFINITY;
  for (let at = numbers.length - 1; at >= 0; at -= 1) {
    smallestBehind[at] = smallest;
    smallest = Math.min(smallest, numbers[at] ?? smallest);
  }
  let largest = -1;
  return numbers.flatMap((number, at) => {
    const isOut = largest > number || (smallestBehind[at] ?? number) < number;
    largest = Math.max(largest, number);
    return isOut ? [at] : [];
  });
}

/** Whether an address, or a beginning of it that ends with a slash, is in a set. */
export function includesAddress(addresses: ReadonlySet<string>, address: string): boolean {
  for (let end = address.indexOf("/"); end >= 0; end = address.indexOf("/", end + 1)) {
    if (addresses.has(address.slice(0, end + 1))) return true;
  }
  return addresses.has(address);
}
