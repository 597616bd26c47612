/** Rules of the table "Configuration resources" and its rule 1: what addresses a member, and the four methods. */

import { expectRefusal, expectSame, expectShape, expectStatus, expectThat, memberOf } from "../expectation.ts";
import { type ConfigurationResource, findResource, resources } from "../fixtures/configuration-resources.ts";
import { clientFor, createMember, listMembers, memberPath } from "../fixtures/requests.ts";
import { type ConformanceRule, type RuleDefinition, rulesOf, withArticle } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import {
  array,
  at,
  boolean,
  integer,
  nonEmptyString,
  nullValue,
  objectWith,
  textAt,
  uuid,
  type ValueShape,
} from "../value-shape.ts";

const says: Readonly<Record<string, string>> = {
  alert_sources: "its endpoint path",
  webhooks: "its ID",
  api_keys: "its prefix",
};

async function expectGone(context: RuleContext, kind: ConfigurationResource): Promise<void> {
  const client = clientFor(context, kind.path);
  const created = await createMember(context, kind);
  const exchange = await client.delete(memberPath(kind, created));
  expectThat(exchange.status < 300, "a deletion", exchange.status, exchange);
  const still = (await listMembers(context, kind, true)).some((entry) => entry[kind.address] === created[kind.address]);
  expectSame("the member in the listing", still, false);
  expectRefusal(await client.delete(memberPath(kind, created)), 404, "not_found");
}

const cycle: readonly RuleDefinition[] = resources.flatMap((kind): readonly RuleDefinition[] => [
  {
    id: `resources.1.post.${kind.id}`,
    title: `1: POST on ${kind.path} creates a member, which GET then lists`,
    async check(context) {
      const created = await createMember(context, kind);
      const listed = (await listMembers(context, kind)).find((entry) => entry[kind.address] === created[kind.address]);
      expectThat(listed !== undefined, `the new ${kind.title} in the listing`, null);
      expectSame("name", listed?.name, created.name);
    },
  },
  {
    id: `resources.1.patch.${kind.id}`,
    title: `1: PATCH changes ${withArticle(kind.title)}, addressed by ${says[kind.id] ?? "its slug"}`,
    async check(context) {
      const created = await createMember(context, kind);
      const { body, shows, as } = kind.change(context);
      const exchange = await clientFor(context, kind.path).patch(memberPath(kind, created), body);
      expectStatus(exchange, 200);
      const listed = (await listMembers(context, kind)).find((entry) => entry[kind.address] === created[kind.address]);
      expectSame(`${shows} in the listing`, listed?.[shows], as, exchange);
    },
  },
  {
    id: `resources.1.delete.${kind.id}`,
    title: `1: DELETE removes ${withArticle(kind.title)}, addressed by ${says[kind.id] ?? "its slug"}`,
    check: (context) => expectGone(context, kind),
  },
  {
    id: `resources.status.${kind.id}`,
    basis: "wire",
    title: `creating ${withArticle(kind.title)} returns 201, deleting it 204 with an empty body`,
    async check(context) {
      const client = clientFor(context, kind.path);
      const created = await client.post(kind.path, kind.body(context));
      const path = memberPath(kind, memberOf(created));
      context.cleanup(() => client.delete(path));
      expectStatus(created, 201);
      const deleted = await client.delete(path);
      expectStatus(deleted, 204);
      expectSame("the body", deleted.text, "", deleted);
    },
  },
]);

const wireShapes: Readonly<Record<string, Readonly<Record<string, ValueShape>>>> = {
  severities: {
    id: uuid,
    slug: nonEmptyString,
    position: integer,
    enabled: boolean,
    is_default: boolean,
    rank: integer,
  },
  statuses: { id: uuid, slug: nonEmptyString, position: integer, enabled: boolean, lifecycle_stage: nonEmptyString },
  incident_types: { id: uuid, slug: nonEmptyString, position: integer, enabled: boolean },
  incident_roles: { id: uuid, slug: nonEmptyString, position: integer, enabled: boolean },
  custom_fields: {
    id: uuid,
    slug: nonEmptyString,
    name: nonEmptyString,
    field_type: nonEmptyString,
    option_source: nonEmptyString,
  },
  runbooks: { slug: nonEmptyString, name: nonEmptyString, steps: array },
  catalog_types: {
    id: uuid,
    slug: nonEmptyString,
    name: nonEmptyString,
    kind: nonEmptyString,
    attribute_definitions: array,
  },
  alert_sources: { id: uuid, name: nonEmptyString, provider: nonEmptyString, enabled: boolean, slug: nonEmptyString },
  webhooks: { id: uuid, name: nonEmptyString, url: nonEmptyString, subscribed_events: array, enabled: boolean },
  api_keys: { id: uuid, name: nonEmptyString, prefix: nonEmptyString, permissions: objectWith({}) },
  agents: {
    id: uuid,
    slug: nonEmptyString,
    name: nonEmptyString,
    enabled: boolean,
    granted_abilities: integer,
    tokens: array,
  },
};

/** The shape of a resource in a list. A resource without one is an error of the suite. */
function shapeOf({ id }: ConfigurationResource): ValueShape {
  const shape = wireShapes[id];
  if (shape === undefined) throw new Error(`wireShapes has no shape for "${id}"`);
  return objectWith(shape);
}

const shapes: readonly RuleDefinition[] = resources.map((kind) => ({
  id: `resources.shape.${kind.id}`,
  basis: "wire",
  title: `a listed ${kind.title} has the fields of the wire facts, under the list key "${kind.list}"`,
  async check(context: RuleContext) {
    await createMember(context, kind);
    const exchange = await clientFor(context, kind.path).get(kind.path);
    const list = at(exchange.body, kind.list);
    expectShape(kind.list, list, array, exchange);
    const shape = shapeOf(kind);
    for (const entry of Array.isArray(list) ? list : []) expectShape(kind.title, entry, shape, exchange);
  },
}));

/** The rules of the configuration table. */
export const resourceRules: readonly ConformanceRule[] = rulesOf("Configuration resources", [
  ...cycle,
  {
    id: "resources.catalog.entries",
    title: "1: catalog entries are created under a type, listed, changed and deleted",
    async check(context) {
      const type = await createMember(context, findResource("catalog_types"));
      const collection = `catalog/types/${textAt(type, "slug")}/entries`;
      const created = memberOf(await context.client.post(collection, { name: context.name("entry") }));
      const path = `catalog/entries/${textAt(created, "id")}`;
      const name = context.name("renamed");
      expectStatus(await context.client.patch(path, { name }), 200);
      const listing = await context.client.get(collection);
      expectSame("the entry's name", at(listing.body, "entries", 0, "name"), name, listing);
      expectThat((await context.client.delete(path)).status < 300, "a deletion", null);
      const after = await context.client.get(collection);
      expectSame("the entries left", at(after.body, "entries"), [], after);
    },
  },
  {
    id: "resources.runbooks.id",
    title: "a runbook is addressed by its ID as well as by its slug",
    async check(context) {
      const kind = findResource("runbooks");
      const created = await createMember(context, kind);
      const id = textAt(created, "id");
      // The wire facts say that the ID is not in the response; then there is nothing to address by but the slug.
      const exchange = await context.client.patch(`${kind.path}/${id === "" ? textAt(created, "slug") : id}`, {
        summary: "Changed",
      });
      expectStatus(exchange, 200);
      expectSame("summary", memberOf(exchange).summary, "Changed", exchange);
    },
  },
  {
    id: "resources.unknown",
    title: "a member that does not exist returns 404",
    async check(context) {
      for (const kind of resources.filter((each) => !each.admin)) {
        const path = `${kind.path}/00000000-0000-4000-8000-000000000000`;
        expectRefusal(await context.client.patch(path, { name: "x" }), 404, "not_found");
        expectRefusal(await context.client.delete(path), 404, "not_found");
      }
    },
  },
  ...shapes,
  {
    id: "resources.errors.required",
    basis: "wire",
    title: "a catalog entry of a missing type, and an entry without its required name, are refused",
    async check(context) {
      expectRefusal(await context.client.post("catalog/types/no_such_type/entries", { name: "x" }), 404);
      const type = await createMember(context, findResource("catalog_types"));
      const exchange = await context.client.post(`catalog/types/${textAt(type, "slug")}/entries`, {});
      expectThat([400, 422].includes(exchange.status), "a refusal (400 or 422)", exchange.status, exchange);
    },
  },
  {
    id: "resources.catalog.upsert",
    basis: "wire",
    title: "a catalog entry with a known source and external_id is updated instead of created",
    async check(context) {
      const type = await createMember(context, findResource("catalog_types"));
      const collection = `catalog/types/${textAt(type, "slug")}/entries`;
      const given = { source: "conformance", external_id: context.name("id") };
      const first = await context.client.post(collection, { name: context.name("one"), ...given });
      expectStatus(first, 201);
      context.cleanup(() => context.client.delete(`catalog/entries/${textAt(memberOf(first), "id")}`));
      const second = await context.client.post(collection, { name: context.name("two"), ...given });
      expectStatus(second, 200);
      expectSame("id", memberOf(second).id, memberOf(first).id, second);
    },
  },
  {
    id: "resources.catalog.list",
    basis: "wire",
    title: "a list, even an empty one, is an invalid value of an attribute with one value",
    async check(context) {
      const attributes = ["text", "number", "boolean"].map((attribute_type) => ({
        name: attribute_type,
        attribute_type,
      }));
      const type = await createMember(context, findResource("catalog_types"), { attributes });
      const collection = `catalog/types/${textAt(type, "slug")}/entries`;
      for (const { name } of attributes) {
        const exchange = await context.client.post(collection, {
          name: context.name("entry"),
          attributes: { [name]: [] },
        });
        if (exchange.status < 300)
          context.cleanup(() => context.client.delete(`catalog/entries/${textAt(memberOf(exchange), "id")}`));
        expectRefusal(exchange, 422);
      }
    },
  },
  {
    id: "resources.catalog.system",
    basis: "wire",
    title: "a built-in catalog type cannot be deleted",
    async check(context) {
      const types = await listMembers(context, findResource("catalog_types"));
      const system = types.find((type) => type.kind === "system");
      if (system === undefined) return;
      expectRefusal(await context.client.delete(`catalog/types/${textAt(system, "slug")}`), 422);
    },
  },
  {
    id: "resources.webhooks.dropped",
    basis: "wire",
    title: "a webhook's unknown and repeated event names are dropped, the caller's order is kept",
    async check(context) {
      const kind = findResource("webhooks");
      const events = ["incident.resolved", "no.such.event", "incident.created", "incident.resolved"];
      const created = await createMember(context, kind, { subscribed_events: events });
      expectSame("subscribed_events", created.subscribed_events, ["incident.resolved", "incident.created"]);
      expectShape("secret", created.secret ?? null, nullValue);
    },
  },
]);
