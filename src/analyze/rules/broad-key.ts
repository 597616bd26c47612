/** A008: a service key that may do more than anything here says it is for. */

import { isFields } from "../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { about, textsOf } from "../reading.ts";
import { isEnabled, type Subject, type View } from "../view.ts";

export const broadKey: Analyzer = {
  id: "A008",
  name: "broad-key",
  severity: "warning",
  title: "A service key may change more of the configuration than the files say it is for.",
  why: "A key lies in a program's environment and leaks from there. One that can rewrite the routing rules can make sure that nobody is woken.",
  fix: "Take the permissions away. The key that applies these files says so by protected: true, and needs to write only the kinds that they manage.",
  find,
};

/** The permissions that change configuration, and the kind that shows whether the files manage it. */
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

/** Half of the resources, rounded down: whoever writes more of them writes the configuration as a whole. */
const HALF = Math.floor(Object.keys(KINDS).length / 2);

function* find(view: View): Iterable<Hit> {
  for (const key of view.subjects("api_keys")) {
    if (key.declared === undefined || !isEnabled(key)) continue;
    const hit = key.declared.protected ? beyondTheFiles(key, view) : unexplained(key);
    if (hit !== undefined) yield hit;
  }
}

/** A protected key is the one that applies the files: it writes what they manage. */
function beyondTheFiles(key: Subject, view: View): Hit | undefined {
  const beyond = writable(key).filter((resource) => view.scopes(KINDS[resource] ?? "").length === 0);
  const [first] = beyond;
  if (first === undefined) return undefined;
  const message = `${key.address} may write ${beyond.join(", ")}, which these files do not manage`;
  return { message, ...about(key, `/permissions/${first}`) };
}

function unexplained(key: Subject): Hit | undefined {
  const deletable = writable(key).filter((resource) => actions(key, resource).includes("delete"));
  const [first] = deletable;
  if (first !== undefined) {
    const message = `${key.address} may delete ${deletable.join(", ")}, and nothing says that it applies these files`;
    return { message, ...about(key, `/permissions/${first}`) };
  }
  const written = writable(key).length;
  if (written <= HALF) return undefined;
  const of = Object.keys(KINDS).length;
  return {
    message: `${key.address} may write ${written} of the ${of} kinds of configuration, and nothing says that it applies these files`,
    ...about(key, "/permissions"),
  };
}

function writable(key: Subject): readonly string[] {
  return Object.keys(KINDS).filter((resource) => actions(key, resource).some((action) => action !== "read"));
}

function actions({ fields }: Subject, resource: string): readonly string[] {
  return isFields(fields.permissions) ? textsOf(fields.permissions[resource]) : [];
}
