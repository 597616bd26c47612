/** A008: a service key with more permissions than it needs. */

import { isFields, listIn } from "../../../core/json.ts";
import { permissionOf } from "../../../kinds/model/kind.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf } from "../field-values.ts";
import { isEnabled, type PlannedResource, type PlannedWorkspace } from "../planned-workspace.ts";

export const broadKey: Analyzer = {
  id: "A008",
  name: "broad-key",
  severity: "warning",
  title: "A service key can change more of the workspace than it needs to.",
  why: "Keys leak from the environment of the programs that use them. A key that can change routing rules can make sure that nobody is paged.",
  fix: "Remove the permissions. If it is the key that applies this configuration, set protected: true, and let it write only the kinds that the configuration manages.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  const kinds = workspace.kinds.filter(({ endpoint }) => endpoint.admin !== true);
  const resources = [...new Set(kinds.map(permissionOf))];
  const managed = new Set(kinds.filter(({ name }) => workspace.managedScopes(name).length > 0).map(permissionOf));
  for (const key of workspace.resources("api_keys")) {
    if (key.declared === undefined || !isEnabled(key)) continue;
    const written = resources.filter((resource) => actions(key, resource).some((action) => action !== "read"));
    const problem = key.declared.protected
      ? unmanagedPermissions(key, written, managed)
      : broadPermissions(key, written, resources.length);
    if (problem !== undefined) yield problem;
  }
}

/** For a protected key, which applies the configuration: permissions for kinds that the configuration does not manage. */
function unmanagedPermissions(
  key: PlannedResource,
  written: readonly string[],
  managed: ReadonlySet<string>,
): Hit | undefined {
  const unmanaged = written.filter((resource) => !managed.has(resource));
  const [first] = unmanaged;
  if (first === undefined) return undefined;
  const message = `${key.address} can write ${unmanaged.join(", ")}, which the configuration does not manage`;
  return { message, ...placeOf(key, `/permissions/${first}`) };
}

/** For any other key: permissions to delete, or to write more than half of the kinds. */
function broadPermissions(key: PlannedResource, written: readonly string[], all: number): Hit | undefined {
  const deletable = written.filter((resource) => actions(key, resource).includes("delete"));
  const [first] = deletable;
  if (first !== undefined) {
    const message = `${key.address} can delete ${deletable.join(", ")} and is not the key that applies the configuration`;
    return { message, ...placeOf(key, `/permissions/${first}`) };
  }
  if (written.length <= Math.floor(all / 2)) return undefined;
  const message = `${key.address} can write ${written.length} of ${all} kinds and is not the key that applies the configuration`;
  return { message, ...placeOf(key, "/permissions") };
}

function actions({ fields }: PlannedResource, resource: string): readonly string[] {
  return isFields(fields.permissions) ? listIn(fields.permissions[resource]).map(String) : [];
}
