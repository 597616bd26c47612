/** The declare form now and after a plan. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { type Fields, isList, type Json, objectsIn, textIn } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { NOTHING_READ, type Observation } from "../../workspace/match/observation.ts";
import { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { observe, type ReadTarget } from "../../workspace/read/observe.ts";
import {
  type CustomField,
  type DeclarationRules,
  type DeclareFormField,
  type FormChoice,
  readConditions,
} from "./form.ts";
import type { PastIncident } from "./past-incident.ts";

/** Ranks of a severity, which integrations may compare; null while it does not exist. A higher rank is more severe. */
export interface RankChange {
  readonly severity: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Recent incidents with the severity. */
  readonly incidents: number;
}

/** The rules for declarations before and after a plan. */
export interface DeclareForm {
  readonly state: ResolvedState;
  readonly before: DeclarationRules;
  readonly after: DeclarationRules;
  /** Ranks of every severity, the most severe after the plan first. */
  readonly ranks: readonly Omit<RankChange, "incidents">[];
}

/**
 * Reads the rules for declarations and applies the plan to them. Lists that were read for the plan are not read again, except to prove
 * that they are complete. Sends only GET requests. Throws the errors of `observe`.
 */
export async function readDeclareForm(
  reader: Reader,
  configuration: Configuration,
  plan: Plan,
  parallelism: number,
  known: Observation = NOTHING_READ,
): Promise<DeclareForm> {
  const provenLists = { ...NOTHING_READ, lists: known.lists.filter(({ open }) => open === undefined) };
  const openLists = known.lists.filter(({ open }) => open !== undefined);
  let observation = await observe(reader, kinds, TARGETS, { parallelism, earlier: provenLists, openLists });
  for (const next of [catalogTypes, catalogEntries]) {
    const targets = next(new ResolvedState(kinds, configuration, observation));
    if (targets.length > 0)
      observation = await observe(reader, kinds, targets, { parallelism, earlier: observation, openLists });
  }
  const state = new ResolvedState(kinds, configuration, observation);
  return {
    state,
    ...declarationRules(state, plan),
    ranks: ranksOf(state, new Workspace(state, plan.changes), plan),
  };
}

const TARGETS: readonly ReadTarget[] = [
  { kind: "forms", scope: "declare" },
  ...["severities", "incident_types", "custom_fields"].map((kind) => ({ kind, scope: "" })),
];

/** The catalog types, if a field of the declare form has its choices in the catalog. */
function catalogTypes(state: ResolvedState): readonly ReadTarget[] {
  return catalogFields(state).length > 0 ? [{ kind: "catalog_types", scope: "" }] : [];
}

/** The entries of the catalog types that fields of the declare form have their choices in. */
function catalogEntries(state: ResolvedState): readonly ReadTarget[] {
  const types = catalogFields(state).flatMap(({ catalog_type: type }) => textIn(type) ?? []);
  return [...new Set(types)].map((scope) => ({ kind: "catalog_entries", scope }));
}

/** Custom fields on the declare form, live or declared, with choices in the catalog. */
function catalogFields(state: ResolvedState): readonly Fields[] {
  const fields = [...state.all("custom_fields"), ...state.declaredIn("custom_fields", "")];
  const asked = fields.filter(({ key }) => state.has("forms", key, "declare"));
  return asked.map((field) => field.fields).filter(isFromCatalog);
}

/** The rules for declarations before and after a plan, from the lists that were read for it. */
export function declarationRules(state: ResolvedState, plan: Plan): Pick<DeclareForm, "before" | "after"> {
  return { before: rulesOf(new Workspace(state, [])), after: rulesOf(new Workspace(state, plan.changes)) };
}

/** A resource with the changes of a plan applied. */
interface FormResource extends Pick<LiveResource, "address" | "keyField" | "key" | "fields"> {
  /** Live row; undefined for a new resource. */
  readonly row: Fields | undefined;
  /** The declared fields; none if it is not declared. */
  readonly declared: Fields;
  /** A change deletes it. */
  readonly isRemoved: boolean;
}

/** The live resources after the changes of a plan. */
class Workspace {
  readonly #state: ResolvedState;
  readonly #changes: ReadonlyMap<string, Change>;

  constructor(state: ResolvedState, changes: readonly Change[]) {
    this.#state = state;
    this.#changes = new Map(changes.map((change) => [change.address, change]));
  }

  /** The resources of a list: the live ones, then those that the plan creates. */
  resources(kind: string, scope = ""): readonly FormResource[] {
    const live = this.#state.live(kind, scope) ?? [];
    const known = new Set(live.map(({ address }) => address));
    const declared = this.#state.declaredIn(kind, scope);
    const created = declared.filter(({ address }) => !known.has(address) && this.#changes.has(address));
    return [
      ...live.map((resource) => this.#changed(resource, resource.fields, resource.row)),
      ...created.map((resource) => this.#changed(resource, {})),
    ];
  }

  #changed(resource: LiveResource | DeclaredResource, fields: Fields, row?: Fields): FormResource {
    const { kind, scope, key, keyField, address } = resource;
    const change = this.#changes.get(address);
    const declared = this.#state.declaredFields(kind.name, key, scope) ?? {};
    // The plan masks values from the environment, so these come from the configuration.
    const values = (change?.fields ?? []).map(({ path, after, secret }): [string, Json] => {
      const name = path.slice(1);
      return [name, secret === true ? (declared[name] ?? null) : after];
    });
    const planned = { ...fields, ...Object.fromEntries(values) };
    return { address, keyField, key, fields: planned, row, declared, isRemoved: change?.action === "delete" };
  }
}

function rulesOf(workspace: Workspace): DeclarationRules {
  const all = workspace.resources("custom_fields");
  const leavingKeys = new Set(all.filter(({ isRemoved }) => isRemoved).map(({ key }) => key));
  const fields = all
    .filter(({ isRemoved }) => !isRemoved)
    .map((resource): [string, CustomField] => [resource.key, customField(resource, workspace)]);
  return {
    form: workspace.resources("forms", "declare").flatMap((resource): readonly DeclareFormField[] => {
      const { keyField, key, fields: formField, row } = resource;
      const isCustom = keyField === "custom_field";
      if (formField.visible === false || (isCustom && leavingKeys.has(key))) return [];
      const conditions = formField.conditions ?? (row === undefined ? [] : undefined);
      return [{ slug: key, isCustom, isRequired: formField.required === true, conditions: readConditions(conditions) }];
    }),
    fields: new Map(fields),
    severities: enabled(workspace.resources("severities")),
    types: enabled(workspace.resources("incident_types")),
  };
}

function enabled(resources: readonly FormResource[]): ReadonlySet<string> {
  const offered = resources.filter(({ fields, isRemoved }) => fields.enabled !== false && !isRemoved);
  return new Set(offered.map(({ key }) => key));
}

function customField(resource: FormResource, workspace: Workspace): CustomField {
  const { field_type = null, option_source = null, catalog_type = null } = resource.fields;
  const type = [field_type, option_source, catalog_type].map(String).join(" ");
  return { type, choices: isFromCatalog(resource.fields) ? inCatalog(resource, workspace) : options(resource) };
}

function inCatalog({ fields }: FormResource, workspace: Workspace): readonly FormChoice[] | undefined {
  if (typeof fields.catalog_type !== "string") return undefined;
  return workspace.resources("catalog_entries", fields.catalog_type).map((resource): FormChoice => {
    const { address, key: slug, row, isRemoved } = resource;
    const [key, label] = [textIn(row?.id) ?? address, textIn(resource.fields.name) ?? slug];
    return { key, label, slug, isLeaving: isRemoved ? true : undefined };
  });
}

/** The options, each with its live id, found by its label or the label that it is renamed from. */
function options({ fields, row, declared }: FormResource): readonly FormChoice[] | undefined {
  if (!isList(fields.options) || !String(fields.field_type).endsWith("_select")) return undefined;
  const ids = new Map(objectsIn(row?.options).map(({ id, label }) => [String(label), textIn(id) ?? String(label)]));
  const former = new Map(
    objectsIn(declared.options).map(({ label, renamed_from: from }) => [String(label), textIn(from) ?? ""]),
  );
  return fields.options.map((option): FormChoice => {
    const label = optionLabel(option);
    return { key: ids.get(label) ?? ids.get(former.get(label) ?? "") ?? `new ${label}`, label };
  });
}

/** Ranks before the plan, and after it by the side effects that the plan lists. */
function ranksOf(state: ResolvedState, after: Workspace, plan: Plan): DeclareForm["ranks"] {
  const derived = new Map(plan.derived.filter(({ path }) => path === "/rank").map((one) => [one.address, one.after]));
  const before = new Map((state.live("severities") ?? []).map(({ key, row }) => [key, numberOf(row.rank)]));
  return after
    .resources("severities")
    .map(({ key, address, isRemoved }) => {
      const known = before.get(key) ?? null;
      const planned = derived.has(address) ? numberOf(derived.get(address)) : known;
      return { severity: key, before: known, after: isRemoved ? null : planned };
    })
    .sort((left, right) => (right.after ?? 0) - (left.after ?? 0) || (right.before ?? 0) - (left.before ?? 0));
}

function isFromCatalog({ option_source, field_type }: Fields): boolean {
  return option_source === "catalog" || String(field_type).startsWith("catalog_");
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" ? value : null;
}

/** The ranks with the number of incidents of each severity, in the same order. */
export function rankChanges(
  ranks: readonly Omit<RankChange, "incidents">[],
  incidents: readonly PastIncident[],
): readonly RankChange[] {
  return ranks.map((rank) => ({
    ...rank,
    incidents: incidents.filter(({ severity }) => severity === rank.severity).length,
  }));
}
