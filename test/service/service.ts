/** A service of a few lines, for tests of what reads: answers by path and query, and what was asked. */

import type { Json } from "../../src/core/json.ts";
import { connect } from "../../src/service/http/client.ts";
import type { Reader } from "../../src/service/requests/connection.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What a path is answered with; a response for anything but 200 with JSON. */
export type Given = Json | Response | ((query: URLSearchParams) => Json | Response);

/** A reader of the given answers; `asked` holds path and query of every request, in order. */
export function serviceOf(given: Readonly<Record<string, Given>>): { reader: Reader; asked: string[] } {
  const asked: string[] = [];
  const reader = connect({
    baseUrl: "https://incidents.example.com",
    token: "ff_ordinary",
    adminToken: "ff_admin",
    clock: new VirtualClock(),
    requestsPerMinute: 10_000,
    timeoutSeconds: 5,
    fetch: async (input, { headers }) => {
      const { pathname, search, searchParams } = new URL(input);
      const path = pathname.replace("/api/v1", "");
      asked.push(`${path}${search}${headers.authorization === "Bearer ff_admin" ? " as admin" : ""}`);
      const found = given[path];
      const answer = typeof found === "function" ? found(searchParams) : found;
      if (answer === undefined) return refusal(404, "Resource not found");
      return answer instanceof Response ? answer.clone() : json(answer, 200);
    },
  });
  return { reader, asked };
}

/** An answer with the interface's error object. */
export function refusal(status: number, message: string): Response {
  return json({ error: { type: "refused", message, request_id: "6f1c" } }, status);
}

/** One page of these rows, as the interface cuts them. */
export function paged(list: string, rows: readonly Json[], query: URLSearchParams, largest = 100): Json {
  const page = Number(query.get("page") ?? 1);
  const perPage = Math.min(Number(query.get("per_page") ?? 25), largest);
  const total = rows.length;
  return {
    [list]: rows.slice((page - 1) * perPage, page * perPage),
    pagination: { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage) },
  };
}

function json(body: Json, status: number): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
