/** Alert sources: addressed by an endpoint path that the service makes; deleting one takes its rule set and its alerts with it. */

import { randomBytes, randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { invalid, notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { boolean, key, type Table, table, uniqueText, word } from "../../store/table.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { alerts } from "./alert.ts";
import { removeRuleSet } from "./routing-rule-sets.ts";

/** An alert source. */
export interface AlertSourceRow {
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
  readonly enabled: boolean;
  /** The endpoint path: alerts are taken at /api/v1/alerts/<slug>. */
  readonly slug: string;
}

/** A system that alerts come from. */
export type Provider = (typeof providers)[number];

/** Every provider; a source has the first unless another is named. */
export const providers = ["generic", "northflank", "datadog", "grafana", "alertmanager"] as const;

/** The alert sources. */
export const alertSourceTable: Table<AlertSourceRow> = table("alert_sources", {
  id: key,
  name: uniqueText,
  provider: word(),
  enabled: boolean,
  slug: uniqueText,
});

const name = {
  type: ["string", "null"],
  description: "Unique in the workspace; routing rules name the source by it.",
} as const;

const createBody = {
  type: "object",
  properties: {
    name,
    provider: { type: ["string", "null"], description: `One of ${providers.join(", ")}; generic when left out.` },
  },
  required: ["name"],
} as const satisfies BodyShape;

const updateBody = {
  type: "object",
  properties: { name, enabled: { type: ["boolean", "null"], description: "false stops taking alerts." } },
} as const satisfies BodyShape;

/** The room of /api/v1/alert_sources. */
export const alertSources: Room = {
  tables: [alertSourceTable],
  routes: [
    route({
      method: "GET",
      path: "/alert_sources",
      summary: "Lists the alert sources by name.",
      needs: "alerts.read",
      handle: ({ database }) => {
        const rows = database.list(alertSourceTable, {}, { order: "name" });
        return ok({ alert_sources: rows.map(shown) });
      },
    }),
    route({
      method: "POST",
      path: "/alert_sources",
      summary: "Creates an alert source, enabled.",
      needs: "alerts.create",
      body: createBody,
      handle: (call) => created(member("alert_source", shown(create(call)), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/alert_sources/:slug",
      summary: "Renames an alert source, or switches it off or on.",
      needs: "alerts.update",
      body: updateBody,
      handle: (call) => ok(member("alert_source", shown(update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/alert_sources/:slug",
      summary: "Deletes an alert source with its rule set and its alerts.",
      needs: "alerts.delete",
      handle: ({ database, param }) => {
        const { id } = bySlug(database, param("slug"));
        removeRuleSet(database, id);
        database.remove(alerts, { source_id: id });
        database.remove(alertSourceTable, { id });
        return noContent;
      },
    }),
  ],
};

/** The source of this name, which is how routing refers to it. Throws 404 when there is none. */
export function alertSourceNamed(database: Database, name: string): AlertSourceRow {
  const row = database.find(alertSourceTable, { name });
  if (row === undefined) throw notFound();
  return row;
}

function shown({ id, name, provider, enabled, slug }: AlertSourceRow): Fields {
  return { id, name, provider, enabled, slug };
}

function create({ database, body }: Call<ValueOf<typeof createBody>>): AlertSourceRow {
  const row: AlertSourceRow = {
    id: randomUUID(),
    name: nameOf(database, body.name ?? "", undefined),
    provider: providerOf(body.provider),
    enabled: true,
    slug: randomBytes(18).toString("base64url"),
  };
  database.insert(alertSourceTable, row);
  return row;
}

function update({ database, body, param }: Call<ValueOf<typeof updateBody>>): AlertSourceRow {
  const { id, slug } = bySlug(database, param("slug"));
  database.update(alertSourceTable, id, {
    ...(body.name == null ? {} : { name: nameOf(database, body.name, id) }),
    ...(body.enabled == null ? {} : { enabled: body.enabled }),
  });
  return bySlug(database, slug);
}

/** The name, once it is known to be free for the source with this id (undefined for a new one). */
function nameOf(database: Database, sent: string, id: string | undefined): string {
  const name = sent.trim();
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  const other = database.find(alertSourceTable, { name });
  if (other !== undefined && other.id !== id) throw invalid({ field: "name", message: "has already been taken" });
  return name;
}

function providerOf(sent: string | null | undefined): Provider {
  const provider = sent == null || sent === "" ? providers[0] : providers.find((known) => known === sent);
  if (provider === undefined) throw invalid({ field: "provider", message: `must be one of ${providers.join(", ")}` });
  return provider;
}

function bySlug(database: Database, slug: string): AlertSourceRow {
  const row = database.find(alertSourceTable, { slug });
  if (row === undefined) throw notFound();
  return row;
}
