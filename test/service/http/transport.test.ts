import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fetch, NotConnected } from "../../../src/core/fetch.ts";
import { connect } from "../../../src/service/http/client.ts";
import { TransportError } from "../../../src/service/http/transport-error.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { ServiceError } from "../../../src/service/requests/service-error.ts";
import { UnexpectedResponse } from "../../../src/service/requests/unexpected-response.ts";
import { clients, connectedTo as connected } from "../../support/service/raw-server.ts";
import { VirtualClock } from "../virtual-clock.ts";

const path = "/api/v1/severities";
const servers: Server[] = [];
let network: Fetch;

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** For what is answered: no machine is so loaded that it would take as long. */
const PATIENT = 20;

async function listening(server: Server, timeoutSeconds = PATIENT): Promise<Writer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = server.close.bind(server);
  server.close = (done) => {
    for (const socket of sockets) socket.destroy();
    return close(done);
  };
  servers.push(server);
  return connectedTo((server.address() as AddressInfo).port, timeoutSeconds);
}

function connectedTo(port: number, timeoutSeconds = PATIENT): Writer {
  return connected(`http://127.0.0.1:${port}`, network, timeoutSeconds);
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server whose first answers are given by these, the last one for good. */
async function serving(...answers: readonly Answer[]) {
  let count = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    request.resume().on("end", () => answer?.(request, response));
  });
  return { writer: await listening(server), requests: () => count };
}

/** One that is given up after this many seconds. */
function slow(timeoutSeconds: number, answer: Answer): Promise<Writer> {
  return listening(
    createServer((request, response) => void request.resume().on("end", () => answer(request, response))),
    timeoutSeconds,
  );
}

/** A server that says these bytes to whatever it is asked, and closes. */
async function saying(bytes: string) {
  let count = 0;
  const server = createRawServer((socket) => {
    socket.once("data", () => {
      count++;
      socket.end(bytes);
    });
  });
  return { writer: await listening(server), requests: () => count };
}

function good(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end('{"severities":[]}');
}

function reset(request: IncomingMessage): void {
  request.socket.resetAndDestroy();
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

describe.each(clients)("%s", (_name, fetch) => {
  beforeEach(() => {
    network = fetch;
  });

  describe("an unreachable service", () => {
    it("is retried, and reported without the token as certainly not applied", async () => {
      const server = createServer(good);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      const error = await failure(connectedTo(port).send("POST", { path }, { name: "A" }));
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({ applied: "no", code: "ECONNREFUSED", timedOut: false });
      expect(String(error)).toContain(`cannot connect to http://127.0.0.1:${port}: the connection was refused`);
      expect(String(error)).not.toContain("canary");
    });
  });

  describe("a connection that breaks", () => {
    it("before the response leaves a write unknown, sent once", async () => {
      const { writer, requests } = await serving(reset);
      const error = await failure(writer.send("POST", { path }, { name: "A" }));
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({ applied: "unknown", request: { method: "POST", path } });
      expect(requests()).toBe(1);
    });

    it("before the response allows a retry of a read", async () => {
      const { writer, requests } = await serving(reset, reset, good);
      expect((await writer.get({ path })).body).toEqual({ severities: [] });
      expect(requests()).toBe(3);
    });

    it.each([
      [
        "a length that is too long",
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{}",
      ],
      [
        "chunks without an end",
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n",
      ],
      ["no byte at all", ""],
      ["half a header", "HTTP/1.1 200 OK\r\ncontent-ty"],
      ["something else than HTTP", "SSH-2.0-OpenSSH_9.9\r\n"],
      ["too many headers", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(40_000)}\r\n\r\n`],
    ])("within the response, with %s, never counts as a response", async (_what, bytes) => {
      const { writer, requests } = await saying(bytes);
      expect(await failure(writer.send("PATCH", { path }, {}))).toMatchObject({
        name: "TransportError",
        applied: "unknown",
      });
      expect(requests()).toBe(1);
      expect(await failure(writer.get({ path }))).toBeInstanceOf(TransportError);
      expect(requests()).toBe(6);
    });

    it("at the end of a body without a length leaves incomplete JSON", async () => {
      const { writer } = await saying('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"severities":[');
      expect(await failure(writer.get({ path }))).toBeInstanceOf(UnexpectedResponse);
    });

    it("within the body of a refusal does not hide the refusal", async () => {
      const { writer } = await saying(
        "HTTP/1.1 429 Slow\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
      );
      const error = await failure(writer.send("POST", { path }, {}));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ status: 429 });
    });
  });

  describe("a service that is slow", () => {
    it("to begin its response times out", async () => {
      const writer = await slow(0.3, () => undefined);
      const error = await failure(writer.send("POST", { path }, {}));
      expect(error).toMatchObject({ name: "TransportError", applied: "unknown", timedOut: true });
      expect(String(error)).toContain("within 0.3 s");
    });

    it("to end its response times out", async () => {
      const writer = await slow(0.3, (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      });
      expect(await failure(writer.send("POST", { path }, {}))).toMatchObject({ applied: "unknown", timedOut: true });
    });
  });

  describe("a redirect", () => {
    it("sends neither the token nor the body anywhere", async () => {
      const other = await serving(good);
      const { writer, requests } = await serving((_request, response) => {
        response.writeHead(307, { location: `${other.writer.host}${path}` }).end();
      });
      expect(await failure(writer.send("POST", { path }, { name: "A" }))).toBeInstanceOf(UnexpectedResponse);
      expect(await failure(writer.get({ path }))).toBeInstanceOf(UnexpectedResponse);
      expect(requests()).toBe(2);
      expect(other.requests()).toBe(0);
    });
  });
});

describe("an error of fetch", () => {
  const thrown = (cause: object) => Object.assign(new TypeError("fetch failed"), { cause });
  const coded = (code: string, more: object = {}) =>
    thrown(Object.assign(new Error(`ff_canary ${code}`), { code, ...more }));

  async function reading(error: unknown): Promise<unknown> {
    const writer = connect({
      baseUrl: "https://incidents.example.com",
      token: "ff_canary",
      fetch: () => Promise.reject(error),
      clock: new VirtualClock(),
      requestsPerMinute: 900,
      timeoutSeconds: 1,
    });
    const read = await failure(writer.send("POST", { path }, {}));
    expect(String(read)).not.toContain("canary");
    return read;
  }

  it.each([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "UND_ERR_CONNECT_TIMEOUT",
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ])("says whether bytes were sent only if the client knows it, not by a code such as %s", async (code) => {
    const unsent = new NotConnected(Object.assign(new Error("ff_canary"), { code }));
    expect(await reading(unsent)).toMatchObject({ applied: "no", code });
    expect(await reading(coded(code))).toMatchObject({ applied: "unknown", code });
  });

  it("is before the first byte if no address of the host can be connected to", async () => {
    const refused = () => Object.assign(new Error("ff_canary"), { code: "ECONNREFUSED", syscall: "connect" });
    const all = Object.assign(new AggregateError([refused(), refused()]), { code: "ECONNREFUSED" });
    expect(await reading(thrown(all))).toMatchObject({ applied: "no", code: "ECONNREFUSED" });
    const broken = Object.assign(new AggregateError([refused(), new Error("ff_canary")]), { code: "ECONNREFUSED" });
    expect(await reading(thrown(broken))).toMatchObject({ applied: "unknown" });
  });

  it("is before the first byte when the system was connecting", async () => {
    expect(await reading(coded("ETIMEDOUT", { syscall: "connect" }))).toMatchObject({ applied: "no", timedOut: true });
    expect(await reading(coded("ETIMEDOUT", { syscall: "read" }))).toMatchObject({
      applied: "unknown",
      timedOut: true,
    });
  });

  it.each(["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED"])(
    "may be after the service has acted if the connection breaks, with %s",
    async (code) => {
      expect(await reading(coded(code, { syscall: "read" }))).toMatchObject({ applied: "unknown", code });
      expect(await reading(coded(code, { syscall: "connect" }))).toMatchObject({ applied: "no", code });
    },
  );

  it("is before the first byte if the connector reports it", async () => {
    for (const more of [{}, { code: "ECONNRESET", syscall: "read" }]) {
      const unsent = new NotConnected(Object.assign(new Error("ff_canary"), more));
      expect(await reading(unsent)).toMatchObject({ applied: "no" });
    }
  });

  it.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_HEADERS_OVERFLOW", "EPROTO"])(
    "may be after the service has acted with %s",
    async (code) => {
      expect(await reading(coded(code))).toMatchObject({ applied: "unknown", code, timedOut: false });
    },
  );

  it.each(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])("is a timeout with %s", async (code) => {
    expect(await reading(coded(code))).toMatchObject({ applied: "unknown", timedOut: true, code });
    expect(String(await reading(coded(code)))).toContain("stopped sending before its response to POST");
  });

  it("is before the first byte if a proxy opens no tunnel", async () => {
    const refused = Object.assign(new Error("Proxy response (407) !== 200 when HTTP Tunneling"), {
      code: "UND_ERR_ABORTED",
    });
    expect(await reading(new NotConnected(refused))).toMatchObject({ applied: "no", timedOut: false });
    expect(String(await reading(new NotConnected(refused)))).toContain("the proxy returned status 407");
  });

  it.each([new Error("ff_canary"), "ff_canary", thrown(new Error("x")), thrown({ code: 7 }), coded("x", { code: 7 })])(
    "is unknown without a code: case %#",
    async (error) => {
      expect(await reading(error)).toMatchObject({ applied: "unknown", code: undefined });
    },
  );

  it("is a timeout also if a cause says so", async () => {
    const timeout = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    expect(await reading(timeout)).toMatchObject({ timedOut: true });
    expect(await reading(thrown(timeout))).toMatchObject({ timedOut: true });
  });

  it("may have its code itself", async () => {
    expect(await reading(Object.assign(new Error("x"), { code: "ECONNRESET" }))).toMatchObject({ code: "ECONNRESET" });
  });
});
