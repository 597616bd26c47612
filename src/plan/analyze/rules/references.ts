/** Analyzers of references: to what cannot be selected, and to what a built-in catalog type does not allow. */

import { originalText, templateAt } from "../../../config/resources/origins.ts";
import { isIgnored } from "../../../config/settings/exemptions.ts";
import { type Fields, isFields, isList, type Json, listIn, objectsIn } from "../../../core/json.ts";
import { Guesses } from "../../../core/suggest.ts";
import type { Reference } from "../../../kinds/model/lookup.ts";
import { addressOf } from "../../../kinds/model/resource.ts";
import { attributesBySlug, invalidValues } from "../../../kinds/rows/catalog-values.ts";
import { optionLabel } from "../../../kinds/values/option-source.ts";
import { slugOfName } from "../../../kinds/values/slug.ts";
import { type Analyzer, type Hit, placeOf, relatedPlace } from "../analyzer.ts";
import { isEnabled, type PlannedResource, type PlannedWorkspace } from "../planned-workspace.ts";

/** A reference to something that cannot be selected. */
export const unusableReference: Analyzer = {
  id: "A006",
  name: "unusable-reference",
  severity: "warning",
  title: "A condition or a rule references a disabled resource, or a resource or option that does not exist.",
  why: "No new incident can have the value, so the condition no longer works as intended, and the service refuses it when it is sent again.",
  fix: "Reference an enabled resource, or enable this one.",
  *find(workspace) {
    for (const { resources } of workspace.lists) {
      for (const resource of resources) {
        const { declared } = resource;
        if (declared === undefined) continue;
        for (const { reference } of workspace.referencesOf(declared)) {
          // The parent of a resource is not a reference to report.
          if (reference.at === "") continue;
          const problem = check(reference, resource, workspace);
          if (problem !== undefined) yield problem;
        }
      }
    }
  },
};

function check(reference: Reference, resource: PlannedResource, workspace: PlannedWorkspace): Hit | undefined {
  const { kind, key, scope, option, elsewhere } = reference;
  // Only plan knows all lists that it can be in, and reports an error.
  if (elsewhere !== undefined) return undefined;
  const place = () => placeOf(resource, reference.at);
  const target = workspace.resource(kind, key, scope);
  if (target === undefined) {
    if (!isMissing(reference, workspace)) return undefined;
    const live = workspace.live(kind, scope)?.find((one) => one.key === key);
    if (live !== undefined) {
      return {
        message: `${resource.address} references ${live.address}, which is not in the configuration`,
        ...place(),
      };
    }
    const missing = workspace.kinds.find(({ name }) => name === kind);
    const address = missing === undefined ? `${kind}/${key}` : addressOf(missing, scope, key);
    return { message: `${resource.address} references ${address}, which does not exist`, ...place() };
  }
  if (!isEnabled(target)) {
    const related = relatedPlace(target, "disabled here", `/${target.kind.lifecycle.disable}`);
    return { message: `${resource.address} references ${target.address}, which is disabled`, ...place(), ...related };
  }
  if (option === undefined) return undefined;
  const { options } = target.fields;
  if (!isList(options) || options.map(optionLabel).includes(option)) return undefined;
  const related = relatedPlace(target, "its options are listed here", "/options");
  return { message: `${target.address} has no option "${option}"`, ...place(), ...related };
}

/** Whether the resource certainly does not exist: the configuration manages its list, or the list was read. */
function isMissing({ kind, key, scope }: Reference, workspace: PlannedWorkspace): boolean {
  if (!workspace.isManaged(kind, scope) && !workspace.isRead(kind, scope)) return false;
  return !workspace.isBuiltin(kind, key);
}

/** A value that a built-in catalog type of a default workspace does not allow. */
export const defaultAttribute: Analyzer = {
  id: "A015",
  name: "default-attribute",
  severity: "warning",
  title: "A catalog entry has a value that its built-in type does not allow in a default workspace.",
  why: "The service refuses the entry, unless the workspace has other attributes than a default one. Only plan can read them, and reports an error.",
  fix: "Correct the name or the value, declare the attributes of the type, or if the workspace differs, waive the finding in the line above: # incidentctl: allow A015 until DATE because REASON.",
  *find(workspace) {
    // The live types are what counts, once they are read.
    if (workspace.isRead("catalog_types")) return;
    const guesses = new Guesses();
    for (const scope of workspace.managedScopes("catalog_entries")) {
      const type = workspace.resource("catalog_types", scope);
      const standard = type?.kind.lifecycle.builtins?.definitions?.[scope]?.attributes;
      if (type === undefined || !isList(standard)) continue;
      const declared = attributesBySlug(type.fields.attributes);
      const attributes = attributesBySlug([...objectsIn(type.fields.attributes), ...standard]);
      /** Templates of sources that name an attribute which the type does not have: each is one finding, however many entries it makes. */
      const templates = new Set<string>();
      for (const entry of workspace.resources("catalog_entries", scope)) {
        const values = entry.fields.attributes;
        if (entry.declared === undefined || !isFields(values)) continue;
        // Declared attributes are checked with the files, and a wrong value is an error.
        const others = Object.fromEntries(Object.entries(values).filter(([name]) => !declared.has(name)));
        for (const { name, message, help } of invalidValues(scope, attributes, others)) {
          const at = attributes.has(name) ? undefined : templateAt(entry.declared.origins, `/attributes/${name}`);
          if (at === undefined) yield hit(entry, `/attributes/${name}`, message, help);
          else if (!templates.has(JSON.stringify(at))) {
            templates.add(JSON.stringify(at));
            yield { message, help, at, address: type.address };
          }
        }
        yield* missingTargets(workspace, entry, attributes, others, guesses);
      }
    }
  },
};

/** References to entries that the configuration does not have, in lists that it manages. */
function* missingTargets(
  workspace: PlannedWorkspace,
  entry: PlannedResource,
  attributes: ReadonlyMap<string, Fields>,
  values: Fields,
  guesses: Guesses,
): Iterable<Hit> {
  for (const [name, value] of Object.entries(values)) {
    const { attribute_type, reference_type } = attributes.get(name) ?? {};
    if (attribute_type !== "reference" || typeof reference_type !== "string") continue;
    if (!workspace.isManaged("catalog_entries", reference_type)) continue;
    const { exemptions } = workspace.configuration;
    for (const [key, pointer] of targetsIn(value, `/attributes/${name}`)) {
      if (workspace.resource("catalog_entries", key, reference_type) !== undefined) continue;
      // An ignored entry is in nobody's files, and may be live.
      if (isIgnored(exemptions, addressOf(entry.kind, reference_type, key))) continue;
      const made = entry.declared && originalText(entry.declared.origins, pointer);
      const message = `there is no ${entry.kind.title} "${made ?? key}" of ${reference_type}`;
      const keys = () => workspace.resources("catalog_entries", reference_type).map((target) => target.key);
      yield hit(
        entry,
        `/attributes/${name}`,
        message,
        guesses.guess(made === undefined ? key : slugOfName(made), keys),
      );
    }
  }
}

/** The keys of a value, which is one or a list, with their JSON Pointers. */
function targetsIn(value: Json, at: string): readonly (readonly [key: string, pointer: string])[] {
  if (typeof value === "string") return value === "" ? [] : [[value, at]];
  return listIn(value).map((item, index) => [String(item), `${at}/${index}`]);
}

function hit(entry: PlannedResource, at: string, problem: string, help: string | undefined): Hit {
  return { message: `${entry.address}: ${problem}`, help, ...placeOf(entry, at) };
}
