/** Rules of "Transcript message" and of the transcript endpoint. */

import type { Json } from "../../../core/json.ts";
import { expectSame, expectShape } from "../../expectation.ts";
import { column, type Expected, every } from "../../expected.ts";
import { talkedAbout } from "../../fixtures/given.ts";
import { incidentWithMessages, transcriptOf } from "../../fixtures/incidents.ts";
import { type RowStep, rulesOf } from "../../row.ts";
import { type ConformanceRule, NotApplicable } from "../../rule.ts";
import {
  boolean,
  emptyText,
  latestFirst,
  nonEmptyString,
  present,
  rowsAt,
  string,
  stringLike,
  textAt,
  timestamp,
} from "../../value-shape.ts";

function transcript(query: string, shows: Expected): RowStep {
  return {
    request: `GET incidents/{incident.id}/transcript?${query}`,
    notApplicable: [403, "transcripts are refused here"],
    shows,
  };
}

export const transcriptRules: readonly ConformanceRule[] = rulesOf("Transcript message", {
  "transcript.messages": {
    title: "each message carries who said it, when, the text, and whether anything in it was redacted",
    given: { incident: talkedAbout(1) },
    // The document names no fields; the names are the wire facts'.
    steps: [transcript("", every({ said_at: timestamp, text: string, redacted: boolean, said_by: present }))],
  },
  "transcript.redacted": {
    title: "a message something was redacted in says so",
    async check(context) {
      const exchange = await transcriptOf(context, await incidentWithMessages(context, 1), "limit=500");
      const redacted = rowsAt(exchange.body, "messages").filter((message) => message.redacted === true);
      if (redacted.length === 0) throw new NotApplicable("no message of the conversation is redacted");
      const shape = stringLike("a text with something taken out", /redact|█|\*{3}|•{3}/i);
      for (const { text } of redacted) expectShape("text", text, shape, exchange);
    },
  },
  "transcript.more_before.empty": {
    title: "more_before is empty when nothing older exists",
    steps: [transcript("", { more_before: emptyText })],
  },
  "transcript.order": {
    title: "messages are ordered oldest last",
    given: { incident: talkedAbout(3) },
    steps: [transcript("limit=500", column("said_at", latestFirst))],
  },
  "transcript.limit": {
    title: "limit says how many messages come: the newest ones",
    async check(context) {
      const id = await incidentWithMessages(context, 3);
      const all = rowsAt((await transcriptOf(context, id, "limit=500")).body, "messages");
      const exchange = await transcriptOf(context, id, "limit=2");
      expectSame("the messages", rowsAt(exchange.body, "messages"), all.slice(0, 2), exchange);
    },
  },
  "transcript.before": {
    title: "before takes the more_before of a response, and pages on through everything older",
    async check(context) {
      const id = await incidentWithMessages(context, 3);
      const all = rowsAt((await transcriptOf(context, id, "limit=500")).body, "messages");
      const read: Json[] = [];
      let cursor = "";
      for (let page = 0; page <= all.length; page += 1) {
        const query = cursor === "" ? "limit=2" : `limit=2&before=${encodeURIComponent(cursor)}`;
        const exchange = await transcriptOf(context, id, query);
        read.push(...rowsAt(exchange.body, "messages"));
        cursor = textAt(exchange.body, "more_before");
        if (cursor === "") break;
      }
      expectSame("the messages of all pages", read, all);
    },
  },
  "transcript.limit.one": {
    title: "limit may be 1, the least",
    given: { incident: talkedAbout(2) },
    steps: [transcript("limit=1", { messages: [{}], more_before: nonEmptyString })],
  },
  "transcript.envelope": {
    basis: "wire",
    title:
      "the response is { incident_id, messages, more_before }, a message { message_id, thread_id, said_at, text, redacted, said_by }",
    given: { incident: talkedAbout(1) },
    steps: [
      transcript("", {
        incident_id: "{incident.id}",
        messages: every({
          message_id: present,
          thread_id: present,
          said_at: timestamp,
          text: string,
          redacted: boolean,
          said_by: present,
        }),
      }),
    ],
  },
});
