/** Lays the lists of overlays over those of the configuration: entry by entry, each value with the file it came from. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { childrenOf, type Kind } from "../../kinds/kind.ts";
import { addressOf } from "../../kinds/resource.ts";
import type { Dropped } from "../load/configuration.ts";
import type { OwnedList } from "../load/lists.ts";
import type { Source } from "../source/source.ts";
import { type MapNode, type Member, type Node, placeOf, type Span } from "../source/tree.ts";
import { substitute } from "./substitution.ts";
import type { Resolver } from "./value.ts";

/** The lists as they are with the overlays on them. */
interface Laid {
  readonly lists: readonly OwnedList[];
  readonly dropped: readonly Dropped[];
}

/** What the laying depends on besides the lists. */
interface Laying {
  readonly kinds: readonly Kind[];
  readonly substitutions: Resolver;
  readonly findings: Findings;
}

/** Says that what it stands in goes. */
const REMOVE = "$remove";
const BEFORE = "$before";
const AFTER = "$after";
const MARKS: readonly string[] = [REMOVE, BEFORE, AFTER];

/** What an overlay says of an entry besides its fields; a file that is none has nothing to say of it. */
export function isMark(key: string): boolean {
  return MARKS.includes(key);
}

/**
 * Lays the lists of one overlay after another over those that the files own. Entries meet by their identity; their mappings
 * are merged, and every other value replaces the one it meets. A list whose entries have no identity replaces the other whole.
 */
export function layOver(base: readonly OwnedList[], overlays: readonly (readonly OwnedList[])[], laying: Laying): Laid {
  const overlay = new Overlay(laying);
  const lists = overlays.flat().reduce<readonly OwnedList[]>((under, over) => overlay.list(under, over), base);
  return { lists, dropped: [...overlay.dropped.values()] };
}

/** A list of entries that are being laid over: what it is a list of, and the files whose offsets its nodes hold. */
interface Pile {
  readonly kind: Kind;
  readonly scope: string;
  /** Of what was not laid over anything. */
  readonly under: Source;
  readonly over: Source;
}

/** What tells an entry from others. */
interface Identity {
  readonly field: string;
  readonly key: string;
  readonly pin: string | undefined;
  /** The member that holds the key. */
  readonly member: Member;
}

/** An entry in its list; what tells it from others is undefined when it says nothing that would. */
interface Slot {
  node: Node;
  readonly identity: Identity | undefined;
}

/** Where an entry of an overlay is to stand. */
interface Beside {
  readonly slot: Slot;
  readonly after: boolean;
}

/** The entries of a list, to be found by what they are called. */
class Slots {
  readonly #slots: Slot[] = [];
  readonly #called = new Map<string, Slot[]>();

  constructor(slots: Iterable<Slot>) {
    for (const slot of slots) this.add(slot);
  }

  get nodes(): readonly Node[] {
    return this.#slots.map(({ node }) => node);
  }

  get keys(): Iterable<string> {
    return this.#called.keys();
  }

  called(key: string): readonly Slot[] {
    return this.#called.get(key) ?? [];
  }

  of(identity: Identity): readonly Slot[] {
    return this.called(identity.key).filter((slot) => isSame(slot.identity, identity));
  }

  add(slot: Slot, beside?: Beside): void {
    const at = beside === undefined ? this.#slots.length : this.#slots.indexOf(beside.slot) + Number(beside.after);
    this.#slots.splice(at, 0, slot);
    if (slot.identity !== undefined) this.#called.set(slot.identity.key, [...this.called(slot.identity.key), slot]);
  }

  remove(slot: Slot): void {
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    if (slot.identity === undefined) return;
    const left = this.called(slot.identity.key).filter((other) => other !== slot);
    if (left.length > 0) this.#called.set(slot.identity.key, left);
    else this.#called.delete(slot.identity.key);
  }
}

class Overlay {
  /** By their addresses. */
  readonly dropped = new Map<string, Dropped>();
  readonly #kinds: readonly Kind[];
  readonly #substitutions: Resolver;
  readonly #findings: Findings;

  constructor({ kinds, substitutions, findings }: Laying) {
    this.#kinds = kinds;
    this.#substitutions = substitutions;
    this.#findings = findings;
  }

  /** The lists with one more on them; what was split over files is one list then, so that an entry can go anywhere. */
  list(lists: readonly OwnedList[], over: OwnedList): readonly OwnedList[] {
    const same = lists.filter(({ kind, scope }) => kind === over.kind && scope === over.scope);
    const [first = { ...over, items: [] }] = same;
    const under = same.flatMap(({ items, source }) =>
      source === first.source ? items : items.map((item) => from(item, source)),
    );
    const pile: Pile = { kind: over.of, scope: over.scope, under: first.source, over: over.source };
    const items = this.#entries(under, over.items, pile);
    const laid: OwnedList = { ...first, items };
    return same.length === 0
      ? [...lists, laid]
      : lists.flatMap((list) => (list === first ? laid : same.includes(list) ? [] : list));
  }

  #entries(under: readonly Node[], over: readonly Node[], pile: Pile): readonly Node[] {
    if (pile.kind.identity.keys.length === 0) return this.#whole(over, pile);
    const slots = new Slots(under.map((node) => ({ node, identity: this.#identity(node, pile.under, pile.kind) })));
    const seen = new Map<string, Identity>();
    for (const item of over) {
      const identity = this.#identity(item, pile.over, pile.kind);
      if (identity === undefined || item.type !== "map") {
        slots.add({ node: from(item, pile.over), identity: undefined });
        continue;
      }
      const name = JSON.stringify([identity.field, identity.key, identity.pin ?? ""]);
      const first = seen.get(name);
      if (first === undefined) {
        seen.set(name, identity);
        this.#entry(slots, item, identity, pile);
        continue;
      }
      const related = [{ message: "first here", at: placeOf(first.member.value, pile.over) }];
      const message = `${this.#address(identity, pile)} is named twice in one overlay`;
      this.#refuse("E_DUP_OBJECT", message, identity.member.value, pile, "Keep one of the two.", related);
    }
    return slots.nodes;
  }

  /** Entries that are their places: the list of the overlay is the list. */
  #whole(over: readonly Node[], pile: Pile): readonly Node[] {
    for (const item of over) {
      for (const [name, mark] of marksOf(item)) {
        const help = "Its entries are their places: write the list as it is to be, whole.";
        this.#refuse("E_OVERLAY", `"${name}" names no ${pile.kind.title}`, mark, pile, help);
      }
    }
    return over.map((item) => from(item, pile.over));
  }

  #entry(slots: Slots, over: MapNode, identity: Identity, pile: Pile): void {
    const met = this.#met(slots, identity, pile);
    if (met === "several") return;
    if (over.members.has(REMOVE)) {
      this.#remove(slots, met, over, identity, pile);
      return;
    }
    this.dropped.delete(this.#address(identity, pile));
    const beside = this.#neighbour(slots, over, identity, pile);
    const empty: MapNode = { type: "map", members: new Map(), start: over.start, end: over.end, source: pile.over };
    const node = this.#fields(met?.node.type === "map" ? met.node : empty, over, identity, pile);
    const slot = met ?? { node, identity };
    slot.node = node;
    if (met !== undefined && beside !== undefined) slots.remove(slot);
    if (met === undefined || beside !== undefined) slots.add(slot, beside);
  }

  /** The entry that is meant; undefined when it is new. */
  #met(slots: Slots, identity: Identity, pile: Pile): Slot | undefined | "several" {
    const named = slots.of(identity);
    const pinned = named.filter((other) => other.identity?.pin === identity.pin);
    const meant = identity.pin !== undefined && pinned.length === 1 ? pinned : named;
    if (meant.length < 2) return meant[0];
    const message = `${this.#address(identity, pile)} is declared several times, so an overlay cannot mean one of them`;
    const related = meant.map(({ node }) => ({ message: "declared here", at: placeOf(node, pile.under) }));
    const help =
      pile.kind.identity.pin === undefined ? "Keep one of them." : `Name its ${pile.kind.identity.pin} as well.`;
    this.#refuse("E_OVERLAY", message, identity.member.value, pile, help, related);
    return "several";
  }

  #remove(slots: Slots, met: Slot | undefined, over: MapNode, identity: Identity, pile: Pile): void {
    const allowed = [REMOVE, identity.field, pile.kind.identity.pin];
    for (const [name, member] of over.members) {
      if (name === REMOVE && !isTrue(member.value)) {
        this.#refuse(
          "E_OVERLAY",
          `"${REMOVE}" can only be true`,
          member.value,
          pile,
          "Leave it out to keep the entry.",
        );
      } else if (!allowed.includes(name)) {
        const help = `Leave it out, or leave "${REMOVE}" out.`;
        this.#refuse("E_OVERLAY", `"${name}" means nothing in an entry that is removed`, member, pile, help);
      }
    }
    const address = this.#address(identity, pile);
    if (met !== undefined) {
      this.dropped.set(address, { address, at: placeOf(over, pile.over) });
      slots.remove(met);
      return;
    }
    const help = this.#findings.guess(identity.key, slots.keys) ?? "Take this out of the overlay.";
    this.#refuse("E_OVERLAY", `there is no ${address} to remove`, identity.member.value, pile, help);
  }

  /** The entry with the fields of the overlay; the lists of nested kinds are laid over each other in the same way. */
  #fields(under: MapNode, over: MapNode, identity: Identity, pile: Pile): MapNode {
    const nested = new Map(childrenOf(this.#kinds, pile.kind).map((kind) => [kind.parent?.field ?? "", kind] as const));
    return this.#merged(under, over, pile, (name, member) => {
      const before = under.members.get(name);
      // What they meet by is the same in both.
      if (name === identity.field && before !== undefined) return before;
      const kind = nested.get(name);
      if (kind === undefined || member.value.type !== "list") return undefined;
      const list = before?.value.type === "list" ? before.value : undefined;
      const items = this.#entries(list?.items ?? [], member.value.items, { ...pile, kind, scope: identity.key });
      const { start, end } = member.value;
      return before === undefined || list === undefined
        ? { ...member, source: pile.over, value: { type: "list", items, start, end, source: pile.over } }
        : { ...before, value: { ...list, items } };
    });
  }

  /** One mapping with another on it: mappings in both are merged, other values replaced, what is marked goes. */
  #merged(
    under: MapNode,
    over: MapNode,
    pile: Pile,
    special?: (name: string, member: Member) => Member | undefined,
  ): MapNode {
    const members = new Map(under.members);
    for (const [name, member] of over.members) {
      if (special !== undefined && isMark(name)) continue;
      const before = members.get(name);
      const made = special?.(name, member);
      if (made !== undefined) members.set(name, made);
      else if (isRemoval(member.value)) {
        if (!members.delete(name)) {
          this.#refuse("E_OVERLAY", `there is no "${name}" to remove`, member, pile, "Take this out of the overlay.");
        }
      } else if (before?.value.type === "map" && member.value.type === "map") {
        members.set(name, { ...before, value: this.#merged(before.value, member.value, pile) });
      } else {
        const covers = before === undefined ? {} : { covers: memberFrom(before, pile.under) };
        members.set(name, { ...memberFrom(member, pile.over), ...covers });
      }
    }
    return { ...under, members };
  }

  /** The entry beside which one is to stand; undefined when nothing is said of it. */
  #neighbour(slots: Slots, over: MapNode, identity: Identity, pile: Pile): Beside | undefined {
    const marks = [BEFORE, AFTER].flatMap((mark) => {
      const member = over.members.get(mark);
      return member === undefined ? [] : [{ mark, value: member.value }];
    });
    const [stated, second] = marks;
    if (stated === undefined) return undefined;
    if (second !== undefined) {
      this.#refuse(
        "E_OVERLAY",
        `"${BEFORE}" and "${AFTER}" exclude each other`,
        second.value,
        pile,
        "Keep one of them.",
      );
    }
    const { mark, value } = stated;
    const key = this.#text(value, pile.over) ?? "";
    const [slot] = slots.called(key).filter((other) => !isSame(other.identity, identity));
    if (slot !== undefined) return { slot, after: mark === AFTER };
    const help = this.#findings.guess(key, slots.keys) ?? `Write the ${identity.field} of an entry of this list.`;
    this.#refuse("E_OVERLAY", `"${mark}" must name another ${pile.kind.title} that is there`, value, pile, help);
    return undefined;
  }

  #identity(node: Node, file: Source, kind: Kind): Identity | undefined {
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

  /** A text with what is put into it; what is wrong with it is said when its entry is read. */
  #text(node: Node, file: Source): string | undefined {
    if (node.type !== "scalar" || typeof node.value !== "string") return undefined;
    const { value, errors } = substitute(node.value, this.#substitutions.for(node.source ?? file));
    return errors.length > 0 || value === "" ? undefined : String(value);
  }

  #address({ key }: Identity, { kind, scope }: Pile): string {
    return addressOf(kind, scope, key);
  }

  #refuse(
    code: string,
    message: string,
    at: Span,
    pile: Pile,
    help: string,
    related: readonly { readonly message: string; readonly at: Location }[] = [],
  ): void {
    const details = related.length === 0 ? { help } : { help, related };
    this.#findings.error(code, message, placeOf(at, pile.over), details);
  }
}

function isSame(one: Identity | undefined, other: Identity): boolean {
  return one?.field === other.field && one.key === other.key;
}

function isTrue(node: Node): boolean {
  return node.type === "scalar" && node.value === true;
}

/** Whether a value says no more than that what it would replace goes. */
function isRemoval(node: Node): boolean {
  const mark = node.type === "map" && node.members.size === 1 ? node.members.get(REMOVE) : undefined;
  return mark !== undefined && isTrue(mark.value);
}

function marksOf(node: Node): readonly (readonly [string, Member])[] {
  return node.type === "map" ? [...node.members].filter(([name]) => isMark(name)) : [];
}

/** A value with all that is in it, bearing the file that its offsets are of. */
function from(node: Node, source: Source): Node {
  if (node.source !== undefined) return node;
  switch (node.type) {
    case "scalar":
      return { ...node, source };
    case "list":
      return { ...node, source, items: node.items.map((item) => from(item, source)) };
    case "map":
      return {
        ...node,
        source,
        members: new Map([...node.members].map(([name, member]) => [name, memberFrom(member, source)])),
      };
  }
}

function memberFrom(member: Member, source: Source): Member {
  return { ...member, source, value: from(member.value, source) };
}
