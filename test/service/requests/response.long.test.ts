import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TransportError } from "../../../src/service/http/transport-error.ts";
import { readList } from "../../../src/service/lists/list.ts";
import type { ApiResponse, Writer } from "../../../src/service/requests/connection.ts";
import { UnexpectedResponse } from "../../../src/service/requests/unexpected-response.ts";
import { clients, connectedTo, type RawServer, rawServer } from "../../support/service/raw-server.ts";

const path = "/api/v1/severities";
const json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const member = '{"id":"1","name":"A ü"}';
const list = '{"severities":[{"id":"1"},{"id":"2"}]}';
const page = '{"severities":[{"id":"1"},{"id":"2"}],"pagination":{"page":1,"per_page":100,"total":2}}';

let server: RawServer;
let writer: Writer;

beforeAll(async () => {
  server = await rawServer();
});
afterAll(() => server.close());

/** An answer, or the error instead of it. */
async function settled(promise: Promise<ApiResponse>): Promise<ApiResponse | Error> {
  return promise.catch((error: Error) => error);
}

async function unexpected(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UnexpectedResponse);
  return String(error);
}

function sized(head: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`${head}content-length: ${bytes.length}\r\n\r\n`), bytes]);
}

function chunked(head: string, body: string): Buffer {
  const bytes = Buffer.from(body);
  const chunks = [bytes.subarray(0, 9), bytes.subarray(9)].map((chunk) =>
    Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]),
  );
  return Buffer.concat([Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`), ...chunks, Buffer.from("0\r\n\r\n")]);
}

describe.each(clients)("%s", (_name, fetch) => {
  beforeEach(() => {
    server.received.length = 0;
    writer = connectedTo(server.origin, fetch);
  });

  describe("a response cut after any byte", () => {
    it.each([
      ["with a length", sized(json, list), list],
      ["in chunks", chunked(json, list), list],
      ["ended by the connection", Buffer.from(`${json}connection: close\r\n\r\n${page}`), page],
      ["ended by the connection, unannounced", Buffer.from(`${json}\r\n${list}`), ""],
      ["packed", sized(`${json}content-encoding: gzip\r\n`, gzipSync(list)), list],
    ])("never counts as complete for a read: %s", async (_how, bytes, whole) => {
      // Once its repetitions are used up, one connection makes one attempt for each read.
      for (let length = 0; length <= bytes.length; length++) {
        server.respond(bytes.subarray(0, length));
        const answer = await settled(writer.get({ path }));
        if (answer instanceof Error) {
          const wanted = [TransportError, UnexpectedResponse].some((type) => answer instanceof type);
          expect(wanted, `${length} bytes: ${answer}`).toBe(true);
          expect(length === bytes.length && whole !== "", `${length} bytes: ${answer}`).toBe(false);
        } else {
          expect(answer.body, `${length} bytes`).toEqual(JSON.parse(whole));
        }
      }
    });

    it.each([
      ["with a length", sized(json, member)],
      ["in chunks", chunked(json, member)],
      ["ended by the connection", Buffer.from(`${json}connection: close\r\n\r\n${page}`)],
    ])("leaves a write unknown, and sent once: %s", async (_how, bytes) => {
      for (let length = 0; length < bytes.length; length++) {
        server.respond(bytes.subarray(0, length));
        server.received.length = 0;
        const answer = await settled(writer.send("POST", { path }, { name: "A" }));
        // What is lost after the body is only the end of the framing.
        if (!(answer instanceof Error)) expect(answer.body).toEqual(JSON.parse(member));
        else if (answer instanceof TransportError) expect(answer.applied).toBe("unknown");
        else expect(answer).toBeInstanceOf(UnexpectedResponse);
        expect(server.received).toHaveLength(1);
      }
    });
  });

  describe("a body that ends with the connection", () => {
    it.each(["[]", '{"severities":[]}', list, member])("is an error, although it is JSON: %s", async (body) => {
      server.respond(`${json}\r\n${body}`);
      expect(await unexpected(writer.get({ path }))).toContain("unknown length");
      server.respond(`${json}connection: close\r\n\r\n${body}`);
      expect(await unexpected(writer.get({ path }))).toContain("unknown length");
      server.respond(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${body}`);
      expect(await unexpected(writer.get({ path }))).toContain("unknown length");
      for (const method of ["POST", "PATCH", "DELETE"] as const) {
        server.respond(`${json}connection: close\r\n\r\n${body === "[]" ? "" : body}`);
        expect(await unexpected(writer.send(method, { path }, {}))).toMatch(/unknown length|empty body/);
      }
    });

    it("is valid if that end was announced and the list has a total", async () => {
      const listing = { request: { path }, list: "severities", paginated: true, identity: ["id"] };
      server.respond(`${json}connection: close\r\n\r\n${page}`);
      expect(await readList(writer.get, listing)).toEqual([{ id: "1" }, { id: "2" }]);
      server.respond(`${json}connection: close\r\n\r\n${page.replace('{"id":"1"},', "")}`);
      await expect(readList(writer.get, listing)).rejects.toThrow("1 of 2 items came");
    });

    it("does not matter without a body", async () => {
      server.respond("HTTP/1.1 204 No Content\r\n\r\n");
      expect((await writer.send("DELETE", { path }, null)).body).toBeNull();
    });
  });

  describe("a response above a limit", () => {
    it("is aborted at 32 MiB of a compressed list, however small its transfer", async () => {
      const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024, 0x20));
      server.respond(sized(`${json}content-encoding: gzip\r\n`, bomb));
      const before = process.memoryUsage().rss;
      expect(await unexpected(writer.get({ path }))).toContain("more than 32 MiB");
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    });

    it("is aborted at 8 MiB of a single resource", async () => {
      server.respond(sized(json, `{"a":"${"x".repeat(8 * 1024 * 1024)}"}`));
      expect(await unexpected(writer.send("PATCH", { path }, {}))).toContain("more than 8 MiB");
    });

    it("is refused if it is compressed several times", async () => {
      const packed = [1, 2, 3, 4, 5, 6].reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from(list));
      server.respond(sized(`${json}content-encoding: ${Array(6).fill("gzip").join(", ")}\r\n`, packed));
      expect(await settled(writer.get({ path }))).toBeInstanceOf(Error);
    });

    it("is refused if it is deeply nested, before it is parsed", async () => {
      for (const deep of ["[".repeat(65) + "]".repeat(65), "[".repeat(5_000_000), '{"a":'.repeat(1_000_000)]) {
        server.respond(sized(json, deep));
        expect(await unexpected(writer.get({ path }))).toContain("nested more than 64 levels deep");
      }
      const brackets = { severities: [], note: "[".repeat(100) };
      server.respond(sized(json, JSON.stringify(brackets)));
      expect((await writer.get({ path })).body).toEqual(brackets);
    });

    it("is refused if it has more values than any list", async () => {
      server.respond(sized(json, `[0${",0".repeat(4_000_000)}]`));
      expect(await unexpected(writer.get({ path }))).toContain("too many values");
    });

    it("is requested without compression unless it may be a list", async () => {
      server.respond(sized(json, list));
      await writer.get({ path });
      await writer.send("PATCH", { path }, {});
      expect(server.received.map((text) => /accept-encoding: (.*)\r/i.exec(text)?.[1])).toEqual([
        expect.stringContaining("gzip"),
        "identity",
      ]);
    });
  });

  describe("another type of response", () => {
    it.each([
      ["a part of it", "HTTP/1.1 206 Partial Content\r\ncontent-type: application/json\r\n", list, "206"],
      ["from somebody's memory", "HTTP/1.1 203 Non-Authoritative\r\ncontent-type: application/json\r\n", list, "203"],
      ["reset", "HTTP/1.1 205 Reset Content\r\ncontent-type: application/json\r\n", "", "205"],
      ["a number beyond all numbers", json, '{"severities":[{"id":"1","position":1e400}]}', "1e400"],
      ["a number of a thousand digits", json, `{"a":${"9".repeat(1000)}}`, "999"],
      ["a number below all numbers", json, '{"a":-1E+999}', "-1E+999"],
      ["a comment in JSON", json, '{"a":1/**/}', "/**/"],
      ["two documents", json, "{}{}", "{}{}"],
    ])("is refused: %s", async (_what, head, body, says) => {
      server.respond(sized(head, body));
      expect(await unexpected(writer.get({ path }))).toContain(says);
    });

    it.each([
      ["100 and the end", "HTTP/1.1 100 Continue\r\n\r\n"],
      ["103 and the end", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
      ["101", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
      ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n{}"],
      ["another protocol", "RTSP/1.0 200 OK\r\n\r\n"],
      ["a length that is no number", `${json}content-length: 1e3\r\n\r\n{}`],
      ["a length below zero", `${json}content-length: -1\r\n\r\n{}`],
      ["two lengths", `${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `],
      ["a length and chunks", `${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
      ["a chunk that is none", `${json}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
      ["ten thousand headers", `${json}${"x: y\r\n".repeat(10_000)}content-length: 2\r\n\r\n{}`],
      ["a byte that no header has", `${json}x: \u0000\r\ncontent-length: 2\r\n\r\n{}`],
      ["torn gzip", sized(`${json}content-encoding: gzip\r\n`, gzipSync(list).subarray(0, 20))],
      ["no gzip", sized(`${json}content-encoding: gzip\r\n`, list)],
    ])("is an error, and its content is ignored: %s", async (_what, bytes) => {
      server.respond(bytes);
      const read = await settled(writer.get({ path }));
      expect(read).toBeInstanceOf(Error);
      const before = server.received.length;
      const written = await settled(writer.send("POST", { path }, { name: "A" }));
      expect(written).toMatchObject({ request: { method: "POST", path } });
      if (written instanceof TransportError) expect(written.applied).toBe("unknown");
      expect(server.received.length - before).toBe(1);
      expect(`${read}${written}`).not.toContain("canary");
    });

    it("is the first one of two", async () => {
      server.respond(Buffer.concat([sized(json, list), sized(json, "{}")]));
      expect((await writer.get({ path })).body).toEqual(JSON.parse(list));
    });

    it("comes after early hints", async () => {
      server.respond(Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"), sized(json, list)]));
      expect((await writer.get({ path })).body).toEqual(JSON.parse(list));
    });

    it("changes no prototype, with any names", async () => {
      const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
      server.respond(sized(json, `{${names.map((name) => `"${name}":{"polluted":true}`).join(",")},"severities":[]}`));
      const { body } = await writer.get({ path });
      expect(Object.keys(body ?? {})).toEqual([...names, "severities"]);
      expect({}).not.toHaveProperty("polluted");
      expect(Object.keys(Object.prototype)).toEqual([]);
    });
  });

  describe("an error of any size", () => {
    it("is printed in a limited length", async () => {
      const errors = Array.from({ length: 300 }, () => ({ field: "f".repeat(999), message: "m".repeat(2_999) }));
      const error = { type: "t".repeat(9_999), message: "x".repeat(99_999), request_id: "r".repeat(9_999), errors };
      server.respond(sized("HTTP/1.1 422 No\r\ncontent-type: application/json\r\n", JSON.stringify({ error })));
      const told = await settled(writer.get({ path }));
      expect(JSON.stringify(told).length + String(told).length).toBeLessThan(300_000);
      expect(told).toMatchObject({ status: 422 });
    });
  });
});
