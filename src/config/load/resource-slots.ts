/** The resources of a list while overlays are merged into it. */

import { addTo } from "../../core/lists.ts";
import type { Member, Node } from "../source/tree.ts";

/** The identity of a resource. */
export interface SlotIdentity {
  readonly field: string;
  readonly key: string;
  readonly pin: string | undefined;
  /** The member with the key. */
  readonly member: Member;
}

/** A resource in its list. */
export interface ResourceSlot {
  node: Node;
  readonly identity: SlotIdentity | undefined;
}

/** The place of a resource of an overlay. */
export interface Placement {
  readonly slot: ResourceSlot;
  readonly after: boolean;
}

/** The resources of a list, by key. */
export class ResourceSlots {
  readonly #slots: ResourceSlot[] = [];
  readonly #slotsByKey = new Map<string, ResourceSlot[]>();

  constructor(slots: Iterable<ResourceSlot>) {
    for (const slot of slots) this.add(slot);
  }

  get nodes(): readonly Node[] {
    return this.#slots.map(({ node }) => node);
  }

  get keys(): Iterable<string> {
    return this.#slotsByKey.keys();
  }

  withKey(key: string): readonly ResourceSlot[] {
    return this.#slotsByKey.get(key) ?? [];
  }

  of(identity: SlotIdentity): readonly ResourceSlot[] {
    return this.withKey(identity.key).filter((slot) => isSame(slot.identity, identity));
  }

  add(slot: ResourceSlot, placement?: Placement): void {
    const at =
      placement === undefined ? this.#slots.length : this.#slots.indexOf(placement.slot) + Number(placement.after);
    this.#slots.splice(at, 0, slot);
    if (slot.identity !== undefined) addTo(this.#slotsByKey, slot.identity.key, slot);
  }

  remove(slot: ResourceSlot): void {
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    if (slot.identity === undefined) return;
    const left = this.withKey(slot.identity.key).filter((other) => other !== slot);
    if (left.length > 0) this.#slotsByKey.set(slot.identity.key, left);
    else this.#slotsByKey.delete(slot.identity.key);
  }
}

/** Whether two resources have the same key. */
export function isSame(one: SlotIdentity | undefined, other: SlotIdentity): boolean {
  return one?.field === other.field && one.key === other.key;
}
