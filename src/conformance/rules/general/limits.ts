/** Rules of "Limits", "Pagination" and "Versioning". */

import type { Client, Exchange } from "../../client.ts";
import { expectRefusal, expectSame, expectShape, expectStatus, expectThat } from "../../expectation.ts";
import { type Expected, exactly, row } from "../../expected.ts";
import { findResource } from "../../fixtures/configuration-resources.ts";
import { forms, made, posted } from "../../fixtures/given.ts";
import { declare, firstOf, idOf, incidentWithMessages, transcriptOf } from "../../fixtures/incidents.ts";
import { createMember } from "../../fixtures/requests.ts";
import { forEach, type RowStep, rulesOf } from "../../row.ts";
import type { RuleContext } from "../../rule.ts";
import { type ConformanceRule, Deviation, NotApplicable } from "../../rule.ts";
import {
  array,
  at,
  integer,
  listUpTo,
  nonEmptyString,
  numberAt,
  rowsAt,
  stringLike,
  textAt,
} from "../../value-shape.ts";

/** Every page size the rules send, with what the response must say. */
const sizes: readonly (readonly [id: string, query: string, size: number])[] = [
  ["default", "", 25],
  ["given", "per_page=7", 7],
  ["maximum", "per_page=100", 100],
  ["above", "per_page=101", 100],
  ["far-above", "per_page=100000", 100],
];

function listed(query: string, pagination: Expected, incidents: Expected = array): RowStep {
  return { request: `GET incidents?${query}`, shows: { pagination, incidents } };
}

const entries = "catalog/types/{type.slug}/entries";
const paginated = { pagination: { page: integer, per_page: integer, total: integer, total_pages: integer } };

const pagination: readonly ConformanceRule[] = rulesOf("Pagination", {
  "pagination.object": {
    title: "pagination is { page, per_page, total, total_pages }, all integers",
    steps: ["incidents", "incidents/{shared.id}/timeline"].map((path) => ({
      request: `GET ${path}`,
      shows: paginated,
    })),
  },
  "pagination.page.default": {
    title: "page: default 1",
    steps: [listed("", { page: 1 })],
  },
  "pagination.page.far": {
    title: "page: no maximum; a page past the end is empty",
    steps: [listed("page=1000000", { page: 1_000_000 }, [])],
  },
  ...forEach(sizes, ([id, query, size]) => ({
    [`pagination.per_page.${id}`]: {
      title: `per_page: default 25, maximum 100 (${query === "" ? "nothing sent" : query} returns ${size})`,
      steps: [listed(query, { per_page: size }, listUpTo(size))],
    },
  })),
  "pagination.pages": {
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
  "pagination.total": {
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
  "pagination.catalog": {
    title: "catalog entries are paginated as incidents are",
    given: {
      type: made("catalog_types"),
      ...Object.fromEntries(["one", "two", "three"].map((word) => [word, posted(entries, { name: `{new.${word}}` })])),
    },
    steps: [
      {
        request: `GET ${entries}?page=2&per_page=2`,
        shows: { pagination: exactly({ page: 2, per_page: 2, total: 3, total_pages: 2 }), entries: [{}] },
      },
    ],
  },
  "pagination.words": {
    basis: "wire",
    title: "page and per_page that are no numbers, or below 1, are read as 1",
    steps: ["x", "0", "-3"].map((word) => listed(`page=${word}&per_page=${word}`, { page: 1, per_page: 1 })),
  },
});

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

/** A client of a new key, which does not wait when the service returns 429. */
async function impatientClient(context: RuleContext): Promise<Client> {
  if (!context.rateLimit) throw new NotApplicable("uses up a key's requests of a minute (--rate-limit)");
  const key = await createMember(context, findResource("api_keys"), { permissions: { severities: ["read"] } });
  return context.bearer(textAt(key, "token"), false);
}

const limits: readonly ConformanceRule[] = rulesOf("Limits", {
  "limits.rate": {
    title: "1,000 requests per minute per key; excess gives 429 rate_limit_exceeded",
    async check(context) {
      const client = await impatientClient(context);
      const other = await impatientClient(context);
      const { accepted, refused } = await exhausted(client);
      expectThat(accepted >= limit, "1,000 responses of 200 before the first 429", accepted, refused);
      expectRefusal(refused, 429, "rate_limit_exceeded");
      expectRefusal(await client.post("incidents", {}), 429, "rate_limit_exceeded");
      expectStatus(await other.get("severities"), 200);
    },
  },
  "limits.rate.refills": {
    title: "a key may ask again when its minute is over",
    async check(context) {
      const client = await impatientClient(context);
      const advance = context.advanceClock;
      await exhausted(client);
      advance(61_000);
      expectStatus(await client.get("severities"), 200);
    },
  },
  "limits.transcript.default": {
    title: "transcript limit: default 100",
    async check(context) {
      const id = await incidentWithMessages(context, 101);
      expectSame("the number of messages", rowsAt((await transcriptOf(context, id)).body, "messages").length, 100);
    },
  },
  "limits.transcript.maximum": {
    title: "transcript limit: 1 to 500; a limit beyond is refused or answered with no more than 500 messages",
    async check(context) {
      const id = await incidentWithMessages(context, 1);
      expectStatus(await transcriptOf(context, id, "limit=500"), 200);
      for (const beyond of ["501", "100000"]) {
        const exchange = await context.client.get(`incidents/${id}/transcript?limit=${beyond}`);
        const { status, body } = exchange;
        const few = status === 200 && rowsAt(body, "messages").length <= 500;
        expectThat(few || [400, 422].includes(status), "500 messages or fewer, or a refusal", status, exchange);
      }
    },
  },
  "limits.prefix": {
    title: "a token prefix is 12 characters",
    given: { key: made("api_keys", {}, { prefix: stringLike("12 characters", /^.{12}$/) }) },
    steps: [{ request: "LIST api_keys", shows: row({ prefix: "{key.token.prefix}" }) }],
  },
  "limits.forms": {
    title: "incident forms: exactly 4",
    async check({ client }) {
      const known = [...forms, "create", "reopen", "postmortem", "escalate", "severities"];
      const statuses = await Promise.all(known.map(async (form) => (await client.get(`forms/${form}`)).status));
      const existing = known.filter((_, index) => statuses[index] === 200);
      expectSame("the forms there are", existing, [...forms]);
    },
  },
});

const versioning: readonly ConformanceRule[] = rulesOf("Versioning", {
  "versioning.1": {
    title: "1: the version is part of the path: nothing answers without /api/v1",
    async check({ client }) {
      for (const path of ["/severities", "/api/severities", "/v1/severities"]) {
        expectStatus(await client.send("GET", path), 404);
      }
    },
  },
  "versioning.2": {
    title: "2: there is no other version",
    async check(context) {
      const { client } = context;
      for (const path of ["/api/v2/severities", "/api/v0/severities", "/api/v1.1/severities"]) {
        expectStatus(await client.send("GET", path), 404);
      }
      await firstOf(context, "severities");
      const { body } = await client.get("severities");
      expectShape("the response of version 1", textAt(body, "severities", 0, "id"), nonEmptyString);
    },
  },
});

export const limitRules: readonly ConformanceRule[] = [...pagination, ...limits, ...versioning];
