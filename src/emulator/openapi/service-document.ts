/** The OpenAPI document of the interface, made from the endpoints of all modules, in the dialects of an emulator. */

import type { Fields } from "../../core/json.ts";
import { type Dialects, standardDialects } from "../dialects.ts";
import { openapiPath } from "../http/match-path.ts";
import { allModules } from "../modules/all-modules.ts";
import type { ServedEndpoint } from "../service/module.ts";
import { SchemaComponents } from "./components.ts";
import { errorComponents } from "./error-responses.ts";
import { pathItem, tagOf } from "./operations.ts";
import { anyDeliverySchema, webhookItems } from "./webhook-operations.ts";

const basePath = "/api/v1";

/** The sentences of tags of which there is more to say than their words, in the order of the document. */
const tags: { readonly [name: string]: string } = {
  incidents: "Incidents: declare, change, link, with their timeline, transcript, work, people and postmortem.",
  severities: "Severities, most severe first.",
  statuses: "Statuses, each of one lifecycle stage.",
  incident_types: "Types of incidents.",
  incident_roles: "Roles of people on an incident.",
  custom_fields: "Custom fields of incidents, with their options.",
  forms: "The four incident forms and their fields.",
  runbooks: "Runbooks, attached to incidents by their conditions.",
  catalog: "Catalog types and their entries.",
  alert_sources: "Sources of alerts.",
  alerts: "Alerts that sources send.",
  routing_rules: "Rules that decide about alerts, of the workspace or of one source.",
  routing: "The dry run of routing.",
  webhooks: "Webhooks, and the events that they deliver.",
  api_keys: "Service keys. An admin's personal token is needed.",
  agents: "Agents and their tokens. An admin's personal token is needed.",
  grants: "Abilities and permission sets of principals. An admin's personal token is needed.",
  abilities: "Abilities that can be granted. An admin's personal token is needed.",
  principals: "Members, agents and service keys. An admin's personal token is needed.",
  permission_sets: "Named sets of abilities. An admin's personal token is needed.",
};

/** The document of the interface. Throws if two schemas have the same title. */
export function openapi(dialects: Dialects = standardDialects): Fields {
  const endpoints = allModules.flatMap((module) => module.endpoints);
  const components = new SchemaComponents();
  const paths = [...new Set(endpoints.map(({ path }) => path))].sort();
  const items = paths.map((path): [string, Fields] => [
    `${basePath}${openapiPath(path)}`,
    pathItem(
      components,
      path,
      endpoints.filter((endpoint) => endpoint.path === path),
      dialects,
    ),
  ]);
  const webhooks = webhookItems(components);
  const shared = errorComponents(components);
  components.add(anyDeliverySchema);
  return {
    openapi: "3.1.0",
    info: {
      title: "Incident management service",
      version: "1",
      description: `The interface as the emulator serves it.${dialectText(dialects)}`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(tagsOf(endpoints)).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(items),
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A service key, an agent's token or a personal token." },
      },
      ...shared,
      schemas: components.all,
    },
  };
}

/** The sentence of every tag. One that has none of its own is said in its words: `alert_sources` as "Alert sources." */
function tagsOf(endpoints: readonly ServedEndpoint[]): { readonly [name: string]: string } {
  const words = endpoints.map(tagOf).map((tag): [string, string] => {
    return [tag, `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll("_", " ")}.`];
  });
  return { ...tags, ...Object.fromEntries(words.filter(([tag]) => !Object.hasOwn(tags, tag))) };
}

/** The sentence about dialects that differ from the standard; empty if none does. */
function dialectText(dialects: Dialects): string {
  const changed = Object.entries(dialects).filter(
    ([name, value]) => standardDialects[name as keyof Dialects] !== value,
  );
  const switches = changed.map(([name, value]) => `${name}=${value}`);
  return switches.length === 0 ? "" : ` Its dialects are ${switches.join(", ")}.`;
}
