/** The workspace as it will be after an apply, for analyzers: declared fields over live ones, as far as the live state was read. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { listAt } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { RoutingTest } from "../../config/resources/routing-tests.ts";
import { isKindIgnored, isLeftAlone } from "../../config/settings/exemptions.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import type { Location } from "../../core/diagnostic.ts";
import { escapedStep, type Fields, type Json, pointerIsWithin } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { type LiveResource, listName } from "../../kinds/model/resource.ts";
import type { ReferenceGraph, ResolvedReference } from "../../workspace/match/reference-graph.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";

/** A resource as it will be after an apply: a declared one over the live one that it matches, or a live one that is preserved. */
export class PlannedResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly address: string;
  /** Undefined for a resource that is only live. */
  readonly declared: DeclaredResource | undefined;
  /** Undefined for a new resource, and if the live state was not read. */
  readonly live: LiveResource | undefined;
  /** The live fields that stay. */
  readonly #preserved: Fields;
  #fields: Fields | undefined;

  constructor(
    { kind, scope, key, address }: DeclaredResource | LiveResource,
    declared: DeclaredResource | undefined,
    live: LiveResource | undefined,
    isTaken: boolean,
  ) {
    this.kind = kind;
    this.scope = scope;
    this.key = key;
    this.address = address;
    this.declared = declared;
    this.live = live;
    this.#preserved = live === undefined ? {} : preservedFields(live, isTaken);
  }

  /**
   * All fields, merged on demand. One whose value comes from the environment is unknown, so absent; parts of values do, see `isUnknown`. To
   * read one field of many resources, use `value`.
   */
  get fields(): Fields {
    this.#fields ??= this.#merged();
    return this.#fields;
  }

  #merged(): Fields {
    const { declared } = this;
    if (declared === undefined) return this.#preserved;
    const { disable } = this.kind.lifecycle;
    const enabled = disable === undefined ? {} : { [disable]: true };
    const all = { ...this.#preserved, ...enabled, ...declared.fields };
    if (declared.secrets.length === 0) return all;
    return Object.fromEntries(Object.entries(all).filter(([name]) => !this.isUnknown(`/${escapedStep(name)}`)));
  }

  /** Whether a value comes from the environment: it is not compared (config.md, third part). */
  isUnknown(pointer: string): boolean {
    return this.declared?.secrets.includes(pointer) === true;
  }

  /** Whether a part of a value comes from the environment. */
  hasUnknown(pointer: string): boolean {
    return this.declared?.secrets.some((secret) => pointerIsWithin(secret, pointer)) === true;
  }

  /** One of the fields. */
  value(name: string): Json | undefined {
    const { declared, kind } = this;
    if (declared === undefined) return this.#preserved[name];
    if (this.isUnknown(`/${escapedStep(name)}`)) return undefined;
    if (Object.hasOwn(declared.fields, name)) return declared.fields[name];
    return name === kind.lifecycle.disable ? true : this.#preserved[name];
  }
}

/** A managed list and its planned resources. */
export interface PlannedList {
  readonly kind: string;
  readonly scope: string;
  readonly resources: readonly PlannedResource[];
}

/** The planned resources of a resolved workspace, and questions about them. */
export class PlannedWorkspace {
  readonly configuration: Configuration;
  readonly now: Date;
  /** Every managed list. */
  readonly lists: readonly PlannedList[];
  readonly #state: ResolvedState;
  readonly #graph: ReferenceGraph;
  /** Managed lists by name: their resources by key, of several with one key the first. */
  readonly #byKey: ReadonlyMap<string, ReadonlyMap<string, PlannedResource>>;

  /** Field of the alerts in the routing tests → the first place. They are read on request, since few findings depend on them. */
  readonly testedFields: () => ReadonlyMap<string, Location>;

  constructor({ state, matching, graph }: ResolvedWorkspace, now: Date, tests: () => readonly RoutingTest[]) {
    this.configuration = state.configuration;
    this.now = now;
    let fields: ReadonlyMap<string, Location> | undefined;
    this.testedFields = () => (fields ??= fieldsOf(tests()));
    this.#state = state;
    this.#graph = graph;
    const matches = matching.liveByDeclared();
    this.lists = state.configuration.managed.map(({ kind, scope }) => {
      return { kind, scope, resources: this.#planned(kind, scope, matches) };
    });
    this.#byKey = new Map(this.lists.map(({ kind, scope, resources }) => [listName(kind, scope), byKey(resources)]));
  }

  get kinds(): readonly Kind[] {
    return [...this.#state.kinds.values()];
  }

  /** Whether the live resources of a list are known. */
  isRead(kind: string, scope = ""): boolean {
    return this.#state.live(kind, scope) !== undefined;
  }

  /** The live resources of a list; undefined if it was not read. */
  live(kind: string, scope = ""): readonly LiveResource[] | undefined {
    return this.#state.live(kind, scope);
  }

  /** Whether every workspace has the resource. */
  isBuiltin(kind: string, key: string): boolean {
    return this.#state.kinds.get(kind)?.lifecycle.builtins?.keys?.includes(key) === true;
  }

  /** Whether the configuration manages the list. */
  isManaged(kind: string, scope = ""): boolean {
    return this.#state.isManaged(kind, scope);
  }

  /** The managed scopes of a kind, in file order. */
  managedScopes(kind: string): readonly string[] {
    return this.configuration.managed.filter((list) => list.kind === kind).map(({ scope }) => scope);
  }

  /** Place of the key that names a list in the configuration. */
  listAt(kind: string, scope = ""): Location | undefined {
    return listAt(this.configuration, kind, scope);
  }

  /** The resources of a list: declared ones in their order, then live ones that are preserved. */
  resources(kind: string, scope = ""): readonly PlannedResource[] {
    const known = this.#byKey.get(listName(kind, scope));
    return known === undefined ? this.#planned(kind, scope, new Map()) : [...known.values()];
  }

  /** The resource of a key; of several the first. */
  resource(kind: string, key: string, scope = ""): PlannedResource | undefined {
    const known = this.#byKey.get(listName(kind, scope));
    if (known !== undefined) return known.get(key);
    const list = this.#state.list(kind, scope);
    const [declared, live] = [list?.declaredBy(key), list?.liveBy(key)];
    if (declared !== undefined) return new PlannedResource(declared, declared, live, false);
    return live === undefined ? undefined : new PlannedResource(live, undefined, live, false);
  }

  /** The references in the fields of a declared resource. */
  referencesOf(declared: DeclaredResource): readonly ResolvedReference[] {
    return this.#graph.referencesOf(declared);
  }

  /** Whether live resources of a list that are not declared are preserved. */
  #preservesUndeclared(kind: string, scope = ""): boolean {
    const row = this.#state.kinds.get(kind);
    if (row === undefined || row.lifecycle.permanent === true || !this.isManaged(kind, scope)) return true;
    return removalPolicyOf(this.configuration.settings, row) === "keep";
  }

  /** Whether some live resources of a list that are not declared may be preserved: all, or those that the settings ignore. */
  mayPreserveUndeclared(kind: string, scope = ""): boolean {
    return this.#preservesUndeclared(kind, scope) || isKindIgnored(this.configuration.exemptions, kind);
  }

  #planned(
    name: string,
    scope: string,
    matches: ReadonlyMap<DeclaredResource, LiveResource>,
  ): readonly PlannedResource[] {
    const kind = this.#state.kinds.get(name);
    const declared = this.#state.declaredIn(name, scope);
    const { exclusive, order } = kind?.lifecycle ?? {};
    const isTaken = exclusive !== undefined && declared.some(({ fields }) => fields[exclusive] === true);
    const planned = declared.map((resource) => new PlannedResource(resource, resource, matches.get(resource), isTaken));
    // A ranked list is replaced as a whole, whatever the policy.
    const isReplaced = order === "rank" && this.isManaged(name, scope);
    const { exemptions } = this.configuration;
    if (isReplaced || (exemptions === undefined && !this.#preservesUndeclared(name, scope))) return planned;
    const matched = new Set(planned.flatMap(({ live }) => live ?? []));
    const isPreserved = (live: LiveResource): boolean =>
      this.#preservesUndeclared(name, scope) || isLeftAlone(exemptions, live.address);
    const others = (this.#state.live(name, scope) ?? []).filter((live) => !matched.has(live) && isPreserved(live));
    return [...planned, ...others.map((live) => new PlannedResource(live, undefined, live, isTaken))];
  }
}

function fieldsOf(tests: readonly RoutingTest[]): ReadonlyMap<string, Location> {
  const all = tests.flatMap(({ fields, place }) =>
    Object.keys(fields).map((name): readonly [string, Location] => [name, place(`/fields/${escapedStep(name)}`)]),
  );
  return new Map(all.toReversed());
}

/** By key; further resources of a key, such as pinned ones, come under keys that no resource has. */
function byKey(resources: readonly PlannedResource[]): ReadonlyMap<string, PlannedResource> {
  const map = new Map<string, PlannedResource>();
  for (const resource of resources) {
    map.set(map.has(resource.key) ? `${resource.key}\n${map.size}` : resource.key, resource);
  }
  return map;
}

/** Whether a resource can be selected. A declared one is enabled by default. */
export function isEnabled(resource: PlannedResource): boolean {
  const { disable } = resource.kind.lifecycle;
  return disable === undefined || resource.value(disable) !== false;
}

/** The live fields after the apply. The exclusive field becomes false if a declared resource takes it. */
function preservedFields({ kind, fields }: LiveResource, isTaken: boolean): Fields {
  const { exclusive = "" } = kind.lifecycle;
  return isTaken && fields[exclusive] === true ? { ...fields, [exclusive]: false } : fields;
}
