/** Mutants of sending and reading: what is sent again, how long is waited, what is believed. */

import type { Mutant } from "../mutant.ts";

/** Mutants of the connection to the service. */
export const requestMutants: readonly Mutant[] = [
  {
    id: "retry-post-on-reset",
    rule: "retry.lost",
    does: "sends a write again after a connection reset",
    file: "src/api/http/retry.ts",
    edits: [
      {
        find: 'lost: { applied: "unknown", read: "retry", write: "resolve" }',
        replace: 'lost: { applied: "unknown", read: "retry", write: "retry" }',
      },
    ],
    redBy: ["test/api/http/retry.test.ts", "test/api/http/client.test.ts"],
  },
  {
    id: "retry-post-on-500",
    rule: "retry.unavailable",
    does: "sends a write again after a 500",
    file: "src/api/http/retry.ts",
    edits: [
      {
        find: 'unavailable: { applied: "unknown", read: "retry", write: "resolve" }',
        replace: 'unavailable: { applied: "unknown", read: "retry", write: "retry" }',
      },
    ],
    redBy: ["test/api/http/retry.test.ts", "test/api/http/client.test.ts"],
  },
  {
    id: "retry-delete-by-priority",
    rule: "retry.recheck",
    does: "repeats a deletion by priority without another look",
    file: "src/api/http/client.ts",
    edits: [{ find: "        await recheck?.();\n", replace: "" }],
    redBy: ["test/apply/execute/preconditions.test.ts"],
  },
  {
    id: "cap-retry-after",
    rule: "retry.after",
    does: "waits thirty seconds at most, whatever the service asks for",
    file: "src/api/http/retry.ts",
    edits: [
      {
        find: "return Math.max(FLOOR, asked * 1000 * (1 + random / 10));",
        replace: "return Math.min(30_000, Math.max(FLOOR, asked * 1000 * (1 + random / 10)));",
      },
    ],
    redBy: ["test/api/http/retry.test.ts"],
  },
  {
    id: "ignore-http-date",
    rule: "retry.date",
    does: "reads Retry-After only as seconds",
    file: "src/api/http/retry.ts",
    edits: [{ find: "const until = Date.parse(header);", replace: "const until = Number.NaN;" }],
    redBy: ["test/api/http/retry.test.ts"],
  },
  {
    id: "no-jitter",
    rule: "retry.jitter",
    does: "waits equally long in every client",
    file: "src/api/http/retry.ts",
    edits: [
      {
        find: "return random * Math.min(CAP, BASE * 2 ** (attempt - 1));",
        replace: "return Math.min(CAP, BASE * 2 ** (attempt - 1));",
      },
    ],
    redBy: ["test/api/http/retry.test.ts"],
  },
  {
    id: "no-jitter-when-throttled",
    rule: "retry.jitter",
    does: "lets throttled clients come back together",
    file: "src/api/http/retry.ts",
    edits: [
      {
        find: "return FLOOR + random * Math.min(CAP, FLOOR * 2 ** (attempt - 1));",
        replace: "return FLOOR + Math.min(CAP, FLOOR * 2 ** (attempt - 1));",
      },
    ],
    redBy: ["test/api/http/retry.test.ts"],
  },
  {
    id: "failed-on-timeout",
    rule: "retry.unknown",
    does: "says of a write whose answer was lost that it was not carried out",
    file: "src/api/http/retry.ts",
    edits: [
      {
        find: 'lost: { applied: "unknown", read: "retry", write: "resolve" }',
        replace: 'lost: { applied: "no", read: "retry", write: "resolve" }',
      },
    ],
    redBy: ["test/apply/execute/apply.test.ts", "test/api/http/retry.test.ts"],
  },
  {
    id: "follow-redirects",
    rule: "request.redirect",
    does: "goes where a redirect leads",
    file: "src/api/http/client.ts",
    edits: [
      {
        find: 'const init: FetchInit = { method, headers, redirect: "manual", signal };',
        replace: 'const init = { method, headers, redirect: "follow", signal };',
      },
    ],
    redBy: ["test/api/http/transport.test.ts", "test/api/http/client.test.ts"],
  },
  {
    id: "send-token-to-another-host",
    rule: "request.host",
    does: "sends the token wherever a path leads",
    file: "src/api/http/client.ts",
    edits: [
      {
        find: 'if (url.origin !== origin || url.pathname !== ask.path || !ask.path.startsWith("/api/v1/")) {',
        replace: 'if (ask.path === "") {',
      },
    ],
    redBy: ["test/api/http/client.test.ts"],
  },
  {
    id: "send-token-over-http",
    rule: "request.host",
    does: "sends the token over plain http",
    file: "src/api/http/credentials.ts",
    edits: [{ find: 'return hostname === "localhost" || ', replace: 'return hostname !== "" || ' }],
    redBy: ["test/api/http/credentials.test.ts"],
  },
  {
    id: "trust-anybody",
    rule: "request.verified",
    does: "takes every certificate",
    file: "src/api/http/network.ts",
    edits: [{ find: "rejectUnauthorized: true,", replace: "rejectUnauthorized: false," }],
    redBy: ["test/api/http/network.test.ts"],
  },
  {
    id: "write-before-handshake",
    rule: "request.verified",
    does: "writes a request before it is known who is at the other end",
    file: "src/api/http/node-fetch.ts",
    edits: [{ find: "if (request.reusedSocket) connected();", replace: "if (socket.writable) connected();" }],
    redBy: ["test/api/http/network.test.ts"],
  },
  {
    id: "lenient-framing",
    rule: "request.framing",
    does: "takes an answer that has a length and chunks as well",
    file: "src/api/http/node-fetch.ts",
    edits: [{ find: "insecureHTTPParser: false", replace: "insecureHTTPParser: true" }],
    redBy: ["test/api/read/response.test.ts"],
  },
  {
    id: "broken-way-is-no-way",
    rule: "retry.under-way",
    does: "takes a way that broke under way for one that never was",
    file: "src/api/http/transport-error.ts",
    edits: [{ find: "isUnderWay(failed) ? early : ", replace: "!(failed instanceof Error) ? early : " }],
    redBy: ["test/api/http/transport.test.ts"],
  },
  {
    id: "accept-html",
    rule: "request.type",
    does: "takes a sign-in page with status 200 for an answer",
    file: "src/api/read/response.ts",
    edits: [
      {
        find: "const body = isJson(response) ? parsed(text, isHuge) : undefined;",
        replace: "const body = isJson(response) ? parsed(text, isHuge) : {};",
      },
    ],
    redBy: ["test/api/http/client.test.ts"],
  },
  {
    id: "accept-json-by-any-name",
    rule: "request.type",
    does: "takes whatever can be parsed for an answer",
    file: "src/api/read/response.ts",
    edits: [
      {
        find: "const body = isJson(response) ? parsed(text, isHuge) : undefined;",
        replace: "const body = parsed(text, isHuge);",
      },
    ],
    redBy: ["test/api/http/client.test.ts"],
  },
  {
    id: "403-is-empty",
    rule: "reading.refused",
    does: "takes a list that it may not read for an empty one",
    file: "src/refresh/observe.ts",
    edits: [
      {
        find: "if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {",
        replace:
          "if (error instanceof ServiceError && error.status === 403) return [];\n      if (error instanceof ServiceError && [401, 404].includes(error.status)) {",
      },
    ],
    redBy: ["test/refresh/observe.test.ts"],
  },
  {
    id: "404-is-empty",
    rule: "reading.missing",
    does: "takes a list that is not there for an empty one",
    file: "src/refresh/observe.ts",
    edits: [
      {
        find: "if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {",
        replace:
          "if (error instanceof ServiceError && error.status === 404) return [];\n      if (error instanceof ServiceError && [401, 403].includes(error.status)) {",
      },
    ],
    redBy: ["test/refresh/observe.test.ts"],
  },
  {
    id: "accept-bare-nothing",
    rule: "reading.missing",
    does: "believes a bare empty array, which a cut connection may have left",
    file: "src/api/read/envelope.ts",
    edits: [{ find: "(rows === body && rows.length === 0)", replace: "rows === null" }],
    redBy: ["test/api/read/envelope.test.ts"],
  },
  {
    id: "missing-key-is-empty",
    rule: "reading.missing",
    does: "takes an answer without the list for an empty list",
    file: "src/api/read/envelope.ts",
    edits: [{ find: "if (!isList(rows) ||", replace: "if (!isList(rows)) return [];\n  if (" }],
    redBy: ["test/api/read/envelope.test.ts", "test/refresh/observe.test.ts"],
  },
  {
    id: "no-double-read",
    rule: "reading.certain",
    does: "believes one reading of a list in pages",
    file: "src/refresh/observe.ts",
    edits: [{ find: "once ? {} : { certain: true as const }", replace: "{}" }],
    redBy: ["test/refresh/certain.test.ts"],
  },
  {
    id: "accept-close-delimited",
    rule: "reading.cut",
    does: "believes a body that a cut connection may have ended",
    file: "src/api/read/response.ts",
    edits: [{ find: "  requireEnd(asked, response, body);\n", replace: "" }],
    redBy: ["test/api/read/response.test.ts", "test/api/http/transport.test.ts"],
  },
  {
    id: "forget-include-disabled",
    rule: "reading.disabled",
    does: "does not ask for disabled entries",
    file: "src/refresh/observe.ts",
    edits: [{ find: '{ include_disabled: "true" }', replace: "{}" }],
    redBy: ["test/refresh/observe.test.ts"],
  },
  {
    id: "stop-at-first-page",
    rule: "reading.pages",
    does: "takes the first page for the list",
    file: "src/api/read/list.ts",
    edits: [{ find: "if (page === undefined) {", replace: "if (page === undefined || rows.length < PER_PAGE) {" }],
    redBy: ["test/api/read/list.test.ts"],
  },
  {
    id: "believe-any-total",
    rule: "reading.pages",
    does: "does not mind that fewer entries came than the total says",
    file: "src/api/read/list.ts",
    edits: [{ find: "if (rows.length !== page.total) return", replace: "if (rows.length < 0) return" }],
    redBy: ["test/api/read/list.test.ts"],
  },
  {
    id: "full-page-without-pagination",
    rule: "reading.pages",
    does: "takes a full page that tells no pages for the whole list",
    file: "src/api/read/list.ts",
    edits: [
      { find: "listing.paginated && rows.length === PER_PAGE", replace: "listing.paginated && rows.length > PER_PAGE" },
    ],
    redBy: ["test/api/read/list.test.ts"],
  },
  {
    id: "believe-twins",
    rule: "reading.twice",
    does: "does not mind that an entry came twice",
    file: "src/api/read/list.ts",
    edits: [{ find: "if (seen.has(", replace: "if (rows.length < 0 && seen.has(" }],
    redBy: ["test/api/read/list.test.ts"],
  },
  {
    id: "hostile-answer",
    rule: "input.prototype",
    does: "keeps __proto__ of an answer as a key",
    file: "src/api/read/response.ts",
    edits: [{ find: 'isHuge || text.includes("__proto__") ||', replace: "isHuge ||" }],
    redBy: ["test/api/http/client.test.ts"],
  },
];
