/** Merges overlays into the lists of the configuration. Each value keeps the file that it is from. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import { addressOf } from "../../kinds/model/resource.ts";
import type { OverlayRemoval } from "../resources/configuration.ts";
import type { OwnedList } from "../resources/lists.ts";
import { AFTER, BEFORE, isOverlayKey, REMOVE } from "../schema/overlay-schema.ts";
import type { Source } from "../source/source.ts";
import {
  type MapNode,
  type Member,
  memberWithSource,
  type Node,
  placeOf,
  type Span,
  withMembers,
  withSource,
} from "../source/tree.ts";
import { substitute, withoutEnvironment } from "../values/substitution.ts";
import type { SubstitutionResolver } from "../values/value.ts";
import { isSame, type Placement, type ResourceSlot, ResourceSlots, type SlotIdentity } from "./resource-slots.ts";

/** The lists after the overlays. */
interface OverlaidLists {
  readonly lists: readonly OwnedList[];
  readonly removals: readonly OverlayRemoval[];
}

/** The context of a merge: kinds, substitutions, and the findings to add to. */
interface OverlayContext {
  readonly kinds: readonly Kind[];
  readonly substitutions: SubstitutionResolver;
  readonly findings: Findings;
}

/**
 * Merges one overlay after another into the lists of the files. Resources match by their identity; their mappings
 * are merged, and every other value is replaced. A list whose resources have no identity is replaced as a whole.
 */
export function applyOverlays(
  base: readonly OwnedList[],
  overlays: readonly (readonly OwnedList[])[],
  context: OverlayContext,
): OverlaidLists {
  const overlay = new OverlayMerge(context);
  const merge = (under: readonly OwnedList[], over: OwnedList): readonly OwnedList[] => overlay.list(under, over);
  const lists = overlays
    .flat()
    .reduce<readonly OwnedList[]>((under, over) => overlay.inFormOf(under, over).reduce(merge, under), base);
  return { lists, removals: [...overlay.removals.values()] };
}

/** A list and its overlay: the kind, and the files that the offsets of their nodes belong to. */
interface MergedList {
  readonly kind: Kind;
  readonly scope: string;
  /** The file of nodes without a `source`. */
  readonly under: Source;
  readonly over: Source;
}

class OverlayMerge {
  /** By address. */
  readonly removals = new Map<string, OverlayRemoval>();
  readonly #kinds: readonly Kind[];
  readonly #substitutions: SubstitutionResolver;
  readonly #findings: Findings;

  constructor({ kinds, substitutions, findings }: OverlayContext) {
    this.#kinds = kinds;
    this.#substitutions = substitutions;
    this.#findings = findings;
  }

  /** A list of an overlay, with nested resources apart from their parent, or in it, as the files have them. */
  inFormOf(lists: readonly OwnedList[], over: OwnedList): readonly OwnedList[] {
    const { parent } = over.of;
    return parent === undefined ? this.#partsOf(lists, over) : this.#withParents(lists, over, parent);
  }

  /** A list apart; what the files have in the parent is moved there. */
  #withParents(lists: readonly OwnedList[], over: OwnedList, parent: Parent): readonly OwnedList[] {
    const owner = this.#kinds.find(({ name }) => name === parent.kind);
    const parents = lists.filter(({ kind }) => kind === parent.kind);
    const nested = parents.flatMap(({ of, items, source }) => {
      const own = items.filter((item) => this.#identity(item, source, of)?.key === over.scope);
      return this.#keysOf(
        own.flatMap((item) => itemsIn(item, parent.field)),
        source,
        over.of,
      );
    });
    const isNested = (item: Node): boolean => nested.includes(this.#identity(item, over.source, over.of)?.key ?? "");
    const inside = over.items.filter(isNested);
    const [first] = inside;
    if (owner === undefined || first === undefined) return [over];
    const { start, end } = first;
    const key: Node = { type: "scalar", value: over.scope, start, end };
    const members = new Map<string, Member>([
      [owner.identity.keys[0] ?? "", { start, end, value: key }],
      [parent.field, { start, end, value: { type: "list", items: inside, start, end } }],
    ]);
    const item: MapNode = { type: "map", start, end, members };
    const rest = over.items.filter((one) => !isNested(one));
    return [
      ...(rest.length === 0 ? [] : [{ ...over, items: rest }]),
      { of: owner, kind: owner.name, scope: "", at: over.at, source: over.source, items: [item] },
    ];
  }

  /** A list, and lists apart with the nested resources that the files have there. */
  #partsOf(lists: readonly OwnedList[], over: OwnedList): readonly OwnedList[] {
    const moved: OwnedList[] = [];
    for (const of of childrenOf(this.#kinds, over.of).filter(({ parent }) => parent?.apart === true)) {
      const field = of.parent?.field ?? "";
      const items = over.items.map((item) => {
        const scope = this.#identity(item, over.source, over.of)?.key ?? "";
        const same = lists.filter(({ kind, scope: own }) => kind === of.name && own === scope);
        const apart = same.flatMap((list) => this.#keysOf(list.items, list.source, of));
        const isApart = (one: Node): boolean => apart.includes(this.#identity(one, over.source, of)?.key ?? "");
        const own = itemsIn(item, field);
        const member = item.type === "map" ? item.members.get(field) : undefined;
        if (item.type !== "map" || member === undefined || !own.some(isApart)) return item;
        const at = placeOf(member, over.source);
        moved.push({ of, kind: of.name, scope, at, source: over.source, items: own.filter(isApart) });
        const { start, end } = member.value;
        const rest: Node = { type: "list", start, end, items: own.filter((one) => !isApart(one)) };
        return withMembers(item, new Map(item.members).set(field, { ...member, value: rest }));
      });
      if (moved.length > 0) return [...this.#partsOf(lists, { ...over, items }), ...moved];
    }
    return [over];
  }

  #keysOf(items: readonly Node[], file: Source, kind: Kind): readonly string[] {
    return items.flatMap((item) => this.#identity(item, file, kind)?.key ?? []);
  }

  /** Merges a list of an overlay. A list that is split over files becomes one, so that a resource can go anywhere. */
  list(lists: readonly OwnedList[], over: OwnedList): readonly OwnedList[] {
    const same = lists.filter(({ kind, scope }) => kind === over.kind && scope === over.scope);
    const [first = { ...over, items: [] }] = same;
    const under = same.flatMap(({ items, source }) =>
      source === first.source ? items : items.map((item) => withSource(item, source)),
    );
    const target: MergedList = { kind: over.of, scope: over.scope, under: first.source, over: over.source };
    const items = this.#mergeList(under, over.items, target);
    const laid: OwnedList = { ...first, items };
    return same.length === 0
      ? [...lists, laid]
      : lists.flatMap((list) => (list === first ? laid : same.includes(list) ? [] : list));
  }

  #mergeList(under: readonly Node[], over: readonly Node[], target: MergedList): readonly Node[] {
    if (target.kind.identity.keys.length === 0) return this.#replaceList(over, target);
    const slots = new ResourceSlots(
      under.map((node) => ({ node, identity: this.#identity(node, target.under, target.kind) })),
    );
    const identities = new Map<string, SlotIdentity>();
    for (const item of over) {
      const identity = this.#identity(item, target.over, target.kind);
      if (identity === undefined || item.type !== "map") {
        slots.add({ node: withSource(item, target.over), identity: undefined });
        continue;
      }
      const name = JSON.stringify([identity.field, identity.key, identity.pin ?? ""]);
      const first = identities.get(name);
      if (first === undefined) {
        identities.set(name, identity);
        this.#mergeResource(slots, item, identity, target);
        continue;
      }
      const related = [{ message: "first here", at: placeOf(first.member.value, target.over) }];
      const message = `${this.#address(identity, target)} is declared twice in one overlay`;
      this.#refuse("E_DUP_OBJECT", message, identity.member.value, target, "Keep one of the two.", related);
    }
    return slots.nodes;
  }

  /** Resources without a key: the list of the overlay replaces the list. */
  #replaceList(over: readonly Node[], target: MergedList): readonly Node[] {
    for (const item of over) {
      for (const [name, mark] of overlayKeysOf(item)) {
        const help = "Resources of this kind have no key: write the whole list.";
        this.#refuse("E_OVERLAY", `"${name}" cannot be used in a list of this kind`, mark, target, help);
      }
    }
    return over.map((item) => withSource(item, target.over));
  }

  #mergeResource(slots: ResourceSlots, over: MapNode, identity: SlotIdentity, target: MergedList): void {
    const match = this.#match(slots, identity, target);
    if (match === "several") return;
    if (over.members.has(REMOVE)) {
      this.#remove(slots, match, over, identity, target);
      return;
    }
    this.removals.delete(this.#address(identity, target));
    const position = this.#placement(slots, over, identity, target);
    const empty: MapNode = { type: "map", members: new Map(), start: over.start, end: over.end, source: target.over };
    const node = this.#mergeFields(match?.node.type === "map" ? match.node : empty, over, identity, target);
    const slot = match ?? { node, identity };
    slot.node = node;
    if (match !== undefined && position !== undefined) slots.remove(slot);
    if (match === undefined || position !== undefined) slots.add(slot, position);
  }

  /** The resource that the overlay changes; undefined if it is new. */
  #match(slots: ResourceSlots, identity: SlotIdentity, target: MergedList): ResourceSlot | undefined | "several" {
    const named = slots.of(identity);
    const pinned = named.filter((other) => other.identity?.pin === identity.pin);
    const candidates = identity.pin !== undefined && pinned.length === 1 ? pinned : named;
    if (candidates.length < 2) return candidates[0];
    const message = `${this.#address(identity, target)} is declared more than once, so the overlay is ambiguous`;
    const related = candidates.map(({ node }) => ({ message: "declared here", at: placeOf(node, target.under) }));
    const help = target.kind.identity.pin === undefined ? "Keep one of them." : `Add its ${target.kind.identity.pin}.`;
    this.#refuse("E_OVERLAY", message, identity.member.value, target, help, related);
    return "several";
  }

  #remove(
    slots: ResourceSlots,
    match: ResourceSlot | undefined,
    over: MapNode,
    identity: SlotIdentity,
    target: MergedList,
  ): void {
    const allowed = [REMOVE, identity.field, target.kind.identity.pin];
    for (const [name, member] of over.members) {
      if (name === REMOVE && !isTrue(member.value)) {
        this.#refuse(
          "E_OVERLAY",
          `"${REMOVE}" can only be true`,
          member.value,
          target,
          "To keep the resource, delete the line.",
        );
      } else if (!allowed.includes(name)) {
        const help = `Remove it, or remove "${REMOVE}".`;
        this.#refuse("E_OVERLAY", `"${name}" has no effect on a removed resource`, member, target, help);
      }
    }
    const address = this.#address(identity, target);
    if (match !== undefined) {
      this.removals.set(address, { address, at: placeOf(over, target.over) });
      slots.remove(match);
      return;
    }
    const help = this.#findings.guess(identity.key, slots.keys) ?? "Delete it from the overlay.";
    this.#refuse("E_OVERLAY", `there is no ${address} to remove`, identity.member.value, target, help);
  }

  /** Merges the fields of a resource, and the lists of nested kinds in it. */
  #mergeFields(under: MapNode, over: MapNode, identity: SlotIdentity, target: MergedList): MapNode {
    const nested = new Map(
      childrenOf(this.#kinds, target.kind).map((kind) => [kind.parent?.field ?? "", kind] as const),
    );
    return this.#mergeMaps(under, over, target, (name, member) => {
      const before = under.members.get(name);
      // The key is the same in both.
      if (name === identity.field && before !== undefined) return before;
      const kind = nested.get(name);
      if (kind === undefined || member.value.type !== "list") return undefined;
      const list = before?.value.type === "list" ? before.value : undefined;
      const items = this.#mergeList(list?.items ?? [], member.value.items, { ...target, kind, scope: identity.key });
      const { start, end } = member.value;
      return before === undefined || list === undefined
        ? { ...member, source: target.over, value: { type: "list", items, start, end, source: target.over } }
        : { ...before, value: { type: "list", items, start: list.start, end: list.end, source: list.source } };
    });
  }

  /** Merges two mappings: mappings in both are merged, other values replaced, removals applied. */
  #mergeMaps(
    under: MapNode,
    over: MapNode,
    target: MergedList,
    special?: (name: string, member: Member) => Member | undefined,
  ): MapNode {
    const members = new Map(under.members);
    for (const [name, member] of over.members) {
      if (special !== undefined && isOverlayKey(name)) continue;
      const before = members.get(name);
      const made = special?.(name, member);
      if (made !== undefined) members.set(name, made);
      else if (isRemoval(member.value)) {
        if (!members.delete(name)) {
          this.#refuse("E_OVERLAY", `there is no "${name}" to remove`, member, target, "Delete it from the overlay.");
        }
      } else if (before?.value.type === "map" && member.value.type === "map") {
        members.set(name, { ...before, value: this.#mergeMaps(before.value, member.value, target) });
      } else {
        const covers = before === undefined ? {} : { covers: memberWithSource(before, target.under) };
        members.set(name, { ...memberWithSource(member, target.over), ...covers });
      }
    }
    const { start, end, source } = under;
    return { type: "map", start, end, members, ...(source === undefined ? {} : { source }) };
  }

  /** The place that `$before` or `$after` asks for. */
  #placement(slots: ResourceSlots, over: MapNode, identity: SlotIdentity, target: MergedList): Placement | undefined {
    const marks = [BEFORE, AFTER].flatMap((mark) => {
      const member = over.members.get(mark);
      return member === undefined ? [] : [{ mark, value: member.value }];
    });
    const [stated, second] = marks;
    if (stated === undefined) return undefined;
    if (second !== undefined) {
      this.#refuse(
        "E_OVERLAY",
        `"${BEFORE}" and "${AFTER}" cannot be used together`,
        second.value,
        target,
        "Keep one of them.",
      );
    }
    const { mark, value } = stated;
    const key = this.#text(value, target.over) ?? "";
    const [slot] = slots.withKey(key).filter((other) => !isSame(other.identity, identity));
    if (slot !== undefined) return { slot, after: mark === AFTER };
    const help = this.#findings.guess(key, slots.keys) ?? `Write the ${identity.field} of a resource in this list.`;
    this.#refuse(
      "E_OVERLAY",
      `"${mark}" must be the ${identity.field} of another ${target.kind.title} in the list`,
      value,
      target,
      help,
    );
    return undefined;
  }

  #identity(node: Node, file: Source, kind: Kind): SlotIdentity | undefined {
    if (node.type !== "map") return undefined;
    for (const field of kind.identity.keys) {
      const member = node.members.get(field);
      const key = member === undefined ? undefined : this.#text(member.value, file);
      if (member === undefined || key === undefined) continue;
      const pin = kind.identity.pin === undefined ? undefined : node.members.get(kind.identity.pin);
      return { field, key, pin: pin === undefined ? undefined : this.#text(pin.value, file), member };
    }
    return undefined;
  }

  /** A text after substitution; undefined on errors, which are reported when its resource is extracted. */
  #text(node: Node, file: Source): string | undefined {
    if (node.type !== "scalar" || typeof node.value !== "string") return undefined;
    const { value, errors } = substitute(
      node.value,
      withoutEnvironment(this.#substitutions.resolverFor(node.source ?? file)),
    );
    return errors.length > 0 || value === "" ? undefined : String(value);
  }

  #address({ key }: SlotIdentity, { kind, scope }: MergedList): string {
    return addressOf(kind, scope, key);
  }

  #refuse(
    code: string,
    message: string,
    at: Span,
    target: MergedList,
    help: string,
    related: readonly { readonly message: string; readonly at: Location }[] = [],
  ): void {
    const details = related.length === 0 ? { help } : { help, related };
    this.#findings.error(code, message, placeOf(at, target.over), details);
  }
}

type Parent = NonNullable<Kind["parent"]>;

/** The items of a list in a mapping; none if it has no such list. */
function itemsIn(node: Node, field: string): readonly Node[] {
  const value = node.type === "map" ? node.members.get(field)?.value : undefined;
  return value?.type === "list" ? value.items : [];
}

function isTrue(node: Node): boolean {
  return node.type === "scalar" && node.value === true;
}

/** Whether a value is `{ $remove: true }`. */
function isRemoval(node: Node): boolean {
  const mark = node.type === "map" && node.members.size === 1 ? node.members.get(REMOVE) : undefined;
  return mark !== undefined && isTrue(mark.value);
}

function overlayKeysOf(node: Node): readonly (readonly [string, Member])[] {
  return node.type === "map" ? [...node.members].filter(([name]) => isOverlayKey(name)) : [];
}
