/** Rules of the table "Configuration resources" and its rule 1: what addresses a member, and the four methods. */

import type { Fields } from "../../../core/json.ts";
import { expectSame, expectStatus, memberOf } from "../../expectation.ts";
import { every, likeKept, noRow, row } from "../../expected.ts";
import { findResource, resources } from "../../fixtures/configuration-resources.ts";
import { made, posted } from "../../fixtures/given.ts";
import { createMember } from "../../fixtures/requests.ts";
import { forEach, type RowStep, type Rules, rulesOf, type StepOutcome } from "../../row.ts";
import { type ConformanceRule, withArticle } from "../../rule.ts";
import { absent, orNull, textAt, unknownId } from "../../value-shape.ts";

const addresses: Readonly<Record<string, string>> = {
  alert_sources: "its endpoint path",
  webhooks: "its ID",
  api_keys: "its prefix",
};

/** Fields that lists may leave out, and one that each change moves. */
const unlisted = ["token", "secret", "content", "updated_at"];

/** The four methods of every resource of the table. */
const cycle: Rules = forEach(resources, ({ id, title, path, address, body }) => {
  const given = { made: made(id) };
  const member = `${path}/{made.${address}}`;
  const isMade = { [address]: `{made.${address}}` };
  const by = addresses[id] ?? "its slug";
  return {
    [`resources.1.post.${id}`]: {
      title: `1: POST on ${path} creates a member, which GET then lists`,
      given,
      steps: [{ request: `LIST ${path}`, shows: row(isMade, { name: "{made.name}" }) }],
    },
    [`resources.1.patch.${id}`]: {
      title: `1: PATCH changes ${withArticle(title)}, addressed by ${by}`,
      given,
      steps: [
        { request: `PATCH ${member}`, body: { name: "{new.renamed}" } },
        { request: `LIST ${path}`, shows: row(isMade, { name: "{new.renamed}" }) },
      ],
    },
    [`resources.1.delete.${id}`]: {
      title: `1: DELETE removes ${withArticle(title)}, addressed by ${by}`,
      given,
      steps: [
        { request: `DELETE ${member}` },
        { request: `LIST ${path}?include_disabled=true`, shows: noRow(isMade) },
        { request: `DELETE ${member}`, refusal: "404 not_found" },
      ],
    },
    [`resources.shown.${id}`]: {
      basis: "wire",
      title: `a change and the list show every field of ${withArticle(title)} that its creation returned`,
      given,
      steps: [
        { request: `LIST ${path}`, shows: row(isMade, likeKept("made", ...unlisted)) },
        { request: `PATCH ${member}`, body: { name: "{new.renamed}" }, shows: { name: "{new.renamed}" } },
        { request: `PATCH ${member}`, body: { name: "{made.name}" }, shows: likeKept("made", ...unlisted) },
      ],
    },
    [`resources.status.${id}`]: {
      basis: "wire",
      title: `creating ${withArticle(title)} returns 201, deleting it 204 with an empty body`,
      steps: [
        { request: `POST ${path}`, body, status: "201", keep: "made" },
        { request: `DELETE ${member}`, status: "204", shows: absent },
      ],
    },
  };
});

const shapes: Rules = forEach(resources, ({ id, title, path, list, fields }) => ({
  [`resources.shape.${id}`]: {
    basis: "wire",
    title: `a listed ${title} has the fields of the wire facts, under the list key "${list}"`,
    given: { made: made(id) },
    steps: [{ request: `GET ${path}`, shows: { [list]: every(fields) } }],
  },
}));

const entries = "catalog/types/{type.slug}/entries";

/** A creation of a catalog entry. */
function entry(body: Fields, outcome: StepOutcome): RowStep {
  return { request: `POST ${entries}`, body, ...outcome };
}

/** The rules of the configuration table. */
export const resourceRules: readonly ConformanceRule[] = rulesOf("Configuration resources", {
  ...cycle,
  "resources.catalog.entries": {
    title: "1: catalog entries are created under a type, listed, changed and deleted",
    given: { type: made("catalog_types"), entry: posted(entries, { name: "{new.entry}" }) },
    steps: [
      { request: "PATCH catalog/entries/{entry.id}", body: { name: "{new.renamed}" } },
      { request: `GET ${entries}`, shows: { entries: [{ name: "{new.renamed}" }] } },
      { request: "DELETE catalog/entries/{entry.id}" },
      { request: `GET ${entries}`, shows: { entries: [] } },
    ],
  },
  "resources.runbooks.id": {
    title: "a runbook is addressed by its ID as well as by its slug",
    async check(context) {
      const created = await createMember(context, findResource("runbooks"));
      // The wire facts say that the ID is not in the response; then there is nothing to address by but the slug.
      const address = textAt(created, "id") || textAt(created, "slug");
      const exchange = await context.client.patch(`runbooks/${address}`, { summary: "Changed" });
      expectStatus(exchange, 200);
      expectSame("summary", memberOf(exchange).summary, "Changed", exchange);
    },
  },
  "resources.unknown": {
    title: "a member that does not exist returns 404",
    steps: resources
      .filter(({ admin }) => !admin)
      .flatMap(({ path }) => [
        { request: `PATCH ${path}/${unknownId}`, body: { name: "x" }, refusal: "404 not_found" },
        { request: `DELETE ${path}/${unknownId}`, refusal: "404 not_found" },
      ]),
  },
  ...shapes,
  "resources.errors.required": {
    basis: "wire",
    title: "a catalog entry of a missing type, and an entry without its required name, are refused",
    given: { type: made("catalog_types") },
    steps: [
      { request: "POST catalog/types/no_such_type/entries", body: { name: "x" }, refusal: "404" },
      entry({}, { status: "400 or 422" }),
    ],
  },
  "resources.catalog.upsert": {
    basis: "wire",
    title: "a catalog entry with a known source and external_id is updated instead of created",
    given: { type: made("catalog_types") },
    steps: [
      entry({ name: "{new.one}", source: "conformance", external_id: "{new.id}" }, { status: "201", keep: "first" }),
      entry(
        { name: "{new.two}", source: "conformance", external_id: "{new.id}" },
        { status: "200", shows: { id: "{first.id}" } },
      ),
    ],
  },
  "resources.catalog.list": {
    basis: "wire",
    title: "a list, even an empty one, is an invalid value of an attribute with one value",
    given: {
      type: made("catalog_types", {
        attributes: ["text", "number", "boolean"].map((type) => ({ name: type, attribute_type: type })),
      }),
    },
    steps: ["text", "number", "boolean"].map((name) =>
      entry({ name: "{new.entry}", attributes: { [name]: [] } }, { refusal: "422" }),
    ),
  },
  "resources.catalog.system": {
    basis: "wire",
    title: "a built-in catalog type cannot be deleted",
    steps: [{ request: "DELETE catalog/types/{systemType.slug}", refusal: "422" }],
  },
  "resources.webhooks.dropped": {
    basis: "wire",
    title: "a webhook's unknown and repeated event names are dropped, the caller's order is kept",
    given: {
      made: made(
        "webhooks",
        { subscribed_events: ["incident.resolved", "no.such.event", "incident.created", "incident.resolved"] },
        { subscribed_events: ["incident.resolved", "incident.created"], secret: orNull(absent) },
      ),
    },
    steps: [{ request: "LIST webhooks", shows: row({ id: "{made.id}" }) }],
  },
});
