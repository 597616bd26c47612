/**
 * Alert sources: addressed by an endpoint path that the service generates. Deleting a source deletes its rule set and
 * its alerts.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, present, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { boolean, enumText, key, type Table, table, uniqueText } from "../../store/table.ts";
import { alerts } from "./alert.ts";
import { removeRuleSet } from "./routing-rule-sets.ts";

/** An alert source. */
export interface AlertSourceRow {
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
  readonly enabled: boolean;
  /** The endpoint path: the source posts its alerts to /api/v1/alerts/<slug>. */
  readonly slug: string;
}

/** The system that sends the alerts. */
export type Provider = (typeof providers)[number];

/** Every provider; the first is the default. */
export const providers = ["generic", "northflank", "datadog", "grafana", "alertmanager"] as const;

/** The alert sources. */
export const alertSourceTable: Table<AlertSourceRow> = table("alert_sources", {
  id: key,
  name: uniqueText,
  provider: enumText(),
  enabled: boolean,
  slug: uniqueText,
});

const name = {
  type: ["string", "null"],
  description: "Unique in the workspace; routing rules name the source by it.",
  examples: ["Grafana"],
} as const;

const createBody = {
  type: "object",
  properties: {
    name,
    provider: { type: ["string", "null"], description: `One of ${providers.join(", ")}; generic when left out.` },
  },
  required: ["name"],
} as const satisfies BodySchema;

const updateBody = {
  type: "object",
  properties: { name, enabled: { type: ["boolean", "null"], description: "false stops taking alerts." } },
} as const satisfies BodySchema;

const alertSource = objectSchema("AlertSource", {
  id: uuid,
  name: { type: "string", examples: ["Grafana"] },
  provider: { type: "string", enum: providers },
  enabled: { type: "boolean" },
  slug: {
    type: "string",
    description: "The endpoint path: alerts are posted to /api/v1/alerts/ and this.",
    examples: ["hV5mZc0kR2uXwq7Yb1Tn9sLd"],
  },
});

/** The module of /api/v1/alert_sources. */
export const alertSources: ServiceModule = {
  tables: [alertSourceTable],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/alert_sources",
      operationId: "listAlertSources",
      summary: "Lists the alert sources by name.",
      requiredAbility: "alerts.read",
      responses: { 200: objectSchema("AlertSourceList", { alert_sources: listOf(alertSource) }) },
      handle: ({ database }) => {
        const rows = database.list(alertSourceTable, {}, { order: "name" });
        return ok({ alert_sources: rows.map((row) => present(alertSource, row)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/alert_sources",
      operationId: "createAlertSource",
      summary: "Creates an alert source, enabled.",
      requiredAbility: "alerts.create",
      body: createBody,
      member: "alert_source",
      responses: { 201: alertSource },
      handle: (request) => created(present(alertSource, create(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/alert_sources/:slug",
      operationId: "updateAlertSource",
      summary: "Renames an alert source, or switches it off or on.",
      requiredAbility: "alerts.update",
      body: updateBody,
      member: "alert_source",
      responses: { 200: alertSource },
      handle: (request) => ok(present(alertSource, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/alert_sources/:slug",
      operationId: "deleteAlertSource",
      summary: "Deletes an alert source with its rule set and its alerts.",
      requiredAbility: "alerts.delete",
      responses: { 204: null },
      handle: ({ database, param }) => {
        const { id } = findBySlug(database, param("slug"));
        removeRuleSet(database, id);
        database.remove(alerts, { source_id: id });
        database.remove(alertSourceTable, { id });
        return noContent;
      },
    }),
  ],
};

/** The source with this name, under which routing refers to it. Throws 404 if there is none. */
export function findAlertSource(database: Database, name: string): AlertSourceRow {
  return requireFound(database.find(alertSourceTable, { name }));
}

function create({ database, body }: RequestContext<SchemaValue<typeof createBody>>): AlertSourceRow {
  const row: AlertSourceRow = {
    id: randomUUID(),
    name: readFreeName(database, body.name),
    provider: readProvider(body.provider),
    enabled: true,
    slug: randomBytes(18).toString("base64url"),
  };
  database.insert(alertSourceTable, row);
  return row;
}

function update({ database, body, param }: RequestContext<SchemaValue<typeof updateBody>>): AlertSourceRow {
  const { id, slug } = findBySlug(database, param("slug"));
  database.update(alertSourceTable, id, {
    ...(body.name == null ? {} : { name: readFreeName(database, body.name, id) }),
    ...(body.enabled == null ? {} : { enabled: body.enabled }),
  });
  return findBySlug(database, slug);
}

/** The name. Throws 422 if another source than the one with this id (undefined for a new one) has it. */
function readFreeName(database: Database, input: string | null | undefined, id?: string): string {
  const name = readName(input);
  const other = database.find(alertSourceTable, { name });
  if (other !== undefined && other.id !== id)
    throw validationError({ field: "name", message: "has already been taken" });
  return name;
}

function readProvider(input: string | null | undefined): Provider {
  const provider = input == null || input === "" ? providers[0] : providers.find((candidate) => candidate === input);
  if (provider === undefined)
    throw validationError({ field: "provider", message: `must be one of ${providers.join(", ")}` });
  return provider;
}

function findBySlug(database: Database, slug: string): AlertSourceRow {
  return requireFound(database.find(alertSourceTable, { slug }));
}
