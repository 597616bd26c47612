/**
 * References by other names: an alias, the name or the id in the system that an entry comes from, or an entity reference of Backstage
 * such as `group:default/payments`.
 */

import type { Findings } from "../../../core/findings.ts";
import { addTo } from "../../../core/lists.ts";
import type { Reference } from "../../../kinds/model/lookup.ts";
import { optionSlug } from "../../../kinds/values/slug.ts";
import type { DeclaredResource } from "../../resources/declared-resource.ts";
import { ListMap } from "../../resources/list-map.ts";
import { expressionOf, locationOf, startOf, templateAt } from "../../resources/origins.ts";
import type { ResourceIndex } from "../../resources/resource-index.ts";
import { MadeEntry } from "./made-nodes.ts";

/** The names of all resources that have other names than their keys. Aliases that are not unique are recorded. */
export class OtherNames {
  readonly #index: ResourceIndex;
  readonly #findings: Findings;
  readonly #resources: readonly DeclaredResource[];
  #names: ListMap<Map<string, DeclaredResource[]>> | undefined;

  constructor(resources: readonly DeclaredResource[], index: ResourceIndex, findings: Findings) {
    this.#resources = resources;
    this.#index = index;
    this.#findings = findings;
    this.#refuseTakenAliases();
  }

  /**
   * The key that a reference by another name should have; undefined if it has a key, or is not known. A reference of a foreign file that
   * is not known gets a slug all the same. A name of several resources is recorded.
   */
  keyMeant(reference: Reference, resource: DeclaredResource): string | undefined {
    const { kind, scope, key, at } = reference;
    if (at === "" || this.#index.resource(kind, key, scope) !== undefined) return undefined;
    const meant = this.#meant(reference);
    if (meant.length > 1) {
      const message = `"${key}" may be ${meant.map(({ address }) => address).join(" or ")}`;
      this.#findings.about(resource.address).error("E_AMBIGUOUS", message, locationOf(resource.origins, at), {
        madeAt: templateAt(resource.origins, at),
        related: meant.map((one) => ({ message: "one of them", at: startOf(one) })),
        help: "Write the slug of the one that is meant, or give it an alias.",
      });
    }
    const [first] = meant;
    if (first !== undefined) return first.key;
    // It may be in the workspace, or is missing: then a message with its slug can name a similar one.
    if (expressionOf(resource.origins, at) === undefined) return undefined;
    const slug = optionSlug(entityName(key));
    // One of another kind is another entity.
    return this.#index.resource(kind, slug, scope) === undefined ? slug : optionSlug(key);
  }

  /** Other names of the resources of a list, without the case of their letters. */
  of(kind: string, scope: string): Iterable<string> {
    this.#names ??= namesOf(this.#resources);
    return this.#names.get(kind, scope)?.keys() ?? [];
  }

  /** The resources that a text may mean: by the whole of it, or by the name in an entity reference. */
  #meant({ kind, scope, key }: Reference): readonly DeclaredResource[] {
    for (const name of new Set([key, entityName(key)])) {
      const isOfKind = (one: DeclaredResource) => name === key || isOfEntityKind(one, key);
      const named = this.#named(kind, scope, name).filter(isOfKind);
      if (named.length > 0) return named;
      const bySlug = this.#index.resource(kind, optionSlug(name), scope);
      if (bySlug?.kind.identity.otherNames !== undefined && isOfKind(bySlug)) return [bySlug];
    }
    return [];
  }

  /** The resources of a list that have a name. Aliases come before names and ids. */
  #named(kind: string, scope: string, name: string): readonly DeclaredResource[] {
    this.#names ??= namesOf(this.#resources);
    const named = this.#names.get(kind, scope)?.get(folded(name)) ?? [];
    const byAlias = named.filter((one) => hasAlias(one, name));
    // A resource that is declared twice is reported elsewhere.
    return [...new Map((byAlias.length > 0 ? byAlias : named).map((one) => [one.key, one])).values()];
  }

  /** Records aliases that an earlier resource has too, or that are the key of another. */
  #refuseTakenAliases(): void {
    const owners = new ListMap<Map<string, DeclaredResource>>(() => new Map());
    for (const resource of this.#resources) {
      const { kind, scope, key, aliases = [], address, origins } = resource;
      for (const alias of aliases) {
        const known = owners.of(kind.name, scope);
        const byKey = this.#index.resource(kind.name, alias, scope);
        const other = byKey ?? known.get(folded(alias));
        known.set(folded(alias), other ?? resource);
        if (other === undefined || other.key === key) continue;
        const message = `the alias "${alias}" is ${other === byKey ? "the slug" : "an alias"} of ${other.address} too`;
        const pointer = `/${kind.identity.otherNames?.aliases ?? ""}`;
        this.#findings.about(address).error("E_ALIAS", message, locationOf(origins, pointer), {
          madeAt: templateAt(resource.origins, pointer),
          related: [
            { message: "the other one", at: other === byKey ? startOf(other) : locationOf(other.origins, pointer) },
          ],
          help: "Keep it at one of the two.",
        });
      }
    }
  }
}

/** Whether the document that makes a resource is of the kind that an entity reference names, or one of the two names none. */
function isOfEntityKind({ origins }: DeclaredResource, reference: string): boolean {
  const kind = /^\s*([a-z]+):/i.exec(reference)?.[1];
  const made = "source" in origins && origins.tree instanceof MadeEntry ? origins.tree.documentKind : undefined;
  return kind === undefined || made === undefined || folded(kind) === folded(made);
}

function namesOf(resources: readonly DeclaredResource[]): ListMap<Map<string, DeclaredResource[]>> {
  const lists = new ListMap<Map<string, DeclaredResource[]>>(() => new Map());
  for (const resource of resources) {
    const { kind, scope, fields, aliases = [] } = resource;
    const { otherNames } = kind.identity;
    if (otherNames === undefined) continue;
    const names = lists.of(kind.name, scope);
    const texts = otherNames.fields.map((field) => fields[field]).filter((text) => typeof text === "string");
    for (const name of new Set([...aliases, ...texts].map(folded))) addTo(names, name, resource);
  }
  return lists;
}

function hasAlias({ aliases = [] }: DeclaredResource, name: string): boolean {
  return aliases.some((alias) => folded(alias) === folded(name));
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * The name in an entity reference of the default namespace, `kind:name` or `kind:default/name`. Other texts stay: users are no entries,
 * and the same name in another namespace is another entity.
 */
function entityName(text: string): string {
  if (/^user:/i.test(text.trim())) return text;
  return /^(?:[a-z]+:)?(?:default\/)?([^:/]+)$/i.exec(text.trim())?.[1] ?? text;
}
