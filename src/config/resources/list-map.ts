/** A map by list. Two nested maps avoid a string of kind and scope for each lookup. */
export class ListMap<Item> {
  readonly #kinds = new Map<string, Map<string, Item>>();
  readonly #make: () => Item;

  constructor(make: () => Item) {
    this.#make = make;
  }

  /** Returns the item of a list. */
  get(kind: string, scope: string): Item | undefined {
    return this.#kinds.get(kind)?.get(scope);
  }

  /** The items of all lists. */
  *values(): Iterable<Item> {
    for (const scopes of this.#kinds.values()) yield* scopes.values();
  }

  /** Returns the item of a list, made if there is none. */
  of(kind: string, scope: string): Item {
    const known = this.get(kind, scope);
    if (known !== undefined) return known;
    const list = this.#make();
    const scopes = this.#kinds.get(kind) ?? new Map<string, Item>();
    this.#kinds.set(kind, scopes.set(scope, list));
    return list;
  }
}
