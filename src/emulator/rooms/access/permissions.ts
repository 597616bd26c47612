/** Permissions: the abilities the service knows, which of them can be granted, and what a member's own token may do. */

/** What can be done to a resource. */
export type Action = "read" | "create" | "update" | "delete";

/** A resource that permissions are granted on. */
export type GrantableResource = (typeof grantable)[number];

/** A resource only an admin's personal token reaches; nobody can be granted it. */
export type AdminResource = (typeof adminOnly)[number];

/** What an endpoint checks: `<resource>.<action>`. */
export type Ability = `${GrantableResource | AdminResource}.${Action}`;

const actions: readonly ["read", "create", "update", "delete"] = ["read", "create", "update", "delete"];

const grantable = [
  "incidents",
  "severities",
  "statuses",
  "incident_types",
  "incident_roles",
  "custom_fields",
  "forms",
  "catalog",
  "alerts",
  "policies",
  "runbooks",
  "approvals",
  "webhooks",
  "incident_transcripts",
  "investigations",
  "chats",
  "memory",
  "map",
  "handbook",
] as const;

const adminOnly = ["integrations", "api_keys", "permissions", "workspace", "ai_accounts"] as const;

/** Every ability that can be granted to a service key or an agent. */
export const grantableAbilities: readonly Ability[] = grantable.flatMap((resource) => {
  // The map is only ever read.
  return (resource === "map" ? (["read"] as const) : actions).map((action): Ability => `${resource}.${action}`);
});

/** Whether the text names an ability that can be granted; admin-only and unknown ones cannot. */
export function isGrantable(text: string): text is Ability {
  return grantableAbilities.some((ability) => ability === text);
}

/** Whether an ordinary member's personal token holds the ability: reading, and declaring and updating incidents. */
export function memberMay(ability: Ability): boolean {
  if (ability === "incidents.create" || ability === "incidents.update") return true;
  return ability.endsWith(".read") && isGrantable(ability);
}

/** How much harm an ability can do. */
export function riskOf(ability: Ability): "read" | "write" | "destructive" {
  if (ability.endsWith(".read")) return "read";
  return ability.endsWith(".delete") ? "destructive" : "write";
}

const labels: ReadonlyMap<string, string> = new Map([
  ["catalog", "Catalogue"],
  ["policies", "Alert Routing"],
]);

/** What the resource of an ability is called for people: the group it is listed in. */
export function labelOf(ability: Ability): string {
  const [resource = ""] = ability.split(".");
  const words = resource.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return labels.get(resource) ?? words.join(" ");
}
