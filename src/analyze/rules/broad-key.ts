/** A008: a service key with more permissions than it needs. */

import { isFields } from "../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf, textsIn } from "../field-values.ts";
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

/** Permissions that change the workspace, with the kind that each of them is for. */
const KINDS: Readonly<Record<string, string>> = {
  severities: "severities",
  statuses: "statuses",
  incident_types: "incident_types",
  incident_roles: "incident_roles",
  custom_fields: "custom_fields",
  forms: "forms",
  catalog: "catalog_types",
  alerts: "alert_sources",
  policies: "routing_rules",
  runbooks: "runbooks",
  webhooks: "webhooks",
};

/** Half of the permissions, rounded down: a key with more of them can write most of the workspace. */
const HALF = Math.floor(Object.keys(KINDS).length / 2);

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const key of workspace.resources("api_keys")) {
    if (key.declared === undefined || !isEnabled(key)) continue;
    const problem = key.declared.protected ? unmanagedPermissions(key, workspace) : broadPermissions(key);
    if (problem !== undefined) yield problem;
  }
}

/** For a protected key, which applies the configuration: permissions for kinds that the configuration does not manage. */
function unmanagedPermissions(key: PlannedResource, workspace: PlannedWorkspace): Hit | undefined {
  const unmanaged = writable(key).filter((resource) => workspace.managedScopes(KINDS[resource] ?? "").length === 0);
  const [first] = unmanaged;
  if (first === undefined) return undefined;
  const message = `${key.address} can write ${unmanaged.join(", ")}, which the configuration does not manage`;
  return { message, ...placeOf(key, `/permissions/${first}`) };
}

function broadPermissions(key: PlannedResource): Hit | undefined {
  const deletable = writable(key).filter((resource) => actions(key, resource).includes("delete"));
  const [first] = deletable;
  if (first !== undefined) {
    const message = `${key.address} can delete ${deletable.join(", ")} and is not the key that applies the configuration`;
    return { message, ...placeOf(key, `/permissions/${first}`) };
  }
  const written = writable(key).length;
  if (written <= HALF) return undefined;
  const of = Object.keys(KINDS).length;
  return {
    message: `${key.address} can write ${written} of ${of} kinds and is not the key that applies the configuration`,
    ...placeOf(key, "/permissions"),
  };
}

function writable(key: PlannedResource): readonly string[] {
  return Object.keys(KINDS).filter((resource) => actions(key, resource).some((action) => action !== "read"));
}

function actions({ fields }: PlannedResource, resource: string): readonly string[] {
  return isFields(fields.permissions) ? textsIn(fields.permissions[resource]) : [];
}
