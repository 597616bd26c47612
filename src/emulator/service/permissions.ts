/** Abilities: all of them, those that can be granted, and those of a member's personal token. */

/** An action on a resource. */
type PermissionAction = "read" | "create" | "update" | "delete";

/** A resource that permissions name. A type error about a new one shows this name, which leads here: the lists below need it. */
export type ResourceInPermissionsTs = (typeof grantableResources)[number] | (typeof adminResources)[number];

/** The ability that an endpoint requires: `<resource>.<action>`. */
export type Ability = `${ResourceInPermissionsTs}.${PermissionAction}`;

/** The requirement on the token of a request: an ability, or any valid token. */
export type RequirementInPermissionsTs = Ability | "token";

const actions: readonly ["read", "create", "update", "delete"] = ["read", "create", "update", "delete"];

const grantableResources = [
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

const adminResources = ["integrations", "api_keys", "permissions", "workspace", "ai_accounts"] as const;

/** Every ability that can be granted to a service key or an agent. */
export const grantableAbilities: readonly Ability[] = grantableResources.flatMap((resource) => {
  // The map has no other action than read.
  return (resource === "map" ? (["read"] as const) : actions).map((action): Ability => `${resource}.${action}`);
});

/** The schemas of lists of actions that can be granted, by resource. */
export const grantableActions: {
  readonly [resource: string]: {
    readonly type: "array";
    readonly items: { readonly type: "string"; readonly enum: readonly PermissionAction[] };
  };
} = Object.fromEntries(
  grantableResources.map((resource) => {
    const granted = actions.filter((action) => isGrantable(`${resource}.${action}`));
    return [resource, { type: "array", items: { type: "string", enum: granted } }];
  }),
);

/** Whether the text names an ability that can be granted. */
export function isGrantable(text: string): text is Ability {
  return grantableAbilities.some((ability) => ability === text);
}

/** Whether a member's personal token has the ability: every read, and creating and updating incidents. */
export function isMemberAbility(ability: Ability): boolean {
  if (ability === "incidents.create" || ability === "incidents.update") return true;
  return ability.endsWith(".read") && isGrantable(ability);
}

export const riskLevels = ["read", "write", "destructive"] as const;

export function riskLevel(ability: Ability): (typeof riskLevels)[number] {
  if (ability.endsWith(".read")) return "read";
  return ability.endsWith(".delete") ? "destructive" : "write";
}

const labels: ReadonlyMap<string, string> = new Map([
  ["catalog", "Catalogue"],
  ["policies", "Alert Routing"],
]);

/** The display name of the ability's resource, by which abilities are grouped. */
export function abilityGroup(ability: Ability): string {
  const [resource = ""] = ability.split(".");
  const words = resource.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return labels.get(resource) ?? words.join(" ");
}

/** The kind of a principal: a member of the workspace, an agent, or a service key. */
export type PrincipalKind = (typeof principalKinds)[number];

export const principalKinds = ["user", "agent", "api_key"] as const;

/** The principal of a request. */
export interface Principal {
  readonly kind: PrincipalKind;
  readonly id: string;
  readonly name: string;
  /** Null for machines. */
  readonly email: string | null;
  /** True for a person with every permission. */
  readonly admin: boolean;
  /** The token's id, by which requests are counted. */
  readonly token_id: string;
}
