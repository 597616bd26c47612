/** The values that the page of a plan draws, from the rows that the plan has read: nothing is requested for them. */

import type { Configuration } from "../config/resources/configuration.ts";
import type { DeclaredResource } from "../config/resources/declared-resource.ts";
import { type Json, pointerIsWithin } from "../core/json.ts";
import { MASK } from "../core/value-text.ts";
import type { LiveResource } from "../kinds/model/resource.ts";
import type { RoutingRule } from "../kinds/routing/rules.ts";
import type { Change, Plan } from "../plan/model/plan.ts";
import { cameFromEnvironment, ENVIRONMENT, type LastAppliedHashes } from "../workspace/match/last-applied.ts";
import type { ReferenceEdge, ReferenceGraph } from "../workspace/match/reference-graph.ts";
import type { ResolvedState } from "../workspace/match/resolved-state.ts";
import { declarationRules } from "./impact/declare-form.ts";
import type { DeclarationRules } from "./impact/form.ts";
import { declaredRules, liveRules } from "./routing-tests/rule-lists.ts";

/** The diagrams of a plan. */
export interface Diagrams {
  /** References from and to the changed resources. */
  readonly references: readonly ReferenceEdge[];
  readonly ladders: readonly Ladder[];
  readonly ruleLists: readonly RuleListDiagram[];
  /** Undefined if the plan does not change the declare form, or has not read it. */
  readonly form: FormDiagram | undefined;
}

/** A list in the order of its positions, before and after the plan. */
export interface Ladder {
  readonly kind: string;
  readonly rungs: readonly Rung[];
}

/** A resource in such a list. */
export interface Rung {
  readonly address: string;
  /** Null if the resource is not in the list or is disabled. */
  readonly before: RungSide | null;
  readonly after: RungSide | null;
  /** The plan moves it, as its text says. */
  readonly isMoved: boolean;
}

/** A resource in such a list before or after the plan. */
export interface RungSide {
  /** Counted from 1. */
  readonly position: number;
  readonly name: string;
  readonly color?: string | undefined;
}

/** A list of routing rules before and after the plan. Values from the environment are left out of the conditions, which are then undecided. */
export interface RuleListDiagram {
  /** The address of the list: `routing_rules/workspace`. */
  readonly address: string;
  /** The rules are of one alert source: if it has none, those of the workspace apply. */
  readonly isOfSource: boolean;
  readonly before: readonly RoutingRule[];
  readonly after: readonly RoutingRule[];
}

/** The declare form before and after the plan. */
export interface FormDiagram {
  readonly before: DeclarationRules;
  readonly after: DeclarationRules;
  /** Names of severities, incident types and custom fields: `severity/critical`, `custom_field/region`, before and after the plan. */
  readonly formerNames: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

/** The parts of a plan that its diagrams are made from. */
export interface DiagramSource {
  readonly plan: Plan;
  readonly configuration: Configuration;
  readonly state: ResolvedState;
  readonly graph: ReferenceGraph;
  /** Hashes of the last apply, which say what came from the environment. */
  readonly hashes: LastAppliedHashes;
}

/** The diagrams of a plan, from what it was made from. */
export function planDiagrams(source: DiagramSource): Diagrams {
  const { plan, graph } = source;
  return {
    references: graph.edgesAt(new Set(plan.changes.map(({ address }) => address))),
    ladders: ladders(source),
    ruleLists: ruleLists(source),
    form: formDiagram(source),
  };
}

/** The lists in the order of their positions that are read and that the plan changes. */
function ladders(source: DiagramSource): readonly Ladder[] {
  const changed = new Set(source.plan.changes.map(({ kind }) => kind));
  return [...source.state.kinds.values()]
    .filter(({ name, lifecycle }) => lifecycle.order === "position" && changed.has(name))
    .flatMap(({ name }) => {
      const live = source.state.live(name);
      return live === undefined ? [] : [{ kind: name, rungs: rungs(name, live, source) }];
    });
}

/** The list as it is, and as the plan leaves it: what the plan does not move keeps its place, whatever the files say. */
function rungs(kind: string, live: readonly LiveResource[], source: DiagramSource): readonly Rung[] {
  const { state, plan } = source;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const all = live.map(({ address }) => address);
  const placed = plan.changes
    .filter((change) => change.kind === kind && change.neighbours !== undefined)
    .map((change) => ({
      address: change.address,
      at: Number(plannedValue(change, "position")) || all.indexOf(change.address) + 1,
    }))
    .sort((one, other) => one.at - other.at);
  const moving = new Set(placed.map(({ address }) => address));
  const final = all.filter((address) => !moving.has(address) && changes.get(address)?.action !== "delete");
  for (const { address, at } of placed) final.splice(at - 1, 0, address);
  const rows = new Map(live.map((resource) => [resource.address, resource]));
  const declared = new Map(state.declaredIn(kind, "").map((resource) => [resource.address, resource]));
  const isEnabled = (address: string): boolean => (rows.get(address)?.fields.enabled ?? true) !== false;
  const staysEnabled = (address: string): boolean => {
    const change = changes.get(address);
    if (change?.action === "disable") return false;
    const field = rows.has(address) ? undefined : declared.get(address)?.fields.enabled;
    return (plannedValue(change, "enabled") ?? field ?? (change?.action === "enable" || isEnabled(address))) !== false;
  };
  const [before, after] = [all.filter(isEnabled), final.filter(staysEnabled)];
  const position = (list: readonly string[], address: string): number | null => list.indexOf(address) + 1 || null;
  return [...new Set([...before, ...after])].map((address): Rung => {
    const [row, resource] = [rows.get(address), declared.get(address)];
    const text = (field: string, value: Json | undefined): string | undefined =>
      [row, resource].some((one) => one !== undefined && isFromEnvironment(source, one, field)) ||
      typeof value !== "string"
        ? undefined
        : value;
    const sideOf = (list: readonly string[], value: (field: string) => Json | undefined): RungSide | null => {
      const at = position(list, address);
      if (at === null) return null;
      const name = text("name", value("name")) ?? address.slice(address.indexOf("/") + 1);
      return { position: at, name, color: text("color", value("color")) };
    };
    return {
      address,
      before: sideOf(before, (field) => row?.fields[field]),
      after: sideOf(
        after,
        (field) =>
          plannedValue(changes.get(address), field) ??
          row?.fields[field] ??
          (row === undefined ? resource?.fields[field] : undefined),
      ),
      isMoved: row !== undefined && moving.has(address),
    };
  });
}

/** The value that a change gives a field; undefined if it leaves it. */
function plannedValue(change: Change | undefined, field: string): Json | undefined {
  return change?.fields.find(({ path }) => path === `/${field}`)?.after;
}

/** The lists of rules that the plan changes, if they were read. */
function ruleLists(source: DiagramSource): readonly RuleListDiagram[] {
  const { plan, configuration, state } = source;
  return (plan.transitions ?? []).flatMap(({ address, kind }) => {
    const list = state
      .listsOf(kind)
      .find(({ live = [], declared }) => [...live, ...declared].some((rule) => rule.address.startsWith(`${address}/`)));
    if (list?.live === undefined) return [];
    const live = list.live;
    const isSecret = (field: string): boolean =>
      [...live, ...list.declared].some((rule) => isFromEnvironment(source, rule, field));
    // Rules have no key, so a value from the environment may be in any live rule of the list.
    const hasSecretField = list.declared.some(({ secrets }) => secrets.some((pointer) => pointer.endsWith("/field")));
    const hidden = { conditions: isSecret("conditions"), field: hasSecretField, outcome: isSecret("outcome") };
    return [
      {
        address,
        isOfSource: list.scope !== "",
        before: liveRules(live, configuration, list.scope).map((rule) => withoutSecrets(rule, hidden)),
        after: declaredRules(configuration, list.scope).map((rule) => withoutSecrets(rule, hidden)),
      },
    ];
  });
}

/** The rule without the values of fields that may hold some from the environment. Its conditions are then undecided. */
function withoutSecrets(
  rule: RoutingRule,
  hidden: { readonly conditions: boolean; readonly field: boolean; readonly outcome: boolean },
): RoutingRule {
  return {
    ...rule,
    ...(hidden.conditions
      ? {
          conditions: rule.conditions.map((condition) => ({
            ...condition,
            ...(hidden.field ? { field: MASK } : {}),
            ...{ value: MASK, isSecret: true as const },
          })),
        }
      : {}),
    ...(hidden.outcome ? { outcome: { action: rule.outcome.action ?? null } } : {}),
  };
}

/** Whether a field of a resource holds a value from the environment, by the files or by the last apply: it is never drawn. */
function isFromEnvironment(
  { state, hashes }: Pick<DiagramSource, "state" | "hashes">,
  { kind, scope, key, address }: Pick<DeclaredResource | LiveResource, "kind" | "scope" | "key" | "address">,
  field: string,
): boolean {
  const secrets = state.declared(kind.name, key, scope)?.secrets ?? [];
  const isInFiles = secrets.some((pointer) => pointerIsWithin(pointer, `/${field}`));
  return isInFiles || cameFromEnvironment(hashes, address, field);
}

/** Kinds whose resources a condition reads, by its word for one of them. */
const READ_KINDS = { severity: "severities", incident_type: "incident_types", custom_field: "custom_fields" };
/** Kinds that decide which fields the form has. */
const KINDS: readonly string[] = ["forms", ...Object.values(READ_KINDS)];

/** The form; undefined if the plan changes nothing of it, has not read it, or a value of it came from the environment. */
function formDiagram({ plan, configuration, state, hashes }: DiagramSource): FormDiagram | undefined {
  const isChanged = plan.changes.some(
    ({ kind, address }) => (kind === "forms" && address.startsWith("forms/declare/")) || kind === "custom_fields",
  );
  if (!isChanged || state.live("forms", "declare") === undefined) return undefined;
  const isSecret =
    configuration.declared.some(({ kind, secrets }) => KINDS.includes(kind.name) && secrets.length > 0) ||
    Object.keys(hashes).some((key) => KINDS.some((kind) => key.startsWith(`${kind}/`)) && key.endsWith(ENVIRONMENT));
  if (isSecret) return undefined;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const subjects = Object.entries(READ_KINDS);
  const formerNames = new Map(
    subjects.flatMap(([subject, kind]) => state.all(kind).flatMap((resource) => nameEntry(subject, resource))),
  );
  const planned = configuration.declared.flatMap(({ kind, key, address, fields }) => {
    const subject = subjects.find(([, name]) => name === kind.name)?.[0];
    if (subject === undefined) return [];
    const name =
      plannedValue(changes.get(address), "name") ?? formerNames.get(`${subject}/${key}`) ?? fields.name ?? null;
    return nameEntry(subject, { key, fields: { name } });
  });
  return { ...declarationRules(state, plan), formerNames, names: new Map([...formerNames, ...planned]) };
}

function nameEntry(
  subject: string,
  { key, fields: { name } }: Pick<LiveResource, "key" | "fields">,
): readonly (readonly [string, string])[] {
  return typeof name === "string" ? [[`${subject}/${key}`, name]] : [];
}
