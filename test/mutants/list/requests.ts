/** Mutants of the connection: what is sent again, how long the client waits, and which responses it believes. */

import type { Mutant } from "../mutant.ts";

/** Mutants of requests, responses and lists. */
export const requestMutants: readonly Mutant[] = [
  {
    id: "retry-post-on-reset",
    rule: "retry.lost",
    does: "sends a write again after a connection reset",
    file: "src/service/http/retry.ts",
    edits: [
      {
        find: 'lost: { applied: "unknown", read: "retry", write: "resolve" }',
        replace: 'lost: { applied: "unknown", read: "retry", write: "retry" }',
      },
    ],
    redBy: ["test/service/http/retry.test.ts", "test/service/http/client.test.ts"],
  },
  {
    id: "retry-post-on-500",
    rule: "retry.unavailable",
    does: "sends a write again after a 500",
    file: "src/service/http/retry.ts",
    edits: [
      {
        find: 'unavailable: { applied: "unknown", read: "retry", write: "resolve" }',
        replace: 'unavailable: { applied: "unknown", read: "retry", write: "retry" }',
      },
    ],
    redBy: ["test/service/http/retry.test.ts", "test/service/http/client.test.ts"],
  },
  {
    id: "retry-delete-by-priority",
    rule: "retry.recheck",
    does: "repeats a deletion by priority without checking the list again",
    file: "src/service/http/client.ts",
    edits: [{ find: "        await recheck?.();\n", replace: "" }],
    redBy: ["test/run/apply/preconditions.test.ts"],
  },
  {
    id: "cap-retry-after",
    rule: "retry.after",
    does: "waits at most thirty seconds, whatever the service asks for",
    file: "src/service/http/retry.ts",
    edits: [
      {
        find: "return Math.max(FLOOR, seconds * 1000 * (1 + random / 10));",
        replace: "return Math.min(30_000, Math.max(FLOOR, seconds * 1000 * (1 + random / 10)));",
      },
    ],
    redBy: ["test/service/http/retry.test.ts"],
  },
  {
    id: "ignore-http-date",
    rule: "retry.date",
    does: "reads Retry-After only as seconds",
    file: "src/service/requests/response.ts",
    edits: [{ find: "const until = Date.parse(header);", replace: "const until = Number.NaN;" }],
    redBy: ["test/service/http/retry.test.ts"],
  },
  {
    id: "no-jitter",
    rule: "retry.jitter",
    does: "waits equally long in every client",
    file: "src/service/http/retry.ts",
    edits: [
      {
        find: "return random * Math.min(CAP, BASE * 2 ** (attempt - 1));",
        replace: "return Math.min(CAP, BASE * 2 ** (attempt - 1));",
      },
    ],
    redBy: ["test/service/http/retry.test.ts"],
  },
  {
    id: "no-jitter-when-throttled",
    rule: "retry.jitter",
    does: "lets throttled clients come back together",
    file: "src/service/http/retry.ts",
    edits: [
      {
        find: "return FLOOR + random * Math.min(CAP, FLOOR * 2 ** (attempt - 1));",
        replace: "return FLOOR + Math.min(CAP, FLOOR * 2 ** (attempt - 1));",
      },
    ],
    redBy: ["test/service/http/retry.test.ts"],
  },
  {
    id: "failed-on-timeout",
    rule: "retry.unknown",
    does: "reports a write whose response was lost as not carried out",
    file: "src/service/http/retry.ts",
    edits: [
      {
        find: 'lost: { applied: "unknown", read: "retry", write: "resolve" }',
        replace: 'lost: { applied: "no", read: "retry", write: "resolve" }',
      },
    ],
    redBy: ["test/run/apply/apply.test.ts", "test/service/http/retry.test.ts"],
  },
  {
    id: "follow-redirects",
    rule: "request.redirect",
    does: "follows a redirect",
    file: "src/service/http/client.ts",
    edits: [
      {
        find: 'const init: FetchInit = { method, headers, redirect: "manual", signal };',
        replace: 'const init = { method, headers, redirect: "follow", signal };',
      },
    ],
    redBy: ["test/service/http/transport.test.ts", "test/service/http/client.test.ts"],
  },
  {
    id: "send-token-to-another-host",
    rule: "request.host",
    does: "sends the token wherever a path leads",
    file: "src/service/http/client.ts",
    edits: [
      {
        find: "if (url.origin !== origin || url.pathname !== ask.path || !ask.path.startsWith(root)) {",
        replace: 'if (ask.path === "") {',
      },
    ],
    redBy: ["test/service/http/client.test.ts"],
  },
  {
    id: "send-token-over-http",
    rule: "request.host",
    does: "sends the token over plain http",
    file: "src/service/http/credentials.ts",
    edits: [{ find: 'return hostname === "localhost" || ', replace: 'return hostname !== "" || ' }],
    redBy: ["test/service/http/credentials.test.ts"],
  },
  {
    id: "accept-any-certificate",
    rule: "request.verified",
    does: "accepts every certificate",
    file: "src/service/http/network.ts",
    edits: [{ find: "rejectUnauthorized: true,", replace: "rejectUnauthorized: false," }],
    redBy: ["test/service/http/network.test.ts"],
  },
  {
    id: "write-before-handshake",
    rule: "request.verified",
    does: "writes a request before the certificate of the peer is checked",
    file: "src/service/http/node-fetch.ts",
    edits: [{ find: "if (request.reusedSocket) connected();", replace: "if (socket.writable) connected();" }],
    redBy: ["test/service/http/network.test.ts"],
  },
  {
    id: "lenient-framing",
    rule: "request.framing",
    does: "accepts a response that has both a length and chunks",
    file: "src/service/http/node-fetch.ts",
    edits: [{ find: "insecureHTTPParser: false", replace: "insecureHTTPParser: true" }],
    redBy: ["test/service/requests/response.test.ts"],
  },
  {
    id: "broken-is-never-connected",
    rule: "retry.in-progress",
    does: "takes a connection that broke during a request for one that was never made",
    file: "src/service/http/transport-error.ts",
    edits: [
      {
        find: "thrown instanceof NotConnected || isConnecting(failed)",
        replace: "thrown instanceof NotConnected || codeOf(failed) !== undefined",
      },
    ],
    redBy: ["test/service/http/transport.test.ts"],
  },
  {
    id: "believe-gateways",
    rule: "retry.own-answer",
    does: "takes the page of a gateway for the service's refusal of a write",
    file: "src/service/http/retry.ts",
    edits: [{ find: '!== "GET" && !error.isFromService', replace: '=== "PUT" && !error.isFromService' }],
    redBy: ["test/run/recover/gateway.test.ts"],
  },
  {
    id: "accept-html",
    rule: "request.type",
    does: "accepts a sign-in page with status 200 as a response",
    file: "src/service/requests/response.ts",
    edits: [
      {
        find: "const body = isJson(response) ? parseJson(text, mayOverflow) : undefined;",
        replace: "const body = isJson(response) ? parseJson(text, mayOverflow) : {};",
      },
    ],
    redBy: ["test/service/http/client.test.ts"],
  },
  {
    id: "accept-json-by-any-name",
    rule: "request.type",
    does: "accepts whatever can be parsed as a response",
    file: "src/service/requests/response.ts",
    edits: [
      {
        find: "const body = isJson(response) ? parseJson(text, mayOverflow) : undefined;",
        replace: "const body = parseJson(text, mayOverflow);",
      },
    ],
    redBy: ["test/service/http/client.test.ts"],
  },
  {
    id: "403-is-empty",
    rule: "list.forbidden",
    does: "takes a list that it may not read for an empty one",
    file: "src/workspace/read/observe.ts",
    edits: [
      {
        find: "if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {",
        replace:
          "if (error instanceof ServiceError && error.status === 403) return [];\n      if (error instanceof ServiceError && [401, 404].includes(error.status)) {",
      },
    ],
    redBy: ["test/workspace/read/observe.test.ts"],
  },
  {
    id: "404-is-empty",
    rule: "list.missing",
    does: "takes a list that does not exist for an empty one",
    file: "src/workspace/read/observe.ts",
    edits: [
      {
        find: "if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {",
        replace:
          "if (error instanceof ServiceError && error.status === 404) return [];\n      if (error instanceof ServiceError && [401, 403].includes(error.status)) {",
      },
    ],
    redBy: ["test/workspace/read/observe.test.ts"],
  },
  {
    id: "accept-bare-array",
    rule: "list.missing",
    does: "believes a bare empty array, which a cut connection may have left",
    file: "src/service/lists/envelope.ts",
    edits: [{ find: "(rows === body && rows.length === 0)", replace: "rows === null" }],
    redBy: ["test/service/lists/envelope.test.ts"],
  },
  {
    id: "missing-key-is-empty",
    rule: "list.missing",
    does: "takes a response without the list for an empty list",
    file: "src/service/lists/envelope.ts",
    edits: [{ find: "if (!isList(rows) ||", replace: "if (!isList(rows)) return [];\n  if (" }],
    redBy: ["test/service/lists/envelope.test.ts", "test/workspace/read/observe.test.ts"],
  },
  {
    id: "no-double-read",
    rule: "list.certain",
    does: "believes one reading of a paginated list",
    file: "src/workspace/read/observe.ts",
    edits: [{ find: "once ? {} : { certain: true as const }", replace: "{}" }],
    redBy: ["test/workspace/read/certain.test.ts"],
  },
  {
    id: "accept-close-delimited",
    rule: "list.cut",
    does: "believes a body that a cut connection may have ended",
    file: "src/service/requests/response.ts",
    edits: [{ find: "  requireEnd(request, response, body);\n", replace: "" }],
    redBy: ["test/service/requests/response.test.ts", "test/service/http/transport.test.ts"],
  },
  {
    id: "forget-include-disabled",
    rule: "list.disabled",
    does: "does not ask for disabled resources",
    file: "src/workspace/read/observe.ts",
    edits: [{ find: '{ include_disabled: "true" }', replace: "{}" }],
    redBy: ["test/workspace/read/observe.test.ts"],
  },
  {
    id: "stop-at-first-page",
    rule: "list.pages",
    does: "takes the first page for the whole list",
    file: "src/service/lists/list.ts",
    edits: [{ find: "if (page === undefined) {", replace: "if (page === undefined || rows.length < PER_PAGE) {" }],
    redBy: ["test/service/lists/list.test.ts"],
  },
  {
    id: "believe-any-total",
    rule: "list.pages",
    does: "accepts fewer rows than the total says",
    file: "src/service/lists/list.ts",
    edits: [{ find: "if (rows.length !== page.total) return", replace: "if (rows.length < 0) return" }],
    redBy: ["test/service/lists/list.test.ts"],
  },
  {
    id: "full-page-without-pagination",
    rule: "list.pages",
    does: "takes a full page without pagination for the whole list",
    file: "src/service/lists/list.ts",
    edits: [
      { find: "listing.paginated && rows.length === PER_PAGE", replace: "listing.paginated && rows.length > PER_PAGE" },
    ],
    redBy: ["test/service/lists/list.test.ts"],
  },
  {
    id: "believe-duplicates",
    rule: "list.duplicates",
    does: "accepts a row that came twice",
    file: "src/service/lists/list.ts",
    edits: [{ find: "if (identities.has(", replace: "if (rows.length < 0 && identities.has(" }],
    redBy: ["test/service/lists/list.test.ts"],
  },
  {
    id: "hostile-response",
    rule: "input.prototype",
    does: "keeps __proto__ of a response as a key",
    file: "src/service/requests/response.ts",
    edits: [{ find: 'mayOverflow || text.includes("__proto__") ||', replace: "mayOverflow ||" }],
    redBy: ["test/service/http/client.test.ts"],
  },
  {
    id: "count-from-sending",
    rule: "rate.finished",
    does: "frees the slot of a request a minute after it was sent, whenever the service counted it",
    file: "src/service/http/rate-limit.ts",
    edits: [{ find: "ended.push(clock.now());", replace: "ended.push(at);" }],
    redBy: ["test/service/http/rate-limit.test.ts", "test/service/http/throttling.test.ts"],
  },
  {
    id: "believe-an-old-check",
    rule: "rate.waited",
    does: "sends what the rate limit has delayed without checking again",
    file: "src/service/http/client.ts",
    edits: [{ find: "admission.at - start <= LONG_WAIT", replace: "admission.at >= start" }],
    redBy: ["test/service/http/repeating.test.ts"],
  },
  {
    id: "ignore-remaining",
    rule: "rate.remaining",
    does: "ignores how many requests the service says remain",
    file: "src/service/http/rate-limit.ts",
    edits: [{ find: "if (remaining >= underWay ||", replace: "if (remaining >= 0 ||" }],
    redBy: ["test/service/http/rate-limit.test.ts", "test/service/http/throttling.test.ts"],
  },
];
