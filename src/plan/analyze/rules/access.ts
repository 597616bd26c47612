/** Analyzers of what programs may do and where events are sent: service keys, grants, webhooks. */

import { isFields, listIn } from "../../../core/json.ts";
import { parseUrl } from "../../../core/url.ts";
import { permissionOf } from "../../../kinds/model/kind.ts";
import { type Analyzer, type Hit, placeOf, relatedPlace } from "../analyzer.ts";
import { isEnabled, type PlannedResource } from "../planned-workspace.ts";

/** A service key with more permissions than it needs. */
export const broadKey: Analyzer = {
  id: "A008",
  name: "broad-key",
  severity: "warning",
  title: "A service key can change more of the workspace than it needs to.",
  why: "Keys leak from the environment of the programs that use them. A key that can change routing rules can make sure that nobody is paged.",
  fix: "Remove the permissions. If it is the key that applies this configuration, set protected: true, and let it write only the kinds that the configuration manages.",
  *find(workspace) {
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
  },
};

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

function actions(key: PlannedResource, resource: string): readonly string[] {
  const { permissions } = key.fields;
  const all = isFields(permissions) ? listIn(permissions[resource]).map(String) : [];
  return all.filter((_, index) => !key.isUnknown(`/permissions/${resource}/${index}`));
}

/** Days before the end of a grant from which it is reported. */
const DAYS = 14;

/** A grant that has expired or expires soon. */
export const endingGrant: Analyzer = {
  id: "A012",
  name: "ending-grant",
  severity: "warning",
  title: `A grant of an agent has expired or expires within ${DAYS} days.`,
  why: "An agent that loses an ability stops in the middle of an incident, and its error looks like a failure of the service.",
  fix: "Set a later expires_at, or remove the grant.",
  *find(workspace) {
    const horizon = workspace.now.getTime() + DAYS * 86_400_000;
    for (const scope of workspace.managedScopes("grants")) {
      const agent = workspace.resource("agents", scope);
      if (agent !== undefined && !isEnabled(agent)) continue;
      for (const grant of workspace.resources("grants", scope)) {
        const { expires_at } = grant.fields;
        const end = typeof expires_at === "string" ? Date.parse(expires_at) : Number.NaN;
        if (grant.declared === undefined || Number.isNaN(end) || end > horizon) continue;
        // Names the date and not the days left, so that the message does not change every day.
        const date = new Date(end).toISOString().slice(0, 10);
        const message =
          end <= workspace.now.getTime()
            ? `${grant.address} has expired on ${date}: delete its line, or write a later time`
            : `${grant.address} expires on ${date}`;
        yield { message, ...placeOf(grant, "/expires_at") };
      }
    }
  },
};

/** A webhook over plain http, or two webhooks with the same URL. */
export const webhookAddress: Analyzer = {
  id: "A007",
  name: "webhook-address",
  severity: "warning",
  title: "A webhook uses plain http, or two webhooks have the same URL.",
  why: "With http, anybody on the network path can read and change every delivery. Two webhooks with the same URL deliver each event twice, and disabling one of them does not stop the deliveries.",
  fix: "Use https. Merge webhooks with the same URL into one.",
  *find(workspace) {
    if (!workspace.isManaged("webhooks")) return;
    const firsts = new Map<string, PlannedResource>();
    for (const webhook of workspace.resources("webhooks")) {
      const { url } = webhook.fields;
      const parsed = typeof url === "string" ? parseUrl(url) : undefined;
      if (parsed === undefined || !isEnabled(webhook)) continue;
      const { protocol, href } = parsed;
      if (protocol === "http:" && webhook.declared !== undefined) {
        yield { message: `${webhook.address} sends over plain http`, ...placeOf(webhook, "/url") };
      }
      const first = firsts.get(href);
      if (first === undefined) firsts.set(href, webhook);
      else yield sameUrl(first, webhook);
    }
  },
};

/** A hit that does not contain the URL, since it may contain a secret. */
function sameUrl(first: PlannedResource, second: PlannedResource): Hit {
  const [other, own] = second.declared === undefined ? [second, first] : [first, second];
  const shared = new Set(listIn(other.fields.subscribed_events).map(String));
  const events = listIn(own.fields.subscribed_events).map(String);
  const known = other.fields.subscribed_events !== undefined && own.fields.subscribed_events !== undefined;
  const apart = known && !events.some((event) => shared.has(event));
  return {
    message: `${own.address} has the same URL as ${other.address}`,
    ...placeOf(own, "/url"),
    ...relatedPlace(other, "the other one", "/url"),
    ...(apart ? { severity: "note" } : {}),
  };
}
