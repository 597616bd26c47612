/** The declared resources by kind, scope and key. */

import type { Location } from "../../core/diagnostic.ts";
import type { ResourceLookup } from "../../kinds/model/lookup.ts";
import { listName } from "../../kinds/model/resource.ts";
import type { ManagedList } from "./configuration.ts";
import type { DeclaredResource } from "./declared-resource.ts";
import { ListMap } from "./list-map.ts";
import type { ListHeading } from "./lists.ts";

/** The declared resources by kind, scope and key. */
export class ResourceIndex implements ResourceLookup {
  readonly #resources = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  readonly #managed = new Map<string, ListHeading>();
  readonly #withInvalidKeys = new Set<string>();

  constructor(resources: Iterable<DeclaredResource>, lists: readonly ListHeading[]) {
    for (const list of lists) {
      const name = listName(list.kind, list.scope);
      if (!this.#managed.has(name)) this.#managed.set(name, list);
      if (list.hasInvalidKeys === true) this.#withInvalidKeys.add(name);
    }
    for (const resource of resources) {
      const list = this.#resources.of(resource.kind.name, resource.scope);
      if (!list.has(resource.key)) list.set(resource.key, resource);
    }
  }

  fields(kind: string, key: string, scope = ""): DeclaredResource["fields"] | undefined {
    return this.resource(kind, key, scope)?.fields;
  }

  /** The same as {@link fields}: the files are all that is known here. */
  declaredFields(kind: string, key: string, scope = ""): DeclaredResource["fields"] | undefined {
    return this.fields(kind, key, scope);
  }

  /** Nothing is read here. */
  live(): undefined {}

  resource(kind: string, key: string, scope = ""): DeclaredResource | undefined {
    return this.#resources.get(kind, scope)?.get(key);
  }

  keys(kind: string, scope = ""): Iterable<string> {
    return this.#resources.get(kind, scope)?.keys() ?? [];
  }

  /** The managed list of a kind and scope. */
  list(kind: string, scope = ""): ListHeading | undefined {
    return this.#managed.get(listName(kind, scope));
  }

  /** Name of each managed list → the place of its key. */
  locations(): ReadonlyMap<string, Location> {
    return new Map([...this.#managed].map(([name, { at }]) => [name, at]));
  }

  /** Whether a resource of the list has no valid key: it may be the one that a reference means. */
  hasInvalidKeys(kind: string, scope = ""): boolean {
    return this.#withInvalidKeys.has(listName(kind, scope));
  }

  /** The managed lists, in file order. */
  get managed(): readonly ManagedList[] {
    return [...this.#managed.values()].map(({ kind, scope }) => ({ kind, scope }));
  }
}
