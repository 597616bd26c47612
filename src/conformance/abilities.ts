/** The abilities that requests need, and those that a token lacks. */

import type { Client } from "./client.ts";
import { type ConfigurationResource, resources } from "./fixtures/configuration-resources.ts";
import { unknownId } from "./value-shape.ts";

/** A resource with an action, as the document writes it: `incidents: update`. */
export type NamedAbility = `${string}: ${"read" | "create" | "update" | "delete"}`;

const actions = { GET: "read", POST: "create", PATCH: "update", DELETE: "delete" } as const;

/** The resources that permissions name, by the first word of a path. */
const resourceOfPath: ReadonlyMap<string, string> = new Map([
  ...resources.map(({ path, permission }): [string, string] => [path.replace(/\/.*/, ""), permission]),
  ["incidents", "incidents"],
  ["forms", "forms"],
  ["routing_rules", "policies"],
  ["routing", "policies"],
  ["grants", "permissions"],
]);

/** Only an administrator's personal token reaches them. */
const adminResources: readonly ConfigurationResource[] = resources.filter(({ admin }) => admin);

/** The ability that the request needs; undefined if the document names none. The path is relative to the base URL. */
export function abilityOf(method: string, path: string): NamedAbility | undefined {
  const words = /^\/api\/v1\/([^?]*)/.exec(path)?.[1]?.split("/") ?? [];
  const resource = resourceOfPath.get(words[0] ?? "");
  if (resource === undefined || !(method in actions)) return undefined;
  if (words[0] === "incidents" && words[2] === "transcript") return "incident_transcripts: read";
  if (words[0] === "routing") return `${resource}: read`;
  // What responders do with an incident changes it, and their action items are listed to them alone.
  const isReading = method === "GET" && words[2] !== "action_items";
  if (words[0] === "incidents" && words.length > 2) return `${resource}: ${isReading ? "read" : "update"}`;
  return `${resource}: ${actions[method as keyof typeof actions]}`;
}

/** Requests that change nothing, one for each ability: without the ability they are refused with 403, and otherwise in another way. */
const probes: readonly (readonly [method: keyof typeof actions, path: string])[] = [
  ["GET", "incidents?per_page=1"],
  ["POST", "incidents"],
  ["PATCH", `incidents/${unknownId}`],
  ["GET", `incidents/${unknownId}/transcript`],
  ["GET", "forms/declare"],
  ["PATCH", "forms/declare"],
  ["GET", "routing_rules"],
  ["POST", "routing_rules"],
  ["PATCH", "routing_rules/999999"],
  ["DELETE", "routing_rules/999999"],
  ...resources
    .filter(({ admin }) => !admin)
    .flatMap(({ path }) =>
      Object.keys(actions).map((method): readonly [keyof typeof actions, string] => [
        method as keyof typeof actions,
        method === "GET" || method === "POST" ? path : `${path}/${unknownId}`,
      ]),
    ),
];

/** The abilities that the token lacks. An administrator's personal token has all of them, so nothing else is asked then. */
export async function findLackingAbilities(client: Client): Promise<readonly NamedAbility[]> {
  const isRefused = async (method: keyof typeof actions, path: string): Promise<boolean> => {
    const requests = {
      GET: () => client.get(path),
      POST: () => client.post(path),
      PATCH: () => client.patch(path),
      DELETE: () => client.delete(path),
    };
    return (await requests[method]()).status === 403;
  };
  for (const { path } of adminResources) if (!(await isRefused("GET", path))) return [];
  const lacking: NamedAbility[] = adminResources.flatMap(({ permission }) =>
    Object.values(actions).map((action): NamedAbility => `${permission}: ${action}`),
  );
  for (const [method, path] of probes) {
    const ability = abilityOf(method, `/api/v1/${path}`);
    if (ability !== undefined && (await isRefused(method, path))) lacking.push(ability);
  }
  return lacking;
}
