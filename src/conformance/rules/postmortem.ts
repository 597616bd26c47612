/** Rules of "Postmortem": creation, the body under optimistic concurrency, the status. */

import type { Fields } from "../../core/json.ts";
import type { Exchange } from "../client.ts";
import {
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectSuccess,
  expectThat,
  memberOf,
} from "../expectation.ts";
import { declareIn, idOf } from "../fixtures/incidents.ts";
import { type ConformanceRule, Deviation, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import {
  at,
  integer,
  nonEmptyString,
  numberAt,
  object,
  oneOf,
  orNull,
  string,
  textAt,
  timestamp,
  uuid,
} from "../value-shape.ts";

const statuses = ["draft", "in_progress", "in_review", "completed"] as const;

/** A resolved incident with an empty postmortem: its path and the postmortem as it stands. */
async function opened(context: RuleContext): Promise<{ path: string; created: Fields }> {
  const path = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
  return { path, created: memberOf(await context.client.post(path)) };
}

async function read(context: RuleContext, path: string): Promise<Fields> {
  const exchange = await context.client.get(path);
  expectStatus(exchange, 200);
  return memberOf(exchange);
}

function write(context: RuleContext, path: string, html: string, version: number): Promise<Exchange> {
  return context.client.patch(path, { html, version });
}

/** The refusal of a creation says which rule applies. */
function expectReason(exchange: Exchange, reason: RegExp): void {
  expectRefusal(exchange, 422);
  const message = textAt(exchange.body, "error", "message");
  expectThat(reason.test(message), `a message like ${reason.source}`, message, exchange);
}

const states: readonly ConformanceRule[] = rulesOf("Postmortem", [
  {
    id: "postmortem.fields",
    title: "a postmortem has html, status, version and its author",
    async check(context) {
      const { path } = await opened(context);
      const listed = await read(context, path);
      expectShape("html", listed.html, orNull(string));
      expectShape("status", listed.status, oneOf(...statuses));
      expectShape("version", listed.version, integer);
      expectShape("the author", listed.written_by ?? listed.author, orNull(object));
    },
  },
  ...(["triage", "active"] as const).map(
    (stage): RuleDefinition => ({
      id: `postmortem.open.${stage}`,
      title: `1: creation is refused with 422 while the incident is open (${stage}), and the message says so`,
      async check(context) {
        const path = `incidents/${idOf(await declareIn(context, stage))}/postmortem`;
        expectReason(await context.client.post(path), /open|active|resol/i);
        expectRefusal(await context.client.get(path), 404, "not_found");
      },
    }),
  ),
  {
    id: "postmortem.canceled",
    title: "2: creation is refused with 422 when the incident is canceled, and the message says so",
    async check(context) {
      const path = `incidents/${idOf(await declareIn(context, "canceled"))}/postmortem`;
      expectReason(await context.client.post(path), /cancel/i);
    },
  },
  {
    id: "postmortem.twice",
    title: "3: creation is refused with 422 when the incident already has a postmortem, and the message says so",
    async check(context) {
      const { path, created: made } = await opened(context);
      expectReason(await context.client.post(path), /already|exist|has a/i);
      expectSame("the version", (await read(context, path)).version, made.version);
    },
  },
  {
    id: "postmortem.created",
    title: "POST opens an empty postmortem",
    async check(context) {
      const { created: made } = await opened(context);
      expectThat(
        textAt(made, "html")
          .replace(/<[^>]*>/g, "")
          .trim() === "",
        "an empty body",
        made.html ?? null,
      );
      expectSame("generation_state", made.generation_state ?? null, null);
    },
  },
  {
    id: "postmortem.generated",
    title: "generate: true drafts in the background: generation_state is there, and reading again sees it clear",
    async check(context) {
      const path = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
      const exchange = await context.client.post(path, { generate: true });
      expectShape("generation_state", memberOf(exchange).generation_state, nonEmptyString, exchange);
      const deadline = Date.now() + 20_000;
      for (;;) {
        const found = await read(context, path);
        if ((found.generation_state ?? null) === null) {
          expectThat(textAt(found, "html") !== "", "a drafted body", found.html ?? null);
          return;
        }
        if (Date.now() > deadline)
          throw new Deviation("generation_state to clear within 20 s", textAt(found, "generation_state"));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  },
  {
    id: "postmortem.absent",
    title: "reading the postmortem of an incident that has none returns 404",
    async check(context) {
      const path = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
      expectRefusal(await context.client.get(path), 404, "not_found");
    },
  },
]);

const writing: readonly ConformanceRule[] = rulesOf("Endpoints: Postmortem", [
  {
    id: "postmortem.1.replaces",
    title: "1: html replaces the entire body; it does not append",
    async check(context) {
      const { path, created: made } = await opened(context);
      const first = memberOf(await write(context, path, "<p>First</p>", numberAt(made, "version")));
      await write(context, path, "<p>Second</p>", numberAt(first, "version"));
      const html = textAt(await read(context, path), "html");
      expectThat(html.includes("Second") && !html.includes("First"), "the second body alone", html);
    },
  },
  {
    id: "postmortem.1.versions",
    title: "1: every version is kept: each body gets a version of its own, above the one before",
    async check(context) {
      const { path, created: made } = await opened(context);
      const versions = [numberAt(made, "version")];
      for (const html of ["<p>One</p>", "<p>Two</p>"]) {
        const exchange = await write(context, path, html, versions.at(-1) ?? 0);
        versions.push(numberAt(memberOf(exchange), "version"));
      }
      const rising = versions.every((version, index) => index === 0 || version > (versions[index - 1] ?? 0));
      expectThat(rising, "rising versions", versions);
    },
  },
  {
    id: "postmortem.2",
    title: "2: a body sent with the current version succeeds",
    async check(context) {
      const { path } = await opened(context);
      const version = numberAt(await read(context, path), "version");
      const exchange = await write(context, path, "<p>What happened</p>", version);
      expectStatus(exchange, 200);
      expectThat(textAt(await read(context, path), "html").includes("What happened"), "the body", null, exchange);
    },
  },
  {
    id: "postmortem.3.stale",
    title: "3: a body sent with a stale version is refused with 409 and changes nothing",
    async check(context) {
      const { path, created: made } = await opened(context);
      const version = numberAt(made, "version");
      expectSuccess(await write(context, path, "<p>Theirs</p>", version));
      expectRefusal(await write(context, path, "<p>Mine</p>", version), 409);
      expectThat(textAt(await read(context, path), "html").includes("Theirs"), "their body", null);
    },
  },
  {
    id: "postmortem.3.versionless",
    title: "3: the refusal carries no version of its own",
    async check(context) {
      const { path, created: made } = await opened(context);
      const version = numberAt(made, "version");
      expectSuccess(await write(context, path, "<p>Theirs</p>", version));
      const exchange = await write(context, path, "<p>Mine</p>", version);
      expectStatus(exchange, 409);
      const carried = [at(exchange.body, "version"), at(exchange.body, "error", "version")];
      expectThat(
        carried.every((value) => value === undefined),
        "no version in the refusal",
        exchange.body ?? null,
        exchange,
      );
    },
  },
  {
    id: "postmortem.3.again",
    title: "3: the caller reads again and reapplies",
    async check(context) {
      const { path, created: made } = await opened(context);
      const version = numberAt(made, "version");
      expectSuccess(await write(context, path, "<p>Theirs</p>", version));
      expectStatus(await write(context, path, "<p>Mine</p>", version), 409);
      const fresh = numberAt(await read(context, path), "version");
      expectStatus(await write(context, path, "<p>Mine</p>", fresh), 200);
    },
  },
  {
    id: "postmortem.3.race",
    title: "3: of two bodies sent at once with one version, one succeeds and one is refused with 409",
    async check(context) {
      const { path, created: made } = await opened(context);
      const version = numberAt(made, "version");
      const sent = await Promise.all(["<p>A</p>", "<p>B</p>"].map((html) => write(context, path, html, version)));
      expectSame("the statuses", sent.map((exchange) => exchange.status).sort(), [200, 409]);
    },
  },
  {
    id: "postmortem.4",
    title: "4: a body sent without version is refused with 422",
    async check(context) {
      const { path, created: made } = await opened(context);
      expectRefusal(await context.client.patch(path, { html: "<p>x</p>" }), 422);
      expectSame("the version", (await read(context, path)).version, made.version);
    },
  },
  ...statuses.map(
    (status): RuleDefinition => ({
      id: `postmortem.5.${status}`,
      title: `5: a change of status to ${status} needs no version`,
      async check(context) {
        const { path } = await opened(context);
        const exchange = await context.client.patch(path, { status });
        expectStatus(exchange, 200);
        expectSame("status", (await read(context, path)).status, status, exchange);
      },
    }),
  ),
  {
    id: "postmortem.5.other",
    title: "another status than the four is refused with 422",
    async check(context) {
      const { path } = await opened(context);
      expectRefusal(await context.client.patch(path, { status: "published" }), 422, "validation_error");
    },
  },
  {
    id: "postmortem.both",
    title: "html with version and status go together in one PATCH",
    async check(context) {
      const { path, created: made } = await opened(context);
      const body = { html: "<p>Both</p>", version: made.version ?? null, status: "in_review" };
      expectStatus(await context.client.patch(path, body), 200);
      const found = await read(context, path);
      expectSame("status", found.status, "in_review");
      expectThat(textAt(found, "html").includes("Both"), "the body", found.html ?? null);
    },
  },
  {
    id: "postmortem.both.refused",
    title: "a stale body refuses the status sent with it too",
    async check(context) {
      const { path, created: made } = await opened(context);
      expectSuccess(await write(context, path, "<p>Theirs</p>", numberAt(made, "version")));
      const before = (await read(context, path)).status;
      const body = { html: "<p>Mine</p>", version: made.version ?? null, status: "completed" };
      expectRefusal(await context.client.patch(path, body), 409);
      expectSame("status", (await read(context, path)).status, before);
    },
  },
  {
    id: "postmortem.types",
    basis: "wire",
    title: "the 409 is of type stale_content, the body without version of type version_required",
    async check(context) {
      const { path, created: made } = await opened(context);
      expectRefusal(await context.client.patch(path, { html: "<p>x</p>" }), 422, "version_required");
      const version = numberAt(made, "version");
      expectSuccess(await write(context, path, "<p>Theirs</p>", version));
      expectRefusal(await write(context, path, "<p>Mine</p>", version), 409, "stale_content");
    },
  },
  {
    id: "postmortem.shape",
    basis: "wire",
    title: "a postmortem has id, title, incident_id, written_by and updated_at",
    async check(context) {
      const found = await read(context, (await opened(context)).path);
      expectShape("id", found.id, uuid);
      expectShape("incident_id", found.incident_id, uuid);
      expectShape("title", found.title, nonEmptyString);
      expectShape("written_by", found.written_by, orNull(object));
      expectShape("updated_at", found.updated_at, timestamp);
    },
  },
]);

/** The rules of postmortems. */
export const postmortemRules: readonly ConformanceRule[] = [...states, ...writing];
