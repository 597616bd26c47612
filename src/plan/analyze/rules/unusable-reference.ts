/** A006: a reference to something that cannot be selected. */

import { labelOf } from "../../../config/load/references.ts";
import { isList } from "../../../core/json.ts";
import type { Reference } from "../../../kinds/model/lookup.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf, relatedPlace } from "../field-values.ts";
import { isEnabled, type PlannedResource, type PlannedWorkspace } from "../planned-workspace.ts";

export const unusableReference: Analyzer = {
  id: "A006",
  name: "unusable-reference",
  severity: "warning",
  title: "A condition or a rule references a disabled resource, or a resource or option that does not exist.",
  why: "No new incident can have the value, so the condition no longer works as intended, and the service refuses it when it is sent again.",
  fix: "Reference an enabled resource, or enable this one.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
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
}

function check(reference: Reference, resource: PlannedResource, workspace: PlannedWorkspace): Hit | undefined {
  const { kind, key, scope, option, elsewhere } = reference;
  // Only plan knows all lists that it can be in, and reports an error.
  if (elsewhere !== undefined) return undefined;
  const place = () => placeOf(resource, reference.at);
  const target = workspace.resource(kind, key, scope);
  if (target === undefined) {
    if (!isMissing(reference, workspace)) return undefined;
    return { message: `${resource.address} references ${kind}/${key}, which does not exist`, ...place() };
  }
  if (!isEnabled(target)) {
    const related = relatedPlace(target, "disabled here", `/${target.kind.lifecycle.disable}`);
    return { message: `${resource.address} references ${target.address}, which is disabled`, ...place(), ...related };
  }
  if (option === undefined) return undefined;
  const { options } = target.fields;
  if (!isList(options) || options.map(labelOf).includes(option)) return undefined;
  const related = relatedPlace(target, "its options are listed here", "/options");
  return { message: `${target.address} has no option "${option}"`, ...place(), ...related };
}

/** Whether the resource certainly does not exist: the configuration manages its list, or the list was read. */
function isMissing({ kind, key, scope }: Reference, workspace: PlannedWorkspace): boolean {
  if (!workspace.isManaged(kind, scope) && !workspace.isRead(kind, scope)) return false;
  return !workspace.isBuiltin(kind, key);
}
