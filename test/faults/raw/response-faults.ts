/** Faults of a response that arrives: malformed messages, bodies that are no JSON or never end, odd headers. */

import { gzipSync } from "node:zlib";
import { complete, errorResponse, head, json, type ServedResponse, withHeaders } from "./http-bytes.ts";
import type { Exchange, Phase, RawFault } from "./raw-fault.ts";

/** Sends a response in a wrong way. */
type Send = (served: ServedResponse, exchange: Exchange) => void;

/** A well-formed response of another content, or bytes. */
type Change = (served: ServedResponse) => ServedResponse | Buffer | string;

const MEBIBYTE = 1024 * 1024;

function text(served: ServedResponse): string {
  return served.body.toString("utf8");
}

/** Replaces the text of the body. */
function retold(change: (text: string) => string): Change {
  return (served) => ({ ...served, body: Buffer.from(change(text(served))) });
}

/** Sends exactly these headers with the body. */
function framed(...headers: ServedResponse["headers"]): Change {
  return ({ status, headers: own, body }) => Buffer.concat([Buffer.from(head(status, [...own, ...headers])), body]);
}

/** Sends the body in chunks, followed by this text. */
function chunked(ending: string, size = (bytes: number) => bytes.toString(16)): Change {
  return ({ status, headers, body }) =>
    Buffer.concat([
      Buffer.from(`${head(status, [...headers, ["transfer-encoding", "chunked"]])}${size(body.length)}\r\n`),
      body,
      Buffer.from(ending),
    ]);
}

/** Replaces the first line of the response. */
function startLine(line: string): Change {
  return (served) =>
    complete(served)
      .toString("latin1")
      .replace(/^[^\r]*/, line);
}

/** Adds a line to the head. */
function headLine(line: string): Change {
  return (served) => complete(served).toString("latin1").replace("\r\n", `\r\n${line}\r\n`);
}

function before(bytes: string): Change {
  return (served) => Buffer.concat([Buffer.from(bytes), complete(served)]);
}

function encoded(label: string, encode: (body: Buffer) => Buffer): Change {
  return (served) => withHeaders({ ...served, body: encode(served.body) }, [["content-encoding", label]]);
}

function typed(...types: readonly string[]): Change {
  return (served) =>
    withHeaders(
      served,
      types.map((type) => ["content-type", type]),
    );
}

function headed(...headers: ServedResponse["headers"]): Change {
  return (served) => withHeaders(served, headers);
}

const EARLY = head(103, [["link", "</style.css>; rel=preload"]]);

const heads: Readonly<Record<string, Change>> = {
  "another protocol": startLine("SIP/2.0 200 OK"),
  "no head": ({ body }) => body,
  "a preface of HTTP 2": before("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  "a status of five digits": startLine("HTTP/1.1 20000 OK"),
  "status 000": startLine("HTTP/1.1 000 Nothing"),
  "status 999": startLine("HTTP/1.1 999 Much"),
  "a status of letters": startLine("HTTP/1.1 OK"),
  "a header without a colon": headLine("content-language"),
  "a space before the colon": headLine("content-language : en"),
  "a folded header": headLine("x-a: b\r\n c"),
  "NUL in a header": headLine("x-a: b\0c"),
  "line feeds alone": (served) => complete(served).toString("latin1").replaceAll("\r\n", "\n"),
  "two different lengths": framed(["content-length", "5"], ["content-length", "7"]),
  "the same length twice": (served) => complete(served, [["content-length", String(served.body.length)]]),
  "a length and chunks": framed(["content-length", "5"], ["transfer-encoding", "chunked"]),
  "a negative length": framed(["content-length", "-5"]),
  "a hexadecimal length": framed(["content-length", "0x10"]),
  "a huge length": framed(["content-length", "99999999999999999999999"]),
  "an encoding that does not exist": framed(["transfer-encoding", "fruit"]),
  "chunks twice": framed(["transfer-encoding", "chunked, chunked"]),
  "one header of 1 MiB": (served) => complete(served, [["x-large", "x".repeat(MEBIBYTE)]]),
  "10,000 headers": (served) =>
    complete(
      served,
      Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, "y"]),
    ),
  "status 100 before it": before(head(100, [])),
  "early hints before it": before(EARLY.repeat(20)),
  "status 102 before it": before(head(102, [])),
  "status 101 before it": before(
    head(101, [
      ["upgrade", "websocket"],
      ["connection", "upgrade"],
    ]),
  ),
};

const bodies: Readonly<Record<string, Change>> = {
  "a length too small": (served) => framed(["content-length", String(Math.max(0, served.body.length - 3))])(served),
  "a length of zero": framed(["content-length", "0"]),
  "followed by garbage": (served) => Buffer.concat([complete(served), Buffer.from("\u0000\u0001garbage\r\n\r\n")]),
  "followed by another response": (served) => Buffer.concat([complete(served), complete(json(200, "{}"))]),
  "followed by itself": (served) => Buffer.concat([complete(served), complete(served)]),
  "a chunk size of letters": chunked("\r\n0\r\n\r\n", () => "zz"),
  "a negative chunk size": chunked("\r\n0\r\n\r\n", () => "-5"),
  "a huge chunk size": chunked("\r\n0\r\n\r\n", () => "FFFFFFFFFFFFFFFFF"),
  "a chunk size too small": chunked("\r\n0\r\n\r\n", (bytes) => Math.max(1, bytes - 4).toString(16)),
  "a chunk with a long extension": chunked(
    "\r\n0\r\n\r\n",
    (bytes) => `${bytes.toString(16)};x=${"y".repeat(100_000)}`,
  ),
  "chunks with a long trailer": chunked(`\r\n0\r\nx: ${"y".repeat(MEBIBYTE)}\r\n\r\n`),
  gzip: encoded("gzip", (body) => gzipSync(body)),
  "gzip cut off": encoded("gzip", (body) => gzipSync(body).subarray(0, -9)),
  "gzip with a wrong checksum": encoded("gzip", (body) =>
    Buffer.concat([gzipSync(body).subarray(0, -8), Buffer.alloc(8)]),
  ),
  "gzip followed by garbage": encoded("gzip", (body) => Buffer.concat([gzipSync(body), Buffer.from("garbage")])),
  "called gzip but plain": encoded("gzip", (body) => body),
  "gzip without a name": (served) => ({ ...served, body: gzipSync(served.body) }),
  "gzip twice": encoded("gzip, gzip", (body) => gzipSync(gzipSync(body))),
  "called br but plain": encoded("br", (body) => body),
  "a byte order mark": retold((body) => `\uFEFF${body}`),
  "UTF-16": (served) => ({ ...served, body: Buffer.from(text(served), "utf16le") }),
  "called UTF-16 but UTF-8": typed("application/json; charset=utf-16"),
  "called Latin-1": typed("application/json; charset=iso-8859-1"),
  "two charsets": typed("application/json; charset=utf-8; charset=utf-16"),
  "bytes that are no UTF-8": (served) => ({ ...served, body: Buffer.concat([served.body, Buffer.from([0xc3])]) }),
  "called a page": typed("text/html"),
  "called JSON and a page": typed("application/json", "text/html"),
  "no type": (served) => ({ ...served, headers: served.headers.filter(([name]) => name !== "content-type") }),
  "half of the JSON": retold((body) => body.slice(0, body.length / 2)),
  "JSON twice": retold((body) => body + body),
  "a number too large": retold((body) => body.replace(/^\{/, '{"large":1e400,')),
  "deep JSON": retold(() => `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`),
  "a key __proto__": retold((body) => body.replace(/^\{/, '{"__proto__":{"polluted":true},')),
  "lone surrogates": retold((body) => body.replace(/^\{/, '{"lone":"\\ud800",')),
  "another id first": retold((body) => body.replace(/"id":"/g, '"id":"00000000-0000-4000-8000-000000000000","id":"')),
  "white space around it": retold((body) => `\r\n\t ${body} \n`),
  "status 203": (served) => ({ ...served, status: 203 }),
  "status 206": (served) => ({ ...served, status: 206 }),
  "status 304": (served) => ({ ...served, status: 304 }),
  "status 204 with a body": (served) => Buffer.concat([Buffer.from(head(204, served.headers)), served.body]),
};

/** Responses of which the client must close the connection, or the server does. */
const closing: Readonly<Record<string, Change>> = {
  "a body without a length": framed(["connection", "close"]),
  "a body without a length or a word about the end": framed(),
  "a list without a length": () =>
    `${head(200, [
      ["content-type", "application/json"],
      ["connection", "close"],
    ])}[]`,
  "a length too large": framed(["content-length", "1000000"]),
  "chunks without an end": chunked("\r\n"),
};

/** Good responses with odd headers. */
const oddHeaders: Readonly<Record<string, Change>> = {
  "two dates": headed(["date", "Sat, 21 Nov 2026 08:00:00 GMT"], ["date", "Sat, 21 Nov 2026 09:00:00 GMT"]),
  "a date that is none": headed(["date", "soon"]),
  "a date in 1970": headed(["date", "Thu, 01 Jan 1970 00:00:00 GMT"]),
  "a date in the year 9999": headed(["date", "Fri, 31 Dec 9999 23:59:59 GMT"]),
  "a location elsewhere": headed(
    ["location", "https://127.0.0.1:9/elsewhere"],
    ["refresh", "0; url=http://127.0.0.1:9/"],
  ),
  "the connection closes": headed(["connection", "close"]),
  "a connection kept for no time": headed(["connection", "keep-alive"], ["keep-alive", "timeout=0, max=0"]),
  "a limit without a reset": headed(["ratelimit-remaining", "0"]),
  "a limit with a reset of no time": headed(["ratelimit-remaining", "0"], ["ratelimit-reset", "0"]),
  "a limit with a reset in years": headed(["ratelimit-remaining", "0"], ["ratelimit-reset", "999999999"]),
  "a limit with a reset in the year 9999": headed(
    ["x-ratelimit-remaining", "0"],
    ["x-ratelimit-reset", "253402300799"],
  ),
  "a negative limit": headed(["ratelimit-remaining", "-1"], ["ratelimit-reset", "-1"]),
  "two limits": headed(["ratelimit-remaining", "0"], ["ratelimit-remaining", "5"], ["ratelimit-reset", "1"]),
  "Retry-After on a success": headed(["retry-after", "60"]),
};

const retryAfters: Readonly<Record<string, readonly string[]>> = {
  "a negative time": ["-5"],
  "no time": ["0"],
  "a fraction": ["1.5"],
  "a past date": ["Thu, 01 Jan 1970 00:00:00 GMT"],
  "a date in the year 9999": ["Fri, 31 Dec 9999 23:59:59 GMT"],
  "a date that is none": ["Mon, 99 Foo 2026 99:99:99 GMT"],
  "a text": ["soon"],
  "an empty text": [""],
  years: ["1000000000"],
  "400 digits": ["9".repeat(400)],
  "two times": ["1", "3"],
  "a time and a date": ["1", "Fri, 31 Dec 9999 23:59:59 GMT"],
};

/** Responses without an end; only limits and timeouts of the client end them. */
const floods: Readonly<Record<string, { readonly start: Change; readonly flood: string | Buffer }>> = {
  "early hints": { start: () => "", flood: EARLY },
  "status 100": { start: () => "", flood: head(100, []) },
  headers: { start: () => "HTTP/1.1 200 OK\r\n", flood: "x-a: b\r\n" },
  "line feeds": { start: () => "", flood: "\r\n" },
  "white space": {
    start: () =>
      head(200, [
        ["content-type", "application/json"],
        ["content-length", "9".repeat(15)],
      ]),
    flood: " ".repeat(4096),
  },
  "the digits of a number": {
    start: () =>
      `${head(200, [
        ["content-type", "application/json"],
        ["content-length", "9".repeat(15)],
      ])}{"n":`,
    flood: "1".repeat(4096),
  },
  chunks: {
    start: () =>
      head(200, [
        ["content-type", "application/json"],
        ["transfer-encoding", "chunked"],
      ]),
    flood: "1\r\n \r\n",
  },
  "an extension of a chunk": {
    start: () =>
      `${head(200, [
        ["content-type", "application/json"],
        ["transfer-encoding", "chunked"],
      ])}1;`,
    flood: "x".repeat(4096),
  },
  trailers: {
    start: () =>
      `${head(200, [
        ["content-type", "application/json"],
        ["transfer-encoding", "chunked"],
      ])}2\r\n{}\r\n0\r\n`,
    flood: "x-a: b\r\n",
  },
  "the page of an error": { start: () => head(500, [["content-type", "text/html"]]), flood: "<p>Oops</p>" },
};

let bomb: Buffer | undefined;

/** 128 MiB of white space, in 128 KiB. */
function gzipBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(128 * MEBIBYTE, " "), { level: 9 });
  return bomb;
}

/** Each change of a response that the service has made, and of an empty one of a request that it never got. */
function both(phase: Phase, name: string, send: Send, rest: Partial<RawFault> = {}): readonly RawFault[] {
  const done: RawFault = {
    phase,
    name: `${name}, done`,
    action: { at: "request", act: async (exchange) => send(await exchange.deliver(), exchange) },
    ...rest,
  };
  const notDone: RawFault = {
    phase,
    name: `${name}, not done`,
    action: { at: "request", act: (exchange) => send(json(200, "{}"), exchange) },
    ...rest,
  };
  return [done, notDone];
}

function changes(
  phase: Phase,
  table: Readonly<Record<string, Change>>,
  rest: Partial<RawFault> = {},
): readonly RawFault[] {
  return Object.entries(table).flatMap(([name, change]) =>
    both(phase, name, (served, exchange) => sendChanged(change(served), exchange), rest),
  );
}

function sendChanged(changed: ServedResponse | Buffer | string, exchange: Exchange): void {
  if (typeof changed === "string") exchange.write(Buffer.from(changed, "latin1"));
  else if (Buffer.isBuffer(changed)) exchange.write(changed);
  else exchange.respond(changed);
}

function ended(table: Readonly<Record<string, Change>>): readonly RawFault[] {
  const finishes: Readonly<Record<string, (exchange: Exchange) => void>> = {
    FIN: (exchange) => exchange.end(),
    reset: (exchange) => setTimeout(() => exchange.reset(), 2),
    silence: () => {},
  };
  return Object.entries(table).flatMap(([name, change]) =>
    Object.entries(finishes).flatMap(([how, finish]) =>
      both(
        "response body",
        `${name}, ${how}`,
        (served, exchange) => {
          sendChanged(change(served), exchange);
          finish(exchange);
        },
        how === "silence" ? { endless: true } : {},
      ),
    ),
  );
}

export const responseFaults: readonly RawFault[] = [
  ...changes("response headers", heads, { endless: true }),
  ...changes("response body", bodies, { endless: true }),
  ...ended(closing),
  ...both("response body", "a gzip bomb", (served, exchange) => {
    exchange.respond(withHeaders({ ...served, body: gzipBomb() }, [["content-encoding", "gzip"]]));
  }),
  ...both("response body", "a gzip bomb with status 500", (_, exchange) => {
    exchange.respond({ ...withHeaders(errorResponse(500, "x"), [["content-encoding", "gzip"]]), body: gzipBomb() });
  }),
  ...Object.entries(floods).flatMap(([name, { start, flood }]) =>
    both(
      name.startsWith("early") || /status|headers|line/.test(name) ? "response headers" : "response body",
      `a flood of ${name}`,
      (served, exchange) => {
        sendChanged(start(served), exchange);
        exchange.flood(flood);
      },
      { endless: true },
    ),
  ),
  ...changes("response", oddHeaders),
  ...Object.entries(retryAfters).flatMap(([name, values]): readonly RawFault[] => {
    const headers = values.map((value) => ["retry-after", value] as const);
    const throttled = withHeaders(errorResponse(429, "rate_limited"), headers);
    const unavailable = withHeaders(errorResponse(503, "unavailable"), headers);
    return [
      {
        phase: "response",
        name: `429 with Retry-After of ${name}`,
        action: { at: "request", act: (exchange) => exchange.respond(throttled) },
      },
      ...both("response", `503 with Retry-After of ${name}`, (_, exchange) => exchange.respond(unavailable)),
    ];
  }),
];
