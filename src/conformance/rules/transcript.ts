/** Rules of "Transcript message" and of the transcript endpoint. */

import type { Json } from "../../core/json.ts";
import { expectSame, expectShape, expectThat } from "../expectation.ts";
import { declare, idOf, incidentWithMessages, transcriptOf } from "../fixtures/incidents.ts";
import { type ConformanceRule, NotApplicable, rulesOf } from "../rule.ts";
import { at, boolean, nonEmptyString, objectWith, rowsAt, string, textAt, timestamp } from "../value-shape.ts";

/** The rules of transcripts. */
export const transcriptRules: readonly ConformanceRule[] = rulesOf("Transcript message", [
  {
    id: "transcript.messages",
    title: "each message carries who said it, when, the text, and whether anything in it was redacted",
    async check(context) {
      const exchange = await transcriptOf(context, await incidentWithMessages(context, 1));
      const messages = rowsAt(exchange.body, "messages");
      expectThat(messages.length > 0, "messages", exchange.body ?? null, exchange);
      for (const message of messages) {
        // The document names no fields; the names are the wire facts'.
        expectShape(
          "a message",
          message,
          objectWith({ said_at: timestamp, text: string, redacted: boolean }),
          exchange,
        );
        expectThat(message.said_by !== undefined, "said_by on a message", message, exchange);
      }
    },
  },
  {
    id: "transcript.redacted",
    title: "a message something was redacted in says so",
    async check(context) {
      const exchange = await transcriptOf(context, await incidentWithMessages(context, 1), "limit=500");
      const redacted = rowsAt(exchange.body, "messages").filter((message) => message.redacted === true);
      if (redacted.length === 0) throw new NotApplicable("no message of the conversation is redacted");
      for (const message of redacted) {
        expectThat(
          /redact|█|\*{3}|•{3}/i.test(textAt(message, "text")),
          "a text with something taken out",
          message,
          exchange,
        );
      }
    },
  },
  {
    id: "transcript.more_before.empty",
    title: "more_before is empty when nothing older exists",
    async check(context) {
      const exchange = await transcriptOf(context, idOf(await declare(context)));
      const cursor = at(exchange.body, "more_before") ?? "";
      expectSame("more_before", cursor, "", exchange);
    },
  },
  {
    id: "transcript.order",
    title: "messages are ordered oldest last",
    async check(context) {
      const exchange = await transcriptOf(context, await incidentWithMessages(context, 3), "limit=500");
      const times = rowsAt(exchange.body, "messages").map((message) => Date.parse(textAt(message, "said_at")));
      const falling = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
      expectThat(falling, "said_at to fall from the first message to the last", times, exchange);
    },
  },
  {
    id: "transcript.limit",
    title: "limit says how many messages come: the newest ones",
    async check(context) {
      const id = await incidentWithMessages(context, 3);
      const all = rowsAt((await transcriptOf(context, id, "limit=500")).body, "messages");
      const exchange = await transcriptOf(context, id, "limit=2");
      expectSame("the messages", rowsAt(exchange.body, "messages"), all.slice(0, 2), exchange);
    },
  },
  {
    id: "transcript.before",
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
  {
    id: "transcript.limit.one",
    title: "limit may be 1, the least",
    async check(context) {
      const id = await incidentWithMessages(context, 2);
      const exchange = await transcriptOf(context, id, "limit=1");
      expectSame("the number of messages", rowsAt(exchange.body, "messages").length, 1, exchange);
      expectShape("more_before", at(exchange.body, "more_before"), nonEmptyString, exchange);
    },
  },
  {
    id: "transcript.envelope",
    basis: "wire",
    title:
      "the response is { incident_id, messages, more_before }, a message { message_id, thread_id, said_at, text, redacted, said_by }",
    async check(context) {
      const id = await incidentWithMessages(context, 1);
      const exchange = await transcriptOf(context, id);
      expectSame("incident_id", at(exchange.body, "incident_id"), id, exchange);
      const names = ["message_id", "thread_id", "said_at", "text", "redacted", "said_by"];
      for (const message of rowsAt(exchange.body, "messages")) {
        expectSame(
          "what a message lacks",
          names.filter((name) => message[name] === undefined),
          [],
          exchange,
        );
      }
    },
  },
]);
