/**
 * The graph of references: who refers to whom, in the files and in the workspace. Every stage that asks what a resource refers to, or
 * what refers to it, asks here.
 */

import { locationOf, startOf } from "../../config/resources/origins.ts";
import { type SourcePlace, sourcePlace } from "../../core/diagnostic.ts";
import type { Fields } from "../../core/json.ts";
import { type Kind, mayReference } from "../../kinds/model/kind.ts";
import type { Reference } from "../../kinds/model/lookup.ts";
import { addressOf, type ListName, type LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "./resolved-state.ts";

/** The properties of a resource that determine its references. */
export interface ReferringResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly address: string;
  readonly fields: Fields;
}

/** The properties of a resource that determine which of its references are unknown. */
export interface HidingResource {
  readonly kind: Kind;
  /** A field that holds references cannot be read, and no apply has sent it. */
  readonly hidesReferences: boolean;
  /** Lists that could not be read and that some of its references lead to. */
  readonly unresolved: readonly ListName[];
}

/** The fields of a live resource that hold references and that the service does not return. */
export function hiddenFields({ kind, fields }: LiveResource): readonly string[] {
  return Object.entries(kind.fields ?? {}).flatMap(([name, { holdsReferences }]) =>
    holdsReferences === true && fields[name] === undefined ? [name] : [],
  );
}

/** A reference and the address that it leads to. */
export interface ResolvedReference {
  readonly reference: Reference;
  readonly address: string;
}

/** A reference from one resource to another, by their addresses. */
export interface ReferenceEdge {
  readonly from: string;
  readonly to: string;
}

/** A resource that refers to another one. */
export interface Referrer {
  readonly address: string;
  /** JSON Pointer to the reference; empty if the target is the parent or scope of the referring resource. */
  readonly path: string;
  /** The option of the other resource that is meant. */
  readonly option: string | undefined;
  /** It may refer to another resource: the service does not return all of the reference. */
  readonly possible?: true;
  readonly in: "files" | "workspace";
  /** Place of the reference in the files. */
  readonly source?: SourcePlace;
}

/** The references of a resolved state. */
export class ReferenceGraph {
  readonly #state: ResolvedState;

  constructor(state: ResolvedState) {
    this.#state = state;
  }

  /** The references that a resource holds, or would hold with these fields; those to unknown kinds are omitted. */
  referencesOf({ kind, scope, fields }: Omit<ReferringResource, "address">): readonly ResolvedReference[] {
    const references = this.#state.listOf({ kind, scope }).referencesOf(fields);
    return references.flatMap((reference) => {
      const target = this.#state.kinds.get(reference.kind);
      return target === undefined ? [] : [{ reference, address: addressOf(target, reference.scope, reference.key) }];
    });
  }

  /** Address → the addresses of resources that refer to it, among these. */
  referrers(resources: Iterable<ReferringResource>): Map<string, Set<string>> {
    const referrers = new Map<string, Set<string>>();
    for (const resource of resources) {
      for (const { address } of this.referencesOf(resource)) {
        const known = referrers.get(address) ?? new Set<string>();
        referrers.set(address, known.add(resource.address));
      }
    }
    return referrers;
  }

  /** Everything that refers to an address, the files' references first. */
  referrersOf(address: string): readonly Referrer[] {
    const declared = this.#state.configuration.declared.flatMap((resource) =>
      this.#referencesTo(address, resource).map(({ at: path, option }): Referrer => {
        const at = path === "" ? startOf(resource) : locationOf(resource.origins, path);
        return { address: resource.address, path, option, in: "files", source: sourcePlace(at) };
      }),
    );
    const live = this.#live().flatMap((resource) =>
      this.#referencesTo(address, resource).map(
        ({ at: path, option, isPossible }): Referrer => ({
          address: resource.address,
          path,
          option,
          ...(isPossible === true ? { possible: true } : {}),
          in: "workspace",
        }),
      ),
    );
    return [...declared, ...live].filter((referrer) => referrer.address !== address);
  }

  /** Whether an unknown reference of a resource may be one to a resource of a list. */
  mayHide({ kind, hidesReferences, unresolved }: HidingResource, target: Kind, scope: string): boolean {
    if (!mayReference(kind, target, scope)) return false;
    return hidesReferences || unresolved.some((list) => this.#state.mayLeadTo(list, target));
  }

  /** The edges that begin or end at these addresses: those of the files and, for what is not declared, of the workspace. */
  edgesAt(addresses: ReadonlySet<string>): readonly ReferenceEdge[] {
    const { declared } = this.#state.configuration;
    const isDeclared = new Set(declared.map(({ address }) => address));
    const resources = [...declared, ...this.#live().filter(({ address }) => !isDeclared.has(address))];
    return resources.flatMap((resource) => {
      const from = resource.address;
      return this.referencesOf(resource).flatMap(({ address: to }) =>
        to !== from && (addresses.has(from) || addresses.has(to)) ? [{ from, to }] : [],
      );
    });
  }

  #referencesTo(address: string, resource: ReferringResource): readonly Reference[] {
    return this.referencesOf(resource).flatMap(({ reference, address: target }) =>
      target === address ? [reference] : [],
    );
  }

  #live(): readonly ReferringResource[] {
    return [...this.#state.kinds.keys()].flatMap((kind) => this.#state.all(kind));
  }
}
