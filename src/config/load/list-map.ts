/** Something for each list of a configuration, found without making a name of its kind and its scope. */
export class ListMap<Item> {
  readonly #kinds = new Map<string, Map<string, Item>>();
  readonly #make: () => Item;

  constructor(make: () => Item) {
    this.#make = make;
  }

  /** What there is for a list, if anything. */
  get(kind: string, scope: string): Item | undefined {
    return this.#kinds.get(kind)?.get(scope);
  }

  /** What there is for a list, or is made now. */
  of(kind: string, scope: string): Item {
    const known = this.get(kind, scope);
    if (known !== undefined) return known;
    const made = this.#make();
    const scopes = this.#kinds.get(kind) ?? new Map<string, Item>();
    this.#kinds.set(kind, scopes.set(scope, made));
    return made;
  }
}
