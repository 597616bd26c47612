/** The OpenAPI document of the interface, made from the endpoints of all modules, in the dialects of an emulator. */

import type { Fields } from "../../core/json.ts";
import { type Dialects, standardDialects } from "../dialects.ts";
import type { ErrorStatus } from "../http/http-error.ts";
import { schemaInDialect } from "../http/response-schema.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import { allModules } from "../modules/all-modules.ts";
import type { ServedEndpoint } from "../service/module.ts";
import { type DocumentOperation, openapiDocument } from "./document.ts";
import { anyDeliverySchema, webhookOperations } from "./webhook-operations.ts";

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

const parameters: { readonly [name: string]: ValueSchema } = {
  id: { type: "string", description: "The id." },
  slug: { type: "string", description: "The slug; of an alert source, the endpoint path." },
  prefix: { type: "string", description: "The first twelve characters of the token." },
  priority: { type: "integer", minimum: 1, description: "The priority of the rule within its scope." },
  item_id: { type: "string", description: "The id of the action item." },
  note_id: { type: "string", description: "The id of the timeline event." },
};

/** The document of the interface. */
export function openapi(dialects: Dialects = standardDialects): Fields {
  const changed = Object.entries(dialects).filter(
    ([name, value]) => standardDialects[name as keyof Dialects] !== value,
  );
  const switches = changed.map(([name, value]) => `${name}=${value}`);
  const spoken = switches.length === 0 ? "" : ` Its dialects are ${switches.join(", ")}.`;
  return openapiDocument({
    info: {
      title: "Incident management service",
      version: "1",
      description: `The interface as the emulator serves it.${spoken}`,
    },
    basePath: "/api/v1",
    tokenDescription: "A service key, an agent's token or a personal token.",
    tags,
    parameters,
    webhooks: webhookOperations,
    schemas: [anyDeliverySchema],
    operations: allModules.flatMap(({ endpoints }) => endpoints.map((endpoint) => operation(endpoint, dialects))),
  });
}

function operation(endpoint: ServedEndpoint, dialects: Dialects): DocumentOperation {
  const { operationId, method, path, summary, requiredAbility, query = {}, body, responses, member } = endpoint;
  const [tag = ""] = path.slice(1).split("/");
  const schemas = Object.entries(responses).map(([status, schema]): [string, ValueSchema | null] => {
    return [status, schema === null ? null : schemaInDialect(schema, dialects, member)];
  });
  return {
    operationId,
    method,
    path,
    tag,
    summary,
    description: requiredAbility === "token" ? "Any valid token." : `The token needs the ability ${requiredAbility}.`,
    query,
    ...(body === undefined ? {} : { body }),
    responses: Object.fromEntries(schemas),
    errors: errorsOf(endpoint),
    extensions: { "x-required-ability": requiredAbility },
  };
}

/** The errors that the endpoint lists, and those that every endpoint of its kind can have. */
function errorsOf({ method, path, requiredAbility, errors = [] }: ServedEndpoint): readonly ErrorStatus[] {
  return [
    401,
    // Of every request: a text with the character U+0000 is refused, in the query too.
    422,
    429,
    ...(requiredAbility === "token" ? [] : ([403] as const)),
    ...(path.includes(":") ? ([404] as const) : []),
    // The body of every request but a GET is read.
    ...(method === "GET" ? [] : ([400] as const)),
    ...errors,
  ];
}
