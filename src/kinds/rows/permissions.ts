/** The permissions of service keys and the abilities of agents: an ability is a resource and an action, such as incidents.read. */

import { type Kind, permissionOf } from "../model/kind.ts";

/** Resources without a kind that can be granted. */
const OTHER_RESOURCES: readonly string[] = [
  "incidents",
  "approvals",
  "incident_transcripts",
  "investigations",
  "chats",
  "memory",
  "map",
  "handbook",
];

/** Resources without a kind that only an admin's personal token can access. */
const OTHER_ADMIN_RESOURCES: readonly string[] = ["integrations", "workspace", "ai_accounts"];

/** The actions on every resource. */
const ACTIONS: readonly string[] = ["read", "create", "update", "delete"];

/** Resources with fewer actions. */
const FEWER_ACTIONS: ReadonlyMap<string, readonly string[]> = new Map([["map", ["read"]]]);

/** The resources that can be granted. */
export function grantableResources(kinds: readonly Kind[]): readonly string[] {
  const ofKinds = kinds.filter(({ endpoint }) => endpoint.admin !== true).map(permissionOf);
  return [...new Set([...ofKinds, ...OTHER_RESOURCES])];
}

/** The resources that only an admin's personal token can access. */
export function administeredResources(kinds: readonly Kind[]): readonly string[] {
  return [...kinds.filter(({ endpoint }) => endpoint.admin === true).map(permissionOf), ...OTHER_ADMIN_RESOURCES];
}

/** The actions on a resource. */
export function actionsOn(resource: string): readonly string[] {
  return FEWER_ACTIONS.get(resource) ?? ACTIONS;
}

/** Every ability that can be granted. */
export function grantableAbilities(kinds: readonly Kind[]): readonly string[] {
  return grantableResources(kinds).flatMap((resource) => actionsOn(resource).map((action) => `${resource}.${action}`));
}
