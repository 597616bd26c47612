/** The alert sources, the rules and the catalog before and after a plan, or before and after a change of the files. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { fieldsIn, isFields, isList, type Json } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import { addressOf, type LiveResource } from "../../kinds/model/resource.ts";
import { type CatalogEntry, type CatalogIndex, ENRICHING_TYPES, indexCatalog } from "../../kinds/routing/context.ts";
import type { RoutingRule, RoutingRuleSets } from "../../kinds/routing/rules.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { Observation } from "../../workspace/match/observation.ts";
import { type ResolvedWorkspace, resolve } from "../../workspace/match/resolve.ts";
import type { ReadTarget } from "../../workspace/read/observe.ts";
import { readMore } from "../../workspace/read/refresh.ts";
import { declaredRules, liveEntries, liveRules, plannedEntries } from "../routing-tests/rule-lists.ts";
import { type SecretOutcomes, secretParts } from "../routing-tests/secret-parts.ts";

const SOURCES = "alert_sources";
const RULES = "routing_rules";
const ENTRIES = "catalog_entries";
const TYPES = "catalog_types";

/** The sources, rules and catalog at one time. */
export interface RoutingSide {
  /** Whether each alert source is enabled, by name; undefined if the sources are not known. */
  readonly sources: ReadonlyMap<string, boolean> | undefined;
  readonly sets: RoutingRuleSets;
  /** Sources of which it is not known which rules apply, and why. */
  readonly doubts: ReadonlyMap<string, string>;
  readonly catalog: CatalogIndex;
  /** Catalog types of which the entries are not known. */
  readonly unknownTypes: ReadonlySet<string>;
  readonly secrets: SecretOutcomes;
}

/** Both sides. */
export interface RoutingSides {
  /** Undefined if there is nothing to compare with. */
  readonly before: RoutingSide | undefined;
  readonly after: RoutingSide;
  /** The new name of each source that gets one. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Of each list that a plan changes, by the source's name after it: the position of each rule after it, by the position before. */
  readonly positions?: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** No service was read: sources of which no file has rules are taken to have none. */
  readonly isFromFiles: boolean;
}

const FALLBACK =
  "the source loses its own rules, and services differ on whether those of the workspace apply to it then";

/** The sides of a change of the files, without a service. What the files do not manage stays as the base has it. */
export function sidesOfFiles(files: Configuration, base: Configuration | undefined): RoutingSides {
  const before = base === undefined ? undefined : sideOfFiles(base, undefined, undefined);
  const declared = files.declared.filter(({ kind }) => kind.name === SOURCES);
  const renamed = new Map(
    declared.flatMap(({ key, renamedFrom }) =>
      renamedFrom !== undefined && before?.sources?.has(renamedFrom) === true && !before.sources.has(key)
        ? [[renamedFrom, key] as const]
        : [],
    ),
  );
  return { before, after: sideOfFiles(files, before, base, renamed), renamed, isFromFiles: true };
}

function sideOfFiles(
  configuration: Configuration,
  beneath: RoutingSide | undefined,
  base: Configuration | undefined,
  renamed: ReadonlyMap<string, string> = new Map(),
): RoutingSide {
  const { managed, declared, settings } = configuration;
  const manages = (kind: string, scope: string) => managed.some((list) => list.kind === kind && list.scope === scope);
  const own = new Map(
    declared
      .filter(({ kind }) => kind.name === SOURCES)
      .map(({ key, fields }) => [key, fields.enabled !== false] as const),
  );
  const kind = kinds.find(({ name }) => name === SOURCES);
  const isKept = kind !== undefined && removalPolicyOf(settings, kind) === "keep";
  const kept = [...(beneath?.sources ?? [])].filter(([name]) => isKept && !own.has(name) && !renamed.has(name));
  const scopes = managed.flatMap((list) => (list.kind === RULES && list.scope !== "" ? [list.scope] : []));
  const inherited = [...(beneath?.sets.sources ?? [])].map(
    ([name, rules]) => [renamed.get(name) ?? name, rules] as const,
  );
  const lost = scopes.filter((scope) => {
    const [before = []] = inherited.flatMap(([name, rules]) => (name === scope ? [rules] : []));
    return before.length > 0 && declaredRules(configuration, scope).length === 0;
  });
  const unknownTypes = ENRICHING_TYPES.filter(
    (type) => !manages(ENTRIES, type) && (beneath === undefined || beneath.unknownTypes.has(type)),
  );
  return {
    sources: manages(SOURCES, "") ? new Map([...kept, ...own]) : beneath?.sources,
    sets: {
      workspace: manages(RULES, "") ? declaredRules(configuration, "") : beneath?.sets.workspace,
      sources: new Map([...inherited, ...scopes.map((scope) => [scope, declaredRules(configuration, scope)] as const)]),
    },
    doubts: new Map(lost.map((scope) => [scope, FALLBACK])),
    catalog: indexCatalog(
      ENRICHING_TYPES.flatMap((type) => {
        const source = manages(ENTRIES, type) ? configuration : base;
        return source === undefined ? [] : plannedEntries(source, type, undefined);
      }),
    ),
    unknownTypes: new Set(unknownTypes),
    secrets: { outcome: new Set([...secretParts(configuration).outcome, ...(beneath?.secrets.outcome ?? [])]) },
  };
}

/** A plan, and what it was made from. */
export interface PlannedRouting extends ResolvedWorkspace {
  readonly plan: Plan;
  readonly observation: Observation;
  /** Hashes of the last apply, which say what came from the environment. */
  readonly hashes: LastAppliedHashes;
}

/** The sides of a plan. Reads the sources, the rules of each and the catalog, as far as the plan has not read them and the token may. */
export async function sidesOfPlan(made: PlannedRouting, reader: Reader, parallelism: number): Promise<RoutingSides> {
  const targets: readonly ReadTarget[] = [
    { kind: SOURCES, scope: "" },
    { kind: RULES, every: true },
    { kind: "severities", scope: "" },
    { kind: TYPES, scope: "" },
    ...ENRICHING_TYPES.map((scope) => ({ kind: ENTRIES, scope })),
  ];
  const observation = await readMore(reader, kinds, targets, made.observation, parallelism);
  const { configuration } = made.state;
  const now = { ...made, ...resolve(configuration, kinds, observation), observation };
  const live = now.state.live(SOURCES);
  const declaredByLive = now.matching.declaredByLive();
  const names = new Map(
    (live ?? []).map((source) => [source.key, declaredByLive.get(source)?.key ?? source.key] as const),
  );
  const changed = new Set(now.plan.changes.map(({ address }) => address));
  const renamed = new Map(
    (live ?? []).flatMap((source) => {
      const declared = declaredByLive.get(source);
      const isRenamed = declared !== undefined && declared.key !== source.key && changed.has(declared.address);
      return isRenamed ? [[source.key, declared.key] as const] : [];
    }),
  );
  const before = sideBefore(now, names);
  const positions = positionsIn(now.plan);
  return { before, after: sideAfter(now, before, names, renamed), renamed, positions, isFromFiles: false };
}

function positionsIn({ transitions = [] }: Plan): NonNullable<RoutingSides["positions"]> {
  return new Map(
    transitions.map(({ address, order = [] }) => {
      const both = order.flatMap(({ before, after }) =>
        before === null || after === null ? [] : [[before, after] as const],
      );
      return [address.slice(`${RULES}/`.length), new Map(both)];
    }),
  );
}

type Names = ReadonlyMap<string, string>;

function sideBefore(now: PlannedRouting, names: Names): RoutingSide {
  const { state, observation } = now;
  const rulesOf = (name: string): readonly RoutingRule[] | undefined => {
    const scope = state.live(RULES, names.get(name) ?? name) === undefined ? name : (names.get(name) ?? name);
    const live = state.live(RULES, scope);
    return live === undefined ? undefined : withSecrets(live, scope, now);
  };
  const live = state.live(SOURCES);
  const known = (live ?? []).map(({ key }) => [key, rulesOf(key)] as const);
  const unknown = known.flatMap(([name, rules]) => (rules === undefined ? [[name, NOT_READ] as const] : []));
  return {
    sources:
      live === undefined ? undefined : new Map(live.map(({ key, fields }) => [key, fields.enabled !== false] as const)),
    sets: {
      workspace: rulesOf(""),
      sources: new Map(known.flatMap(([name, rules]) => (rules === undefined ? [] : [[name, rules] as const]))),
    },
    doubts: new Map(unknown),
    catalog: indexCatalog(ENRICHING_TYPES.flatMap((type) => entriesBefore(now, type))),
    unknownTypes: new Set(
      ENRICHING_TYPES.filter(
        (type) => !observation.lists.some(({ kind, scope }) => kind === ENTRIES && scope === type),
      ),
    ),
    secrets: { outcome: secretOutcomes(now) },
  };
}

/**
 * The members of outcomes that may hold a value of the environment: those that do in the files, and all of them where the last apply says so
 * of a rule that has none of those.
 */
function secretOutcomes({ state, hashes }: PlannedRouting): ReadonlySet<string> {
  const { outcome } = secretParts(state.configuration);
  const former = state
    .all(RULES)
    .filter(({ address }) => cameFromEnvironment(hashes, address, "outcome"))
    .filter(({ fields }) => ![...outcome].some((name) => hasMember(fields.outcome ?? null, name)));
  if (former.length === 0) return outcome;
  return new Set([...outcome, ...state.all(RULES).flatMap(({ fields }) => Object.keys(fieldsIn(fields.outcome)))]);
}

/** Whether a value has a member of this name, at any depth. */
function hasMember(value: Json, name: string): boolean {
  if (isList(value)) return value.some((item) => hasMember(item, name));
  return isFields(value) && Object.entries(value).some(([own, member]) => own === name || hasMember(member, name));
}

const NOT_READ = "the rules of the source could not be read";

/**
 * The live rules. A condition is undecided if its value may come from the environment: its field is one for which a declared rule has such
 * a value, or the last apply says so of a rule of the list without such a field.
 */
function withSecrets(
  live: readonly LiveResource[],
  scope: string,
  { state, hashes }: PlannedRouting,
): readonly RoutingRule[] {
  const rules = liveRules(live, state.configuration, scope);
  const declared = declaredRules(state.configuration, scope).flatMap(({ conditions }) => conditions);
  const secretFields = new Set(declared.filter(({ isSecret }) => isSecret).map(({ field }) => field));
  const wasSecret = live.some(
    ({ address }, index) =>
      cameFromEnvironment(hashes, address, "conditions") &&
      rules[index]?.conditions.some(({ field }) => secretFields.has(field)) !== true,
  );
  return rules.map((rule) => ({
    ...rule,
    conditions: rule.conditions.map((condition) =>
      wasSecret || secretFields.has(condition.field) ? { ...condition, isSecret: true as const } : condition,
    ),
  }));
}

function sideAfter(now: PlannedRouting, before: RoutingSide, names: Names, renamed: Names): RoutingSide {
  const { state, plan } = now;
  const { configuration } = state;
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action] as const));
  const isGone = (address: string): boolean => ["delete", "disable"].includes(actions.get(address) ?? "");
  const declared = configuration.declared.filter(({ kind }) => kind.name === SOURCES);
  const created = declared.filter(({ address }) => actions.get(address) === "create");
  const liveSources = (state.live(SOURCES) ?? []).map((source): readonly [string, boolean] => {
    const address = declared.find(({ key }) => key === names.get(source.key))?.address ?? source.address;
    const isEnabled = actions.get(address) === "enable" || before.sources?.get(source.key) === true;
    return [renamed.get(source.key) ?? source.key, isEnabled && !isGone(address) && !isGone(source.address)];
  });
  const isCreated = ({ fields }: DeclaredResource): boolean => fields.enabled !== false;
  const sources = new Map([...liveSources, ...created.map((one) => [one.key, isCreated(one)] as const)]);
  const transitionOf = (...scopes: readonly string[]) => {
    const rule = kinds.find(({ name }) => name === RULES);
    const addresses = rule === undefined ? [] : scopes.map((scope) => addressOf(rule, scope, "").slice(0, -1));
    return (plan.transitions ?? []).find(({ address }) => addresses.includes(address));
  };
  const workspace = transitionOf("") === undefined ? before.sets.workspace : declaredRules(configuration, "");
  const doubts = new Map<string, string>();
  const lists = new Map<string, readonly RoutingRule[]>();
  for (const [former, name] of [...names].map(([live]) => [live, renamed.get(live) ?? live] as const)) {
    const transition = transitionOf(names.get(former) ?? former, former);
    const why = before.doubts.get(former);
    if (transition === undefined) {
      if (why !== undefined) doubts.set(name, why);
      lists.set(name, before.sets.sources.get(former) ?? []);
      continue;
    }
    const rules = declaredRules(configuration, names.get(former) ?? former);
    lists.set(name, transition.unmatched_after === "certain" ? NO_RULE : rules);
    if (transition.unmatched_after === "unless_fallback") doubts.set(name, FALLBACK);
  }
  for (const { key } of created) lists.set(key, declaredRules(configuration, key));
  const hasCatalogChange = plan.changes.some(({ kind }) => kind === ENTRIES || kind === TYPES);
  return {
    ...before,
    sources: state.live(SOURCES) === undefined ? undefined : sources,
    sets: { workspace, sources: lists },
    doubts,
    catalog: hasCatalogChange
      ? indexCatalog(ENRICHING_TYPES.flatMap((type) => entriesAfter(now, type)))
      : before.catalog,
  };
}

/** A list of its own without a rule that matches: the rules of the workspace do not apply. */
const NO_RULE: readonly RoutingRule[] = [{ enabled: false, conditions: [], outcome: {} }];

/** The live entries. An attribute may come from the environment if the declared one does, or by the last apply. */
function entriesBefore({ state, hashes }: PlannedRouting, type: string): readonly CatalogEntry[] {
  const declared = new Map(plannedEntries(state.configuration, type, state).map((entry) => [entry.slug, entry]));
  const addresses = new Map((state.live(ENTRIES, type) ?? []).map(({ key, address }) => [key, address]));
  return liveEntries(state, type).map((entry) => {
    const { secrets = [], isNameSecret = false } = declared.get(entry.slug) ?? {};
    const wasSecret = (field: string) => cameFromEnvironment(hashes, addresses.get(entry.slug) ?? "", field);
    return {
      ...entry,
      secrets: wasSecret("attributes") ? Object.keys(entry.attributes) : secrets,
      isNameSecret: isNameSecret || wasSecret("name"),
    };
  });
}

/** The entries after the plan: those that it does not change stay as they are. */
function entriesAfter(now: PlannedRouting, type: string): readonly CatalogEntry[] {
  const { state, plan } = now;
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action] as const));
  const cascades = new Set(plan.changes.flatMap((change) => change.cascades ?? []));
  const addresses = new Map(
    [...(state.live(ENTRIES, type) ?? []), ...state.declaredIn(ENTRIES, type)].map(({ key, address }) => [
      key,
      address,
    ]),
  );
  const actionOn = ({ slug }: CatalogEntry) => actions.get(addresses.get(slug) ?? "");
  const planned = new Map(plannedEntries(state.configuration, type, state).map((entry) => [entry.slug, entry]));
  const staying = entriesBefore(now, type).filter(
    (entry) => actionOn(entry) !== "delete" && !cascades.has(addresses.get(entry.slug) ?? ""),
  );
  const known = new Set(staying.map(({ slug }) => slug));
  return [
    ...staying.map((entry) => (actionOn(entry) === undefined ? entry : (planned.get(entry.slug) ?? entry))),
    ...[...planned.values()].filter((entry) => !known.has(entry.slug) && actionOn(entry) === "create"),
  ];
}
