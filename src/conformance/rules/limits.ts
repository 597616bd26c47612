/** Rules of "Limits", "Pagination" and "Versioning". */

import type { Client, Exchange } from "../client.ts";
import { expectRefusal, expectSame, expectShape, expectStatus, expectThat } from "../expectation.ts";
import { findResource } from "../fixtures/configuration-resources.ts";
import { forms } from "../fixtures/forms.ts";
import { declare, idOf, incidentWithMessages, sharedIncident, transcriptOf } from "../fixtures/incidents.ts";
import { createMember } from "../fixtures/requests.ts";
import { type ConformanceRule, Deviation, NotApplicable, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { at, integer, nonEmptyString, numberAt, objectWith, rowsAt, textAt } from "../value-shape.ts";
import { keyWith } from "./agents-and-keys.ts";

/** Every page size the rules send, with what the response must say. */
const sizes: readonly (readonly [string, string, number])[] = [
  ["default", "", 25],
  ["given", "per_page=7", 7],
  ["maximum", "per_page=100", 100],
  ["above", "per_page=101", 100],
  ["far-above", "per_page=100000", 100],
];

const sizeRows: readonly RuleDefinition[] = sizes.map(([id, query, size]) => ({
  id: `pagination.per_page.${id}`,
  title: `per_page: default 25, maximum 100 (${query === "" ? "nothing sent" : query} returns ${size})`,
  async check(context: RuleContext) {
    const exchange = await context.client.get(`incidents?${query}`);
    expectStatus(exchange, 200);
    expectSame("pagination.per_page", at(exchange.body, "pagination", "per_page"), size, exchange);
    const rows = rowsAt(exchange.body, "incidents").length;
    expectThat(rows <= size, `${size} incidents or fewer`, rows, exchange);
  },
}));

const catalogSizes: readonly RuleDefinition[] = [
  {
    id: "pagination.catalog",
    title: "catalog entries are paginated as incidents are",
    async check(context) {
      const type = await createMember(context, findResource("catalog_types"));
      const path = `catalog/types/${textAt(type, "slug")}/entries`;
      for (const word of ["one", "two", "three"]) await context.client.post(path, { name: context.name(word) });
      const exchange = await context.client.get(`${path}?page=2&per_page=2`);
      const expected = { page: 2, per_page: 2, total: 3, total_pages: 2 };
      expectSame("pagination", at(exchange.body, "pagination"), expected, exchange);
      expectSame("the number of entries", rowsAt(exchange.body, "entries").length, 1, exchange);
    },
  },
];

const pagination: readonly ConformanceRule[] = rulesOf("Pagination", [
  {
    id: "pagination.object",
    title: "pagination is { page, per_page, total, total_pages }, all integers",
    async check(context) {
      const shape = objectWith({ page: integer, per_page: integer, total: integer, total_pages: integer });
      const id = idOf(await sharedIncident(context));
      for (const path of ["incidents", `incidents/${id}/timeline`]) {
        const exchange = await context.client.get(path);
        expectShape("pagination", at(exchange.body, "pagination"), shape, exchange);
      }
    },
  },
  {
    id: "pagination.page.default",
    title: "page: default 1",
    async check(context) {
      const exchange = await context.client.get("incidents");
      expectSame("pagination.page", at(exchange.body, "pagination", "page"), 1, exchange);
    },
  },
  {
    id: "pagination.page.far",
    title: "page: no maximum; a page past the end is empty",
    async check(context) {
      const exchange = await context.client.get("incidents?page=1000000");
      expectStatus(exchange, 200);
      expectSame("pagination.page", at(exchange.body, "pagination", "page"), 1_000_000, exchange);
      expectSame("the incidents", at(exchange.body, "incidents"), [], exchange);
    },
  },
  ...sizeRows,
  {
    id: "pagination.pages",
    title: "pages part the list: none is repeated, none is missed",
    async check(context) {
      for (let count = 0; count < 5; count += 1) await declare(context);
      const whole = await context.client.get("incidents?per_page=6");
      const parts = [];
      for (const page of [1, 2, 3]) {
        parts.push(...rowsAt((await context.client.get(`incidents?per_page=2&page=${page}`)).body, "incidents"));
      }
      expectSame("three pages of two", parts.map(idOf), rowsAt(whole.body, "incidents").map(idOf), whole);
    },
  },
  {
    id: "pagination.total",
    title: "total counts the whole list, total_pages the pages it fills",
    async check(context) {
      await declare(context);
      const exchange = await context.client.get("incidents?per_page=2");
      const total = numberAt(exchange.body, "pagination", "total");
      expectSame("total_pages", at(exchange.body, "pagination", "total_pages"), Math.ceil(total / 2), exchange);
      await declare(context);
      const after = await context.client.get("incidents?per_page=2");
      expectThat(numberAt(after.body, "pagination", "total") > total, "a total above the one before", total, after);
    },
  },
  ...catalogSizes,
  {
    id: "pagination.words",
    basis: "wire",
    title: "page and per_page that are no numbers, or below 1, are read as 1",
    async check(context) {
      for (const query of ["page=x&per_page=x", "page=0&per_page=0", "page=-3&per_page=-3"]) {
        const exchange = await context.client.get(`incidents?${query}`);
        expectStatus(exchange, 200);
        const shown = [
          at(exchange.body, "pagination", "page") ?? null,
          at(exchange.body, "pagination", "per_page") ?? null,
        ];
        expectSame("page and per_page", shown, [1, 1], exchange);
      }
    },
  },
]);

const limit = 1_000;

/**
 * Asks until the key is refused: how many responses came before, and the refusal. The minute of a key may turn while
 * it asks, so up to two minutes' worth of requests are sent.
 */
async function exhausted(client: Client): Promise<{ accepted: number; refused: Exchange }> {
  for (let accepted = 0; accepted <= 2 * limit; ) {
    const batch = await Promise.all(Array.from({ length: 50 }, () => client.get("severities")));
    const refused = batch.find((exchange) => exchange.status !== 200);
    accepted += batch.filter((exchange) => exchange.status === 200).length;
    if (refused !== undefined) return { accepted, refused };
  }
  throw new Deviation("a refusal within 2,000 requests", "2,000 responses of 200");
}

const limits: readonly ConformanceRule[] = rulesOf("Limits", [
  {
    id: "limits.rate",
    title: "1,000 requests per minute per key; excess gives 429 rate_limit_exceeded",
    async check(context) {
      if (!context.rateLimit) throw new NotApplicable("uses up a key's requests of a minute (--rate-limit)");
      const { token } = await keyWith(context, { severities: ["read"] });
      const { token: other } = await keyWith(context, { severities: ["read"] });
      const client = context.bearer(token, false);
      const { accepted, refused } = await exhausted(client);
      expectThat(accepted >= limit, "1,000 responses of 200 before the first 429", accepted, refused);
      expectRefusal(refused, 429, "rate_limit_exceeded");
      expectRefusal(await client.post("incidents", {}), 429, "rate_limit_exceeded");
      expectStatus(await context.bearer(other, false).get("severities"), 200);
    },
  },
  {
    id: "limits.rate.refills",
    title: "a key may ask again when its minute is over",
    async check(context) {
      if (!context.rateLimit) throw new NotApplicable("uses up a key's requests of a minute (--rate-limit)");
      const advance = context.advanceClock;
      const client = context.bearer((await keyWith(context, { severities: ["read"] })).token, false);
      await exhausted(client);
      advance(61_000);
      expectStatus(await client.get("severities"), 200);
    },
  },
  {
    id: "limits.transcript.default",
    title: "transcript limit: default 100",
    async check(context) {
      const id = await incidentWithMessages(context, 101);
      expectSame("the number of messages", rowsAt((await transcriptOf(context, id)).body, "messages").length, 100);
    },
  },
  {
    id: "limits.transcript.maximum",
    title: "transcript limit: 1 to 500; a limit beyond is refused or answered with no more than 500 messages",
    async check(context) {
      const id = await incidentWithMessages(context, 1);
      expectStatus(await transcriptOf(context, id, "limit=500"), 200);
      for (const beyond of ["501", "100000"]) {
        const exchange = await context.client.get(`incidents/${id}/transcript?limit=${beyond}`);
        const few = exchange.status === 200 && rowsAt(exchange.body, "messages").length <= 500;
        expectThat(
          few || [400, 422].includes(exchange.status),
          "500 messages or fewer, or a refusal",
          exchange.status,
          exchange,
        );
      }
    },
  },
  {
    id: "limits.prefix",
    title: "a token prefix is 12 characters",
    async check(context) {
      const { key, token } = await keyWith(context, {});
      expectSame("the prefix", key.prefix, token.slice(0, 12));
      expectSame("its length", textAt(key, "prefix").length, 12);
    },
  },
  {
    id: "limits.forms",
    title: "incident forms: exactly 4",
    async check({ client }) {
      const known = [...forms, "create", "reopen", "postmortem", "escalate", "severities"];
      const statuses = await Promise.all(known.map(async (form) => (await client.get(`forms/${form}`)).status));
      expectSame(
        "the forms there are",
        known.filter((_, index) => statuses[index] === 200),
        [...forms],
      );
    },
  },
]);

const versioning: readonly ConformanceRule[] = rulesOf("Versioning", [
  {
    id: "versioning.1",
    title: "1: the version is part of the path: nothing answers without /api/v1",
    async check({ client }) {
      for (const path of ["/severities", "/api/severities", "/v1/severities"]) {
        expectStatus(await client.send("GET", path), 404);
      }
    },
  },
  {
    id: "versioning.2",
    title: "2: there is no other version",
    async check({ client }) {
      for (const path of ["/api/v2/severities", "/api/v0/severities", "/api/v1.1/severities"]) {
        expectStatus(await client.send("GET", path), 404);
      }
      expectShape(
        "the response of version 1",
        textAt((await client.get("severities")).body, "severities", 0, "id"),
        nonEmptyString,
      );
    },
  },
]);

/** The rules of pagination, limits and versioning. */
export const limitRules: readonly ConformanceRule[] = [...pagination, ...limits, ...versioning];
