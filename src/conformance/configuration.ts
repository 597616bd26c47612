/** The configuration table of the document as data: where each resource lives, what addresses a member, how one is made. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { brief, type Client, type Exchange } from "./client.ts";
import type { Context } from "./context.ts";
import { memberOf } from "./expectation.ts";
import { Deviation } from "./rule.ts";
import { at, rowsAt } from "./shape.ts";

/** One row of the table "Configuration resources" (forms, which cannot be created, stand apart). */
export interface Resource {
  /** The row's name in the document, as a rule id bears it. */
  readonly id: string;
  readonly title: string;
  /** The collection, relative to `/api/v1`. */
  readonly path: string;
  /** The key of the array in the list's answer. */
  readonly list: string;
  /** The field of a member that addresses it. */
  readonly address: string;
  /** Whether only an admin's personal token reaches it. */
  readonly admin: boolean;
  /** A creation body that is free to use now. */
  body(context: Context): Fields;
  /** A change to an existing member, and the field that shows it. */
  change(context: Context): { readonly body: Fields; readonly shows: string; readonly as: Json };
}

function renamed(context: Context): { body: Fields; shows: string; as: Json } {
  const name = context.name("renamed");
  return { body: { name }, shows: "name", as: name };
}

function row(id: string, title: string, given: Partial<Resource> = {}): Resource {
  return {
    id,
    title,
    path: id,
    list: id,
    address: "slug",
    admin: false,
    body: (context) => ({ name: context.name(title) }),
    change: renamed,
    ...given,
  };
}

/** An address nothing listens on; webhooks made by the suite point there unless they are to be delivered. */
const silentUrl = "http://127.0.0.1:9/conformance";

/** The rows that share the position rule and the rules of disabled entries. */
export const optionLists: readonly Resource[] = [
  row("severities", "severity"),
  row("statuses", "status", { body: (context) => ({ name: context.name("status"), lifecycle_stage: "active" }) }),
  row("incident_types", "incident type"),
  row("incident_roles", "incident role"),
];

const customFields = row("custom_fields", "custom field", {
  body: (context) => ({ name: context.name("field"), field_type: "text", option_source: "none" }),
});
const runbooks = row("runbooks", "runbook");
const catalogTypes = row("catalog_types", "catalog type", { path: "catalog/types", list: "types" });
const alertSources = row("alert_sources", "alert source", {
  body: (context) => ({ name: context.name("source"), provider: "generic" }),
});
const webhooks = row("webhooks", "webhook", {
  address: "id",
  body: (context) => ({ name: context.name("webhook"), url: silentUrl, subscribed_events: [] }),
});
const serviceKeys = row("api_keys", "service key", { address: "prefix", admin: true });
const agents = row("agents", "agent", {
  admin: true,
  body: (context) => {
    const name = context.name("agent");
    return { name, description: "Made by the conformance suite", slug: name.toLowerCase().replaceAll(" ", "_") };
  },
});

/** Every row of the table that is created and addressed on its own. */
export const resources: readonly Resource[] = [
  ...optionLists,
  customFields,
  runbooks,
  catalogTypes,
  alertSources,
  webhooks,
  serviceKeys,
  agents,
];

/** The row of this id; asking for one that does not exist is an error of the suite. */
export function resource(id: string): Resource {
  const found = resources.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`the suite knows no resource "${id}"`);
  return found;
}

/** The client that may manage the resource. */
export function managerOf(context: Context, kind: Resource): Client {
  return kind.admin ? context.admin : context.client;
}

/** The members the list answers with, disabled ones too when asked for. */
export async function listed(context: Context, kind: Resource, disabled = false): Promise<readonly Fields[]> {
  const query = disabled ? "?include_disabled=true" : "";
  return rowsOf(await managerOf(context, kind).get(`${kind.path}${query}`), kind.list);
}

/** The array a list answers with: under its own key, or else the only array of the body. */
export function rowsOf(exchange: Exchange, key: string): readonly Fields[] {
  const { body } = exchange;
  if (exchange.status === 200 && isList(at(body, key))) return rowsAt(body, key);
  const arrays = isFields(body) ? Object.values(body).filter(isList) : [];
  if (exchange.status === 200 && arrays.length === 1) return (arrays[0] ?? []).filter(isFields);
  throw new Deviation(`200 with an array "${key}"`, `${exchange.status} ${brief(body)}`, exchange);
}

/** The member's path below `/api/v1`. */
export function memberPath(kind: Resource, member: Fields): string {
  const address = member[kind.address];
  if (typeof address !== "string" || address === "") {
    throw new Deviation(`a member with "${kind.address}"`, brief(member));
  }
  return `${kind.path}/${encodeURIComponent(address)}`;
}

/** Creates a member and leaves its removal for the clean-up: deleted, or disabled where something points at it. */
export async function make(context: Context, kind: Resource, fields: Fields = {}): Promise<Fields> {
  const client = managerOf(context, kind);
  const member = memberOf(await client.post(kind.path, { ...kind.body(context), ...fields }));
  const path = memberPath(kind, member);
  context.cleanup(async () => {
    const deleted = await client.delete(path);
    return deleted.status === 422 ? client.patch(path, { enabled: false }) : deleted;
  });
  return member;
}
