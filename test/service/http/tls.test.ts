import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createProxy } from "node:http";
import { type AddressInfo, connect, createServer as createRawServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, TLSSocket, type TlsOptions } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authority, selfSigned } from "../../support/service/certificates.ts";

/** How one connection ended, as the program below tells it. */
interface Ended {
  readonly status?: number;
  readonly applied?: string;
  readonly code?: string;
  readonly message?: string;
}

const TOKEN = "ff_canary_0123456789";
const HOUR = 3_600_000;

/** Connects to each address as a command would, in a process of its own: whom it trusts is settled when it starts. */
const PROGRAM = `
  const { connect } = await import(process.argv[1] + "service/http/client.js");
  const { openNetwork } = await import(process.argv[1] + "service/http/network.js");
  const clock = { now: () => performance.now(), sleep: async () => {} };
  const ended = {};
  await Promise.all(Object.entries(JSON.parse(process.argv[2])).map(async ([name, baseUrl]) => {
    const fetch = await openNetwork(process.env, 5, baseUrl);
    const writer = connect({ baseUrl, token: "${TOKEN}", fetch, clock, requestsPerMinute: 900, timeoutSeconds: 5 });
    ended[name] = await writer.send("POST", { path: "/api/v1/severities" }, {}).then(
      ({ status }) => ({ status }),
      ({ applied, code, message }) => ({ applied, code, message }),
    );
  }));
  console.log(JSON.stringify(ended));
  process.exit();
`;

const servers: Server[] = [];
const sockets = new Set<Socket>();
/** What each server was told once the connection was made, by its name. */
const heard = new Map<string, string>();
let folder: string;
let ended: Readonly<Record<string, Ended>>;
/** The same through a proxy. */
let proxied: Readonly<Record<string, Ended>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-tls-"));
  const trusted = authority("An authority");
  const soon = new Date(Date.now() + 24 * HOUR);
  const issue = (names: readonly string[], from: number, until: Date = soon) =>
    trusted.issue({ names, from: new Date(Date.now() + from), until });
  const good = issue(["localhost"], -HOUR);
  await writeFile(join(folder, "authority.pem"), trusted.cert);
  const addresses = {
    good: await tlsServer("good", good),
    expired: await tlsServer("expired", issue(["localhost"], -48 * HOUR, new Date(Date.now() - HOUR))),
    early: await tlsServer("early", issue(["localhost"], HOUR)),
    "another host": await tlsServer("another host", issue(["incidents.example.com"], -HOUR)),
    "self-signed": await tlsServer("self-signed", selfSigned({ names: ["localhost"] })),
    "an authority that nobody knows": await tlsServer("an authority that nobody knows", {
      ...authority("Another one").issue({ names: ["localhost"] }),
    }),
    "TLS 1.1": await tlsServer("TLS 1.1", {
      ...good,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    }),
    plaintext: await spillingServer("plaintext", good, "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"),
    "a bad record": await spillingServer(
      "a bad record",
      good,
      "\u0017\u0003\u0003\u0000\u0020aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ),
    "an alert in plaintext": await spillingServer(
      "an alert in plaintext",
      good,
      "\u0015\u0003\u0003\u0000\u0002\u0002\u0046",
    ),
    "plain http": await listening(
      "plain http",
      createRawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    ),
  };
  ended = await connectTo(addresses);
  proxied = await connectTo(addresses, { HTTPS_PROXY: await tunnelProxy() });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

test("a certificate of an authority named in NODE_EXTRA_CA_CERTS is trusted, and the token is sent", () => {
  expect(ended.good).toEqual({ status: 201 });
  expect(proxied.good).toEqual({ status: 201 });
  expect(heard.get("good")).toContain(`Bearer ${TOKEN}`);
});

test.each(["plaintext", "a bad record", "an alert in plaintext"])(
  "%s after the request leaves it unknown whether it was carried out, also through a proxy",
  (name) => {
    expect(heard.get(name)?.split("POST /api/v1/severities")).toHaveLength(3);
    expect(ended[name]).toMatchObject({ applied: "unknown" });
    expect(ended[name]?.message).toMatch(/^the connection to https:\/\/localhost:\d+ broke before the response/);
    expect(proxied[name]).toMatchObject({ applied: "unknown" });
  },
);

test.each([
  ["expired", "CERT_HAS_EXPIRED", "has expired"],
  ["early", "CERT_NOT_YET_VALID", "not valid yet"],
  ["another host", "ERR_TLS_CERT_ALTNAME_INVALID", "for another host"],
  ["self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed"],
  ["an authority that nobody knows", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "cannot be verified"],
  ["TLS 1.1", undefined, "TLS version in use"],
  ["plain http", undefined, "does not speak TLS"],
])("%s ends before the first byte, with the reason, and nothing is sent", (name, code, reason) => {
  for (const end of [ended[name], proxied[name]]) {
    expect(end).toMatchObject({ applied: "no", ...(code === undefined ? {} : { code }) });
    expect(end?.message).toMatch(/^cannot connect to https:\/\/localhost:\d+: /);
    expect(end?.message).toContain(reason);
  }
  expect(heard.get(name)).not.toContain("canary");
  expect(heard.get(name)).not.toContain("POST");
});

async function tlsServer(name: string, options: TlsOptions): Promise<string> {
  const answer = '{"id":"1"}';
  const server = createServer(options, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      heard.set(name, heard.get(name) + data.toString());
      const head = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nconnection: close\r\n";
      socket.end(`${head}content-length: ${answer.length}\r\n\r\n${answer}`);
    });
  });
  return listening(
    name,
    server.on("tlsClientError", () => {}),
  );
}

/** A TLS server that reads the request, and then sends bytes that are not encrypted. */
function spillingServer(name: string, options: TlsOptions, bytes: string): Promise<string> {
  const server = createRawServer((raw) => {
    raw.on("error", () => raw.destroy());
    const socket = new TLSSocket(raw, { ...options, isServer: true });
    socket.on("error", () => raw.destroy());
    socket.on("data", (data) => {
      heard.set(name, heard.get(name) + data.toString());
      raw.write(Buffer.from(bytes, "latin1"));
    });
  });
  return listening(name, server);
}

async function listening(name: string, server: Server): Promise<string> {
  heard.set(name, "");
  servers.push(server);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** A proxy that makes tunnels; returns its address. */
async function tunnelProxy(): Promise<string> {
  const proxy = createProxy().on("connect", (request, socket: Socket) => {
    const target = connect(Number(new URL(`http://${request.url}`).port), "127.0.0.1");
    for (const end of [socket, target]) end.on("error", () => end.destroy());
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(target).pipe(socket);
  });
  return (await listening("a proxy", proxy)).replace("https", "http");
}

async function connectTo(
  addresses: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, Ended>>> {
  const build = new URL("../../../build/", import.meta.url).href;
  const args = ["--input-type=module", "-e", PROGRAM, build, JSON.stringify(addresses)];
  const child = spawn(process.execPath, args, {
    env: { ...env, PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: join(folder, "authority.pem") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  await once(child, "close");
  return JSON.parse(out);
}
