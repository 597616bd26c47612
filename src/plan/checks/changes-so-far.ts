/** Changes that earlier requests of a plan make to the rows that were read, so that no later precondition asks for the old values. */

import { type Kind, wireNamesOf } from "../../kinds/model/kind.ts";
import { type LiveResource, listName } from "../../kinds/model/resource.ts";
import type { ReferenceGraph } from "../../workspace/match/reference-graph.ts";
import type { Draft, Step } from "../diff/step.ts";

/** The changes of the requests before the one at hand. */
export class ChangesSoFar {
  readonly #graph: ReferenceGraph;
  /** Request target → wire fields that were written there. */
  readonly #written = new Map<string, Set<string>>();
  /** Addresses of changed resources. */
  readonly #addresses = new Set<string>();
  /** Kinds whose exclusive field another resource has taken. */
  readonly #exclusiveTaken = new Set<Kind>();
  /** List of children → their field whose values follow a changed list of their parent. */
  readonly #followingFields = new Map<string, string>();

  constructor(graph: ReferenceGraph) {
    this.#graph = graph;
  }

  /** Records the changes of a request. */
  record(step: Step, { kind, scope, declared, live }: Draft): void {
    const target = requestTarget(step);
    const written = this.#written.get(target) ?? new Set<string>();
    for (const name of Object.keys(step.body ?? {})) for (const wire of wireNamesOf(kind, name)) written.add(wire);
    this.#written.set(target, written);
    this.#addresses.add(step.address);
    if (live !== undefined) this.#addresses.add(live.address);
    if (kind.parent !== undefined) this.#addresses.add(`${kind.parent.kind}/${scope}`);
    if (step.body?.[kind.lifecycle.exclusive ?? ""] === true) this.#exclusiveTaken.add(kind);
    for (const [name, { keyedItems }] of Object.entries(kind.fields ?? {})) {
      const key = declared?.key ?? live?.key ?? "";
      if (keyedItems !== undefined && step.body?.[name] !== undefined) {
        this.#followingFields.set(listName(keyedItems.kind, key), keyedItems.values);
      }
    }
  }

  /** Whether a wire field of the row may no longer be what was read. */
  has(step: Step, { kind, scope }: LiveResource, wire: string): boolean {
    const { exclusive } = kind.lifecycle;
    const following = this.#followingFields.get(listName(kind.name, scope));
    return (
      this.#written.get(requestTarget(step))?.has(wire) === true ||
      (exclusive !== undefined && this.#exclusiveTaken.has(kind) && wireNamesOf(kind, exclusive).includes(wire)) ||
      (following !== undefined && wireNamesOf(kind, following).includes(wire))
    );
  }

  /** Whether the resource references one that was changed: the service may return the reference in other words now. */
  referencesChanged(live: LiveResource): boolean {
    return this.#graph.referencesOf(live).some(({ address }) => this.#addresses.has(address));
  }
}

/** The resource that a request reaches: its path, or its address for a form, whose fields share one path. */
function requestTarget({ kind, target, address }: Step): string {
  return kind.endpoint.keyInBody === true ? address : `${target.path} ${JSON.stringify(target.query)}`;
}
