/** Rules of "Postmortem": creation, the body under optimistic concurrency, the status. */

import type { Fields } from "../../../core/json.ts";
import { expectSame, expectThat, memberOf } from "../../expectation.ts";
import { above, type Expected, likeKept } from "../../expected.ts";
import { incidentIn, posted } from "../../fixtures/given.ts";
import { declareIn, idOf } from "../../fixtures/incidents.ts";
import { forEach, type RowStep, rulesOf, type StepOutcome } from "../../row.ts";
import { type ConformanceRule, Deviation } from "../../rule.ts";
import {
  absent,
  at,
  integer,
  nonEmptyString,
  numberAt,
  object,
  oneOf,
  orNull,
  string,
  stringLike,
  textAt,
  timestamp,
  uuid,
  type ValueShape,
} from "../../value-shape.ts";

const statuses = ["draft", "in_progress", "in_review", "completed"] as const;
const path = "incidents/{incident.id}/postmortem";

/** A resolved incident, and its empty postmortem. */
const resolved = { incident: incidentIn("closed") };
const opened = { ...resolved, made: posted(path) };

function created(outcome: StepOutcome = {}): RowStep {
  return { request: `POST ${path}`, ...outcome };
}

function read(shows: Expected): RowStep {
  return { request: `GET ${path}`, shows };
}

function changed(body: Fields, outcome: StepOutcome): RowStep {
  return { request: `PATCH ${path}`, body, ...outcome };
}

/** A body sent with a version; by default, the one of the empty postmortem. */
function written(word: string, outcome: StepOutcome = {}, version = "{made.version}"): RowStep {
  return changed({ html: `<p>${word}</p>`, version }, outcome);
}

/** A body with the one word and without the other. */
function bodyOf(word: string, other = "no such word"): Expected {
  return { html: stringLike(`a body with ${word} and not ${other}`, new RegExp(`^(?!.*${other}).*${word}`, "s")) };
}

/** The document names no key for the author. */
const authored: ValueShape = {
  description: "a postmortem with its author",
  holds: (value) => orNull(object).holds(at(value, "written_by") ?? at(value, "author")),
};

const states: readonly ConformanceRule[] = rulesOf("Postmortem", {
  "postmortem.fields": {
    title: "a postmortem has html, status, version and its author",
    given: opened,
    steps: [read({ html: orNull(string), status: oneOf(...statuses), version: integer }), read(authored)],
  },
  ...forEach(["triage", "active"] as const, (stage) => ({
    [`postmortem.open.${stage}`]: {
      title: `1: creation is refused with 422 while the incident is open (${stage}), and the message says so`,
      given: { incident: incidentIn(stage) },
      steps: [
        created({ refusal: "422", message: /open|active|resol/i }),
        { request: `GET ${path}`, refusal: "404 not_found" },
      ],
    },
  })),
  "postmortem.canceled": {
    title: "2: creation is refused with 422 when the incident is canceled, and the message says so",
    given: { incident: incidentIn("canceled") },
    steps: [created({ refusal: "422", message: /cancel/i })],
  },
  "postmortem.twice": {
    title: "3: creation is refused with 422 when the incident already has a postmortem, and the message says so",
    given: opened,
    steps: [created({ refusal: "422", message: /already|exist|has a/i }), read({ version: "{made.version}" })],
  },
  "postmortem.created": {
    title: "POST opens an empty postmortem",
    given: resolved,
    steps: [
      created({
        shows: { html: orNull(stringLike("an empty body", /^(\s|<[^>]*>)*$/)), generation_state: orNull(absent) },
      }),
    ],
  },
  "postmortem.generated": {
    title: "generate: true drafts in the background: generation_state is there, and reading again sees it clear",
    async check(context) {
      const { client } = context;
      const postmortem = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
      const exchange = await client.post(postmortem, { generate: true });
      expectThat(nonEmptyString.holds(memberOf(exchange).generation_state), "generation_state", null, exchange);
      const deadline = Date.now() + 20_000;
      for (;;) {
        const found = memberOf(await client.get(postmortem));
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
  "postmortem.absent": {
    title: "reading the postmortem of an incident that has none returns 404",
    given: resolved,
    steps: [{ request: `GET ${path}`, refusal: "404 not_found" }],
  },
});

const writing: readonly ConformanceRule[] = rulesOf("Endpoints: Postmortem", {
  "postmortem.1.replaces": {
    title: "1: html replaces the entire body; it does not append",
    given: opened,
    steps: [
      written("First", { keep: "first" }),
      written("Second", {}, "{first.version}"),
      read(bodyOf("Second", "First")),
    ],
  },
  "postmortem.1.versions": {
    title: "1: every version is kept: each body gets a version of its own, above the one before",
    given: opened,
    steps: [
      written("One", { keep: "first", shows: { version: above("{made.version}") } }),
      written("Two", { shows: { version: above("{first.version}") } }, "{first.version}"),
    ],
  },
  "postmortem.2": {
    title: "2: a body sent with the current version succeeds",
    given: opened,
    steps: [
      { ...read({}), keep: "current" },
      written("What happened", { status: "200" }, "{current.version}"),
      read(bodyOf("What happened")),
    ],
  },
  "postmortem.3.stale": {
    title: "3: a body sent with a stale version is refused with 409 and changes nothing",
    given: opened,
    steps: [written("Theirs"), written("Mine", { refusal: "409" }), read(bodyOf("Theirs", "Mine"))],
  },
  "postmortem.3.versionless": {
    title: "3: the refusal carries no version of its own",
    given: opened,
    steps: [
      written("Theirs"),
      written("Mine", { status: "409", shows: { version: absent, error: { version: absent } } }),
    ],
  },
  "postmortem.3.again": {
    title: "3: the caller reads again and reapplies",
    given: opened,
    steps: [
      written("Theirs"),
      written("Mine", { status: "409" }),
      { ...read({}), keep: "fresh" },
      written("Mine", { status: "200" }, "{fresh.version}"),
    ],
  },
  "postmortem.3.race": {
    title: "3: of two bodies sent at once with one version, one succeeds and one is refused with 409",
    async check(context) {
      const postmortem = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
      const version = numberAt(memberOf(await context.client.post(postmortem)), "version");
      const bodies = ["A", "B"].map((word) => ({ html: `<p>${word}</p>`, version }));
      const sent = await Promise.all(bodies.map((body) => context.client.patch(postmortem, body)));
      expectSame("the statuses", sent.map((exchange) => exchange.status).sort(), [200, 409]);
    },
  },
  "postmortem.4": {
    title: "4: a body sent without version is refused with 422",
    given: opened,
    steps: [changed({ html: "<p>x</p>" }, { refusal: "422" }), read({ version: "{made.version}" })],
  },
  ...forEach(statuses, (status) => ({
    [`postmortem.5.${status}`]: {
      title: `5: a change of status to ${status} needs no version`,
      given: opened,
      steps: [changed({ status }, { status: "200" }), read({ status, version: "{made.version}" })],
    },
  })),
  "postmortem.5.other": {
    title: "another status than the four is refused with 422",
    given: opened,
    steps: [changed({ status: "published" }, { refusal: "422 validation_error" })],
  },
  "postmortem.both": {
    title: "html with version and status go together in one PATCH",
    given: opened,
    steps: [
      changed({ html: "<p>Both</p>", version: "{made.version}", status: "in_review" }, { status: "200" }),
      read({ status: "in_review" }),
      read(bodyOf("Both")),
    ],
  },
  "postmortem.both.refused": {
    title: "a stale body refuses the status sent with it too",
    given: opened,
    steps: [
      written("Theirs"),
      changed({ html: "<p>Mine</p>", version: "{made.version}", status: "completed" }, { refusal: "409" }),
      read({ status: "{made.status}" }),
    ],
  },
  "postmortem.types": {
    basis: "wire",
    title: "the 409 is of type stale_content, the body without version of type version_required",
    given: opened,
    steps: [
      changed({ html: "<p>x</p>" }, { refusal: "422 version_required" }),
      changed({ html: "<p>x</p>", version: null }, { refusal: "422 version_required" }),
      written("Theirs"),
      written("Mine", { refusal: "409 stale_content" }),
    ],
  },
  "postmortem.status": {
    basis: "wire",
    title: "opening a postmortem returns 201",
    given: resolved,
    steps: [created({ status: "201" })],
  },
  "postmortem.shape": {
    basis: "wire",
    title:
      "opening, reading and changing a postmortem return it with id, title, incident_id, written_by and updated_at",
    given: resolved,
    steps: [
      created({
        shows: {
          id: uuid,
          incident_id: uuid,
          title: nonEmptyString,
          written_by: orNull(object),
          updated_at: timestamp,
        },
        keep: "made",
      }),
      read(likeKept("made")),
      changed({ status: "in_review" }, { shows: likeKept("made", "status", "updated_at"), keep: "changed" }),
      read(likeKept("changed")),
    ],
  },
});

export const postmortemRules: readonly ConformanceRule[] = [...states, ...writing];
