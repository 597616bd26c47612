/** Snapshot of the workspace before a run, for its journal: enough to plan an undo later, without secrets. */

import { declarableFields } from "../../config/edit/declarable.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { unsubstituted } from "../../config/resources/origins.ts";
import { escapedStep, type Fields, isFields, isList, type Json, stepsOf, valueAt } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, type LiveResource } from "../../kinds/model/resource.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import { changedIds, type ResourceSnapshot, type RunSnapshot } from "../../plan/model/snapshot.ts";
import { secretFields } from "../../plan/ranked/secret-fields.ts";
import { asTemplate, type EnvironmentValues, literal, mapTexts } from "../../run/journal/environment-references.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";

/** Most ids of each kind in a journal: enough to distinguish workspaces. */
const IDS = 50;

/** Returns the live state of the resources that the plan changes, without values from the environment of this or an earlier run. */
export function snapshotBefore(
  plan: Plan,
  configuration: Configuration,
  live: ResolvedState,
  lock: LastAppliedHashes = {},
): RunSnapshot {
  const secret = declaredSecrets(configuration);
  const hidden = (address: string) => (name: string) =>
    secret(address).has(name) || cameFromEnvironment(lock, address, name);
  const touched = kinds.filter(({ name }) => plan.changes.some(({ kind }) => kind === name));
  const keyed = touched.filter(({ lifecycle: { order } }) => order !== "rank").map(({ name }) => name);
  const resources = plan.changes
    .filter(({ kind }) => keyed.includes(kind))
    .flatMap((change) => [...formerResources(change, plan, live), ...cascadedResources(change, live)]);
  return {
    entries: [...new Set(resources)].map((resource) => snapshotOf(resource, hidden(resource.address))),
    orders: touched
      .filter(({ lifecycle: { order } }) => order === "position")
      .map(({ name }) => ({
        kind: name,
        scope: "",
        addresses: (live.live(name) ?? []).map(({ address }) => address),
      })),
    ranks: kinds
      .filter(({ lifecycle: { order } }) => order === "rank")
      .flatMap((kind) => rankedLists(kind, plan, configuration, live, lock)),
  };
}

/** Returns some ids of every kind that was read; they distinguish this workspace from others. */
export function workspaceIds(live: ResolvedState): Readonly<Record<string, readonly string[]>> {
  const idsByKind = kinds.map(({ name }): readonly [string, readonly string[]] => [
    name,
    live
      .rows(name)
      .flatMap(({ id }) => (typeof id === "string" ? [id] : []))
      .sort()
      .slice(0, IDS),
  ]);
  return Object.fromEntries(idsByKind.filter(([, ids]) => ids.length > 0));
}

/** Returns the names of fields with values from the environment, by address. */
function declaredSecrets(configuration: Configuration): (address: string) => ReadonlySet<string> {
  const fields = new Map<string, Set<string>>();
  for (const { address, secrets } of configuration.declared) {
    const names = fields.get(address) ?? new Set<string>();
    for (const pointer of secrets) names.add(pointer.split("/")[1] ?? "");
    fields.set(address, names);
  }
  return (address) => fields.get(address) ?? new Set();
}

/** Returns the live resources that a change is about, by their former name if it renames them, and all that share the name. */
function formerResources(change: Change, plan: Plan, live: ResolvedState): readonly LiveResource[] {
  const { address, kind, fields } = change;
  const all = live.all(kind);
  const row = live.kinds.get(kind);
  const pins = row?.identity.pin === undefined ? [] : changedIds(row, change, plan);
  const pinned = all.filter(({ id }) => pins.includes(id));
  const addresses = new Set([address, ...pinned.map((resource) => resource.address)]);
  const same = all.filter((resource) => addresses.has(resource.address));
  if (same.length > 0) return same;
  const scope = row?.identity.keys ?? [];
  const renamed = fields.find(({ path, before }) => scope.includes(path.slice(1)) && before !== null);
  return all.filter(
    (resource) => renamed !== undefined && resource.key === renamed.before && isSibling(resource.address, address),
  );
}

/** Whether two addresses differ only in their last segment. */
function isSibling(left: string, right: string): boolean {
  const stem = (address: string) => address.split("/").slice(0, -1).join("/");
  return stem(left) === stem(right);
}

function cascadedResources({ cascades = [] }: Change, live: ResolvedState): readonly LiveResource[] {
  return kinds
    .filter(({ lifecycle: { order } }) => order !== "rank")
    .flatMap(({ name }) => live.all(name).filter(({ address }) => cascades.includes(address)));
}

function snapshotOf(resource: LiveResource, hidden: (name: string) => boolean): ResourceSnapshot {
  const { address, kind, scope, key, keyField } = resource;
  const choices = Object.entries(kind.fields ?? {}).flatMap(([name, field]) => {
    const rows = resource.row[name];
    if (field.optionList !== true || !isList(rows) || hidden(name)) return [];
    const ids = rows.filter(isFields).map(({ label, id }) => [String(label), String(id)] as const);
    return [[name, Object.fromEntries(ids)] as const];
  });
  const declarable = declarableFields(resource, kinds);
  const secret = Object.keys(declarable).filter((name) => hidden(name) && declarable[name] !== "");
  // A file has an empty text where the service tells null; a resource that is made again has nothing there.
  const fields = Object.fromEntries(
    Object.entries(declarable).map(([name, value]) => [name, resource.fields[name] === null ? null : value]),
  );
  const unreturned = Object.entries(kind.fields ?? {}).flatMap(([name, { optionList, keyedItems }]) =>
    resource.fields[name] === undefined && optionList !== true && keyedItems === undefined ? [name] : [],
  );
  const unrecorded = [...secret, ...unreturned];
  return {
    address,
    kind: kind.name,
    scope,
    key,
    keyField,
    ...(kind.identity.pin === undefined ? {} : { pin: resource.id }),
    fields: withoutFields(fields, hidden),
    ...(unrecorded.length === 0 ? {} : { unrecorded }),
    ...(choices.length === 0 ? {} : { choices: Object.fromEntries(choices) }),
  };
}

/** Returns the ranked lists that a plan changes, completely: a rule is identified by its position. */
function rankedLists(
  kind: Kind,
  plan: Plan,
  configuration: Configuration,
  live: ResolvedState,
  lock: LastAppliedHashes,
): RunSnapshot["ranks"] {
  const changed = plan.changes.filter((change) => change.kind === kind.name).map(({ address }) => address);
  const declared = configuration.declared.filter((resource) => resource.kind === kind);
  const managed = configuration.managed.filter((list) => list.kind === kind.name).map(({ scope }) => scope);
  const cascaded = plan.changes.flatMap(({ cascades = [] }) => cascades);
  const lost = live.all(kind.name).filter(({ address }) => cascaded.includes(address));
  return [...new Set([...managed, ...lost.map(({ scope }) => scope)])].flatMap((scope) => {
    const liveRules = live.live(kind.name, scope) ?? [];
    const declaredRules = declared.filter((resource) => resource.scope === scope);
    // A live rule of a renamed scope has the address of its former scope.
    const prefix = addressPrefix(kind, scope);
    const isChanged = changed.some((address) => address.startsWith(prefix));
    if (!isChanged && !liveRules.some(({ address }) => cascaded.includes(address))) return [];
    const secret = secretFields(kind, liveRules, declaredRules, lock);
    const unseen = live.lacksConditions(kind) ? kind.rule?.conditions : undefined;
    const readFields = (rule: LiveResource) => withoutFields(declarableFields(rule, kinds), (name) => name === unseen);
    const templates = declaredRules.map((rule) => templatesOf(rule, configuration.environmentValues));
    const before = liveRules.map((resource, index) =>
      recordedRule(readFields(resource), secret[index], (name, value) => {
        // The rule that the files have for it tells which of its texts are from the environment, whatever the others hold.
        const same = declaredRules.findIndex(({ fields }) => JSON.stringify(fields[name]) === JSON.stringify(value));
        if (same >= 0) return (pointer) => templates[same]?.get(pointer);
        const byText = new Map(
          declaredRules.flatMap(({ fields }, at) =>
            [...(templates[at] ?? [])].map(
              ([pointer, template]) => [valueAt(fields, stepsOf(pointer)), template] as const,
            ),
          ),
        );
        return (_pointer, text) => byText.get(text);
      }),
    );
    const after = declaredRules.map(({ fields, secrets }, at) =>
      recordedRule(
        fields,
        new Set(secrets.map((pointer) => pointer.split("/")[1] ?? "")),
        () => (pointer) => templates[at]?.get(pointer),
      ),
    );
    return [{ kind: kind.name, scope, before, after }];
  });
}

/** The text that the files have for each text with a value from the environment, by its JSON Pointer. */
function templatesOf(
  { fields, secrets, origins }: DeclaredResource,
  environment: EnvironmentValues,
): ReadonlyMap<string, string> {
  return new Map(
    secrets.flatMap((pointer) => {
      const template = unsubstituted(origins, pointer);
      // A variable of the settings may be another one the next time.
      if (template !== undefined && !/(?<!\$)\$\{(?!env:)/.test(template)) return [[pointer, template] as const];
      const value = valueAt(fields, stepsOf(pointer));
      const [name] = [...environment].find(([, one]) => one === value) ?? [];
      return name === undefined ? [] : [[pointer, `\${env:${name}}`] as const];
    }),
  );
}

/**
 * A rule with the text of the files in place of each value from the environment, and masks where a former value may be. `templates` finds
 * that text for the texts of a field.
 */
function recordedRule(
  fields: Fields,
  secret: ReadonlySet<string> = new Set(),
  templates: (name: string, value: Json) => (pointer: string, text: string) => string | undefined,
): Fields {
  const hidden = Object.entries(fields).filter(([name]) => secret.has(name));
  if (hidden.length === 0) return fields;
  const known = hidden.flatMap(([name, value]) => {
    const templateOf = templates(name, value);
    let isKnown = false;
    const template = mapTexts(value, `/${escapedStep(name)}`, (text, pointer) => {
      const own = templateOf(pointer, text);
      isKnown ||= own !== undefined;
      return own ?? literal(text);
    });
    return isKnown ? [[name, template] as const] : [];
  });
  const masks = Object.fromEntries(hidden.map(([name]) => [name, MASK]));
  if (known.length === 0) return { ...fields, ...masks };
  const others = Object.entries(fields).map(([name, value]) => [name, mapTexts(value, "", literal)] as const);
  return asTemplate({ ...Object.fromEntries(others), ...masks, ...Object.fromEntries(known) });
}

function withoutFields(fields: Fields, hidden: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden(name)));
}
