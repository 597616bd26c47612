/** The declare form now and after a plan. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { type Fields, isFields, isList, type Json, objectsIn, textIn } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
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
import type { RankChange } from "./ranks.ts";

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
    const targets = next(configuration, new ResolvedState(kinds, configuration, observation));
    if (targets.length > 0)
      observation = await observe(reader, kinds, targets, { parallelism, earlier: observation, openLists });
  }
  const state = new ResolvedState(kinds, configuration, observation);
  return {
    state,
    ...declarationRules(state, configuration, plan),
    ranks: ranksOf(state, new Workspace(state, configuration, plan.changes), plan),
  };
}

const TARGETS: readonly ReadTarget[] = [
  { kind: "forms", scope: "declare" },
  ...["severities", "incident_types", "custom_fields"].map((kind) => ({ kind, scope: "" })),
];

/** The catalog types, if a field of the declare form has its choices in the catalog. */
function catalogTypes(configuration: Configuration, state: ResolvedState): readonly ReadTarget[] {
  return catalogFields(configuration, state).length > 0 ? [{ kind: "catalog_types", scope: "" }] : [];
}

/** The entries of the catalog types that fields of the declare form have their choices in. */
function catalogEntries(configuration: Configuration, state: ResolvedState): readonly ReadTarget[] {
  const types = catalogFields(configuration, state).flatMap(({ catalog_type }) =>
    typeof catalog_type === "string" ? [catalog_type] : [],
  );
  return [...new Set(types)].map((scope) => ({ kind: "catalog_entries", scope }));
}

/** Custom fields on the declare form, live or declared, with choices in the catalog. */
function catalogFields(configuration: Configuration, state: ResolvedState): readonly Fields[] {
  const isAsked = (slug: string) => state.fields("forms", slug, "declare") !== undefined;
  const live = state.all("custom_fields").filter(({ key }) => isAsked(key));
  const declared = configuration.declared.filter(({ kind, key }) => kind.name === "custom_fields" && isAsked(key));
  return [...live, ...declared].map(({ fields }) => fields).filter(isFromCatalog);
}

/** The rules for declarations before and after a plan, from the lists that were read for it. */
export function declarationRules(
  state: ResolvedState,
  configuration: Configuration,
  plan: Plan,
): Pick<DeclareForm, "before" | "after"> {
  return {
    before: rulesOf(new Workspace(state, configuration, [])),
    after: rulesOf(new Workspace(state, configuration, plan.changes)),
  };
}

/** A resource with the changes of a plan applied. */
interface FormResource {
  readonly address: string;
  readonly keyField: string;
  readonly key: string;
  readonly fields: Fields;
  /** Live row; undefined for a new resource. */
  readonly row: Fields | undefined;
  /** A change deletes it. */
  readonly isRemoved: boolean;
}

/** The live resources after the changes of a plan. */
class Workspace {
  readonly #state: ResolvedState;
  readonly #configuration: Configuration;
  readonly #changes: ReadonlyMap<string, Change>;

  constructor(state: ResolvedState, configuration: Configuration, changes: readonly Change[]) {
    this.#state = state;
    this.#configuration = configuration;
    this.#changes = new Map(changes.map((change) => [change.address, change]));
  }

  resources(kind: string, scope = ""): readonly FormResource[] {
    const live = this.#state.live(kind, scope) ?? [];
    const existing = live.map(({ address, keyField, key, fields, row }): FormResource => {
      const change = this.#changes.get(address);
      return {
        address,
        keyField,
        key,
        fields: this.#changed(fields, change),
        row,
        isRemoved: change?.action === "delete",
      };
    });
    const known = new Set(live.map(({ address }) => address));
    const created = this.#configuration.declared
      .filter((resource) => resource.kind.name === kind && resource.scope === scope && !known.has(resource.address))
      .flatMap(({ address, keyField, key }): readonly FormResource[] => {
        const change = this.#changes.get(address);
        if (change === undefined) return [];
        return [{ address, keyField, key, fields: this.#changed({}, change), row: undefined, isRemoved: false }];
      });
    return [...existing, ...created];
  }

  /** Former labels of the declared options of a custom field, by their labels. */
  formerLabels(slug: string): ReadonlyMap<string, string> {
    const options = this.#state.declared("custom_fields", slug)?.fields.options;
    return new Map(
      objectsIn(options).flatMap(({ label, renamed_from }) =>
        typeof renamed_from === "string" ? [[String(label), renamed_from] as const] : [],
      ),
    );
  }

  #changed(fields: Fields, change: Change | undefined): Fields {
    // The plan masks values from the environment, so these come from the configuration.
    const declaredFields = () =>
      this.#configuration.declared.find(({ address }) => address === change?.address)?.fields;
    const values = (change?.fields ?? []).map(({ path, after, secret }): [string, Json] => {
      const name = path.slice(1);
      return [name, secret === true ? (declaredFields()?.[name] ?? null) : after];
    });
    return { ...fields, ...Object.fromEntries(values) };
  }
}

function rulesOf(workspace: Workspace): DeclarationRules {
  const all = workspace.resources("custom_fields");
  const leavingKeys = new Set(all.filter(({ isRemoved: leaving }) => leaving).map(({ key }) => key));
  const fields = all
    .filter(({ isRemoved: leaving }) => !leaving)
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
  const offered = resources.filter(({ fields, isRemoved: leaving }) => fields.enabled !== false && !leaving);
  return new Set(offered.map(({ key }) => key));
}

function customField(resource: FormResource, workspace: Workspace): CustomField {
  const { field_type = null, option_source = null, catalog_type = null } = resource.fields;
  const type = [field_type, option_source, catalog_type].map(String).join(" ");
  return {
    type,
    choices: isFromCatalog(resource.fields) ? inCatalog(resource, workspace) : options(resource, workspace),
  };
}

function inCatalog({ fields }: FormResource, workspace: Workspace): readonly FormChoice[] | undefined {
  if (typeof fields.catalog_type !== "string") return undefined;
  return workspace.resources("catalog_entries", fields.catalog_type).map((resource): FormChoice => {
    const { address, key: slug, row, isRemoved: leaving } = resource;
    const choice = { key: textIn(row?.id) ?? address, label: textIn(resource.fields.name) ?? slug, slug };
    return leaving ? { ...choice, isLeaving: leaving } : choice;
  });
}

/** The options, each with its live id, found by its label or the label that it is renamed from. */
function options({ key, fields, row }: FormResource, workspace: Workspace): readonly FormChoice[] | undefined {
  if (!isList(fields.options) || !String(fields.field_type).endsWith("_select")) return undefined;
  const ids = new Map(objectsIn(row?.options).map(({ id, label }) => [String(label), textIn(id) ?? String(label)]));
  const former = workspace.formerLabels(key);
  return fields.options.map((option): FormChoice => {
    const label = String(isFields(option) ? option.label : option);
    return { key: ids.get(label) ?? ids.get(former.get(label) ?? "") ?? `new ${label}`, label };
  });
}

/** Ranks before the plan, and after it by the side effects that the plan lists. */
function ranksOf(state: ResolvedState, after: Workspace, plan: Plan): DeclareForm["ranks"] {
  const derived = new Map(plan.derived.filter(({ path }) => path === "/rank").map((one) => [one.address, one.after]));
  const before = new Map((state.live("severities") ?? []).map(({ key, row }) => [key, numberOf(row.rank)]));
  return after
    .resources("severities")
    .map(({ key, address, isRemoved: leaving }) => {
      const known = before.get(key) ?? null;
      const planned = derived.has(address) ? numberOf(derived.get(address)) : known;
      return { severity: key, before: known, after: leaving ? null : planned };
    })
    .sort((left, right) => (right.after ?? 0) - (left.after ?? 0) || (right.before ?? 0) - (left.before ?? 0));
}

function isFromCatalog({ option_source, field_type }: Fields): boolean {
  return option_source === "catalog" || String(field_type).startsWith("catalog_");
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" ? value : null;
}
