/** The routing rules and the catalog that decide about alerts: live, and as they will be after an apply. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { type Fields, fieldsIn, isFields, objectsIn, textIn } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import {
  BUILT_IN_REFERENCES,
  type CatalogEntry,
  type CatalogIndex,
  ENRICHING_TYPES,
  indexCatalog,
} from "../../kinds/routing/context.ts";
import { type RoutingRule, type RoutingRuleSets, toRoutingRule } from "../../kinds/routing/rules.ts";
import { wordSlug } from "../../kinds/values/slug.ts";
import { pairRules, toRankedRule } from "../../plan/ranked/rule.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { observe } from "../../workspace/read/observe.ts";
import { type SecretParts, secretParts } from "./secret-parts.ts";

/** The routing rules and the catalog. */
export interface Routing {
  readonly sets: RoutingRuleSets;
  readonly catalog: CatalogIndex;
  readonly secrets: SecretParts;
}

export interface LiveRouting extends Routing {
  readonly state: ResolvedState;
  /** The outcome in a response, as a configuration declares it. */
  outcome(outcome: Fields): Fields;
}

const RULES = kindNamed("routing_rules");

/** Reads the routing for alerts of these sources. Sends only GET requests; throws the errors of `observe`. */
export async function readRouting(
  reader: Reader,
  configuration: Configuration,
  sources: readonly string[],
  parallelism: number,
): Promise<LiveRouting> {
  const lists = ["alert_sources", "severities", "catalog_types"].map((kind) => ({ kind, scope: "" }));
  const rules = ["", ...sources].map((scope) => ({ kind: RULES.name, scope }));
  const entries = ENRICHING_TYPES.map((scope) => ({ kind: "catalog_entries", scope }));
  const state = new ResolvedState(
    kinds,
    configuration,
    await observe(reader, kinds, [...lists, ...rules, ...entries], { parallelism }),
  );
  const set = (scope: string) => liveRules(state.live(RULES.name, scope) ?? [], configuration, scope);
  return {
    state,
    sets: { workspace: set(""), sources: new Map(sources.map((source) => [source, set(source)])) },
    catalog: indexCatalog(ENRICHING_TYPES.flatMap((type) => liveEntries(state, type))),
    secrets: secretParts(configuration),
    outcome: (outcome) => {
      const decoded = RULES.codec?.decode?.(state, "")({ outcome }).outcome;
      return isFields(decoded) ? decoded : outcome;
    },
  };
}

/** The routing after an apply: managed lists as declared, others as they are live. */
export function plannedRouting(configuration: Configuration, live: LiveRouting | undefined): Routing {
  const isManaged = (kind: string, scope: string) =>
    configuration.managed.some((list) => list.kind === kind && list.scope === scope);
  const set = (scope: string) => declaredRules(configuration, scope);
  const scopes = configuration.managed.flatMap(({ kind, scope }) =>
    kind === RULES.name && scope !== "" ? [scope] : [],
  );
  return {
    sets: {
      workspace: isManaged(RULES.name, "") ? set("") : live?.sets.workspace,
      sources: new Map([...(live?.sets.sources ?? []), ...scopes.map((scope) => [scope, set(scope)] as const)]),
    },
    catalog: indexCatalog(
      ENRICHING_TYPES.flatMap((type) => {
        if (isManaged("catalog_entries", type)) return plannedEntries(configuration, type, live?.state);
        return live === undefined ? [] : liveEntries(live.state, type);
      }),
    ),
    secrets: secretParts(configuration),
  };
}

function declaredIn({ declared }: Configuration, scope: string): readonly DeclaredResource[] {
  return declared.filter((resource) => resource.kind === RULES && resource.scope === scope);
}

export function declaredRules(configuration: Configuration, scope: string): readonly RoutingRule[] {
  return declaredIn(configuration, scope).map(({ fields, secrets }) =>
    toRoutingRule(fields, labelled(fields, secrets), secrets),
  );
}

/** Live rules with the names that the configuration gives to the same rules. */
export function liveRules(
  live: readonly LiveResource[],
  configuration: Configuration,
  scope: string,
): readonly RoutingRule[] {
  const declared = declaredIn(configuration, scope);
  const rankedRule = (fields: Fields) =>
    toRankedRule(RULES, { ...fields, conditions: fields.conditions ?? [], enabled: fields.enabled !== false });
  const partners = pairRules(
    live.map(({ fields }) => rankedRule(fields)),
    declared.map(({ fields }) => rankedRule(fields)),
  );
  const names = new Map(
    [...partners].map(([index, partner]) => [
      partner,
      labelled(declared[index]?.fields ?? {}, declared[index]?.secrets ?? []),
    ]),
  );
  return live.map(({ fields, id }, index) => toRoutingRule(fields, { priority: Number(id), ...names.get(index) }));
}

function labelled({ name }: Fields, secrets: readonly string[]): Pick<RoutingRule, "label"> {
  return typeof name === "string" && !secrets.includes("/name") ? { label: name } : {};
}

export function liveEntries(state: ResolvedState, type: string): readonly CatalogEntry[] {
  const references = referencesOf(undefined, type, state);
  return (state.live("catalog_entries", type) ?? []).map(({ key, fields }) => entryOf(type, key, fields, references));
}

/** The declared catalog entries of a type, with the live values that the files omit. */
export function plannedEntries(
  configuration: Configuration,
  type: string,
  state: ResolvedState | undefined,
): readonly CatalogEntry[] {
  const references = referencesOf(configuration, type, state);
  const live = state?.live("catalog_entries", type) ?? [];
  const liveByKey = new Map(live.map((entry) => [entry.key, entry] as const).reverse());
  return configuration.declared
    .filter(({ kind, scope }) => kind.name === "catalog_entries" && scope === type)
    .map(({ key, fields, secrets }) => {
      const before = liveByKey.get(key)?.fields ?? {};
      const attributes = { ...fieldsIn(before.attributes), ...fieldsIn(fields.attributes) };
      const hidden = secrets.flatMap((pointer) => /^\/attributes\/([^/]+)/.exec(pointer)?.[1] ?? []);
      const entry = entryOf(type, key, { ...before, ...fields, attributes }, references);
      return { ...entry, secrets: hidden, isNameSecret: secrets.includes("/name") };
    });
}

/** Reference attribute → referenced type, in the order of the attributes of a type. */
function referencesOf(
  configuration: Configuration | undefined,
  type: string,
  state: ResolvedState | undefined,
): ReadonlyMap<string, string> {
  const declared = configuration?.declared.find(({ kind, key }) => kind.name === "catalog_types" && key === type);
  const live = state?.live("catalog_types")?.find(({ key }) => key === type);
  const definitions = [live?.fields.attributes, declared?.fields.attributes].flatMap(objectsIn);
  const references = definitions.flatMap(({ name, reference_type }): readonly (readonly [string, string])[] =>
    typeof reference_type === "string" ? [[wordSlug(String(name)), reference_type]] : [],
  );
  return new Map([...(live === undefined ? Object.entries(BUILT_IN_REFERENCES[type] ?? {}) : []), ...references]);
}

function entryOf(type: string, slug: string, fields: Fields, targets: ReadonlyMap<string, string>): CatalogEntry {
  const attributes = fieldsIn(fields.attributes);
  const plain = Object.entries(attributes).flatMap(([name, value]) =>
    targets.has(name) || value === null || typeof value === "object" ? [] : [[name, String(value)] as const],
  );
  const references = [...targets].flatMap(([name, target]) => {
    const [first] = [attributes[name] ?? []].flat();
    return typeof first === "string" ? [{ type: target, slug: first }] : [];
  });
  return {
    type,
    slug,
    name: textIn(fields.name) ?? slug,
    ...(typeof fields.external_id === "string" ? { externalId: fields.external_id } : {}),
    attributes: Object.fromEntries(plain),
    references,
  };
}

function kindNamed(name: string): (typeof kinds)[number] {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}
