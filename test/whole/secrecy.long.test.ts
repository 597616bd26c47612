import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createProxy, type IncomingMessage } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { authority } from "../support/service/certificates.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const PAGER_PATH = 'squirrel/"7f3b9c2e51';

let folder: string;
let emulator: Emulator;
let origin: string;
/** Everything that passed the proxy, both ways. */
let passed = "";
const tunnels: string[] = [];
let env: Record<string, string>;
/** Answers instead of the emulator, while a test wants it. */
let instead: ((authorization: string, method: string) => Response | undefined) | undefined;
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-secrecy-"));
  emulator = createEmulator();
  const trusted = authority("An authority");
  const identity = trusted.issue({ names: ["localhost"] });
  const service = createServer(identity, (incoming, outgoing) => {
    answer(incoming).then(
      async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.end(Buffer.from(await response.arrayBuffer()));
      },
      (error: Error) => outgoing.destroy(error),
    );
  });
  origin = `https://localhost:${await listening(service)}`;
  const proxy = createProxy().on("connect", (request, socket: Socket) => {
    tunnels.push(`${request.url} ${JSON.stringify(request.headers)}`);
    const target = connect(Number(new URL(`http://${request.url}`).port), "127.0.0.1");
    for (const end of [socket, target]) {
      sockets.add(end);
      end.on("error", () => end.destroy());
      end.on("data", (data: Buffer) => {
        passed += data.toString("latin1");
      });
    }
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(target).pipe(socket);
  });
  const proxyPort = await listening(proxy);
  await writeFile(join(folder, "authority.pem"), trusted.cert);
  await writeFile(join(folder, "incidentctl.yaml"), `version: 1\nbase_url: ${origin}\nremoval: { default: keep }\n`);
  await writeFile(
    join(folder, "webhooks.yaml"),
    `webhooks:\n  - name: pager\n    url: https://pager.example.com/\${env:PAGER_PATH}\n`,
  );
  await writeFile(
    join(folder, "keep.mjs"),
    [
      'import { appendFileSync, readFileSync } from "node:fs";',
      'appendFileSync("kept.jsonl", readFileSync(0, "utf8"));',
      'appendFileSync("inherited.json", JSON.stringify({ env: process.env, args: process.argv }));',
      "",
    ].join("\n"),
  );
  env = {
    PATH: process.env.PATH ?? "",
    HTTPS_PROXY: `http://me:squirrel-proxy@127.0.0.1:${proxyPort}`,
    NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
    NODE_DEBUG: "undici,fetch,http,https,net,tls,stream",
    INCIDENTCTL_DEBUG: "1",
    INCIDENTCTL_TOKEN: emulator.serviceToken,
    INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken,
    PAGER_PATH,
  };
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  await emulator.close();
  await rm(folder, { recursive: true });
});

test("plan and apply through a proxy leak no secret, with any logging", async () => {
  const token = await planAndApply("scribe", /^(UNDICI|FETCH|NET|TLS) \d+/m);
  const inherited = JSON.parse(await readFile(join(folder, "inherited.json"), "utf8"));
  expect(inherited.env).not.toHaveProperty("INCIDENTCTL_TOKEN");
  expect(inherited.env).toHaveProperty("PAGER_PATH");

  // The proxy has seen where to, and who asks; everything else was for the service alone.
  expect(tunnels.every((tunnel) => tunnel.startsWith(`localhost:${new URL(origin).port} `))).toBe(true);
  expect(tunnels.join()).toContain(Buffer.from("me:squirrel-proxy").toString("base64"));
  expect(passed.length).toBeGreaterThan(10_000);
  expect(leaks(tunnels.join() + passed, { ...own(), token, proxy: undefined })).toEqual([]);
}, 90_000);

test("plan and apply without a proxy leak no secret", async () => {
  const { HTTPS_PROXY, ...direct } = env;
  env = direct;
  const before = tunnels.length;
  await planAndApply("clerk", /^HTTPS? \d+/m);
  expect(tunnels.length).toBe(before);
  env = { ...direct, HTTPS_PROXY: HTTPS_PROXY ?? "" };
}, 90_000);

/** Makes an agent, with the platform's debugging on, and looks at all that was told. Gives the token that was issued. */
async function planAndApply(slug: string, debugging: RegExp): Promise<string> {
  await writeFile(join(folder, "agents.yaml"), `agents:\n  - { slug: ${slug}, name: The ${slug}, grants: [] }\n`);
  const planned = await run("plan", "--out", "change.plan", "--verbose");
  expect(planned.exit, planned.stderr).toBe(0);
  const applied = await run(
    ...["apply", "--plan", "change.plan", "--yes", "--verbose", "--report", "json=applied.json"],
    ...["--secrets-exec", `'${process.execPath}' keep.mjs`],
  );
  expect(applied.exit, applied.stderr).toBe(0);
  expect(applied.stderr).toMatch(debugging);

  const { token, address } = JSON.parse(
    (await readFile(join(folder, "kept.jsonl"), "utf8")).trim().split("\n").at(-1) ?? "",
  );
  expect(address).toBe(`agents/${slug}`);
  const secrets = { ...own(), token };
  expect(leaks(planned.stdout + planned.stderr + applied.stdout + applied.stderr, secrets)).toEqual([]);
  for (const file of await filesBelow(folder)) {
    if (file.endsWith("kept.jsonl")) continue;
    // What the command inherits is the environment without our tokens.
    const hidden = file.endsWith("inherited.json") ? { ...secrets, PAGER_PATH: undefined, proxy: undefined } : secrets;
    expect(leaks(await readFile(file, "latin1"), hidden), file).toEqual([]);
  }
  return token;
}

test("a token or secret in an error of the service is masked", async () => {
  const echo = (authorization: string, status: number): Response => {
    const message = [authorization, btoa(authorization), encodeURIComponent(PAGER_PATH), PAGER_PATH].join(" ");
    const error = { type: message, message, request_id: authorization, errors: [{ field: message, message }] };
    return Response.json({ error }, { status, headers: { "x-echo": authorization } });
  };
  instead = (authorization) => echo(authorization, 403);
  const planned = await run("plan", "--format", "json");
  expect(planned.exit).toBe(6);
  expect(planned.stderr).toContain("(secret)");
  expect(leaks(planned.stdout + planned.stderr, own())).toEqual([]);

  instead = (authorization, method) => (method === "GET" ? undefined : echo(authorization, 422));
  await writeFile(join(folder, "severities.yaml"), "severities:\n  - { slug: worst, name: Worst }\n");
  const applied = await run("apply", "--yes", "--format", "json", "--report", "text=failed.txt");
  expect(applied.exit).toBe(4);
  expect(applied.stdout).toContain("(secret)");
  expect(leaks(applied.stdout + applied.stderr, own())).toEqual([]);
  // Neither does the journal, which holds what the service said.
  for (const file of (await filesBelow(folder)).filter((path) => !/inherited|kept/.test(path))) {
    expect(leaks(await readFile(file, "latin1"), own()), file).toEqual([]);
  }
  instead = undefined;
}, 90_000);

function own(): Record<string, string | undefined> {
  return { service: emulator.serviceToken, admin: emulator.adminToken, PAGER_PATH, proxy: "squirrel-proxy" };
}

/** The names of the secrets that a text holds, each with the form in which it does. */
function leaks(text: string, secrets: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    if (secret === undefined) return [];
    const bytes = Buffer.from(secret);
    const forms = {
      raw: secret,
      JSON: JSON.stringify(secret).slice(1, -1),
      URL: encodeURIComponent(secret),
      hexadecimal: bytes.toString("hex"),
      base64: bytes.toString("base64").slice(0, -4),
      "base64 behind one byte": Buffer.concat([Buffer.from(" "), bytes])
        .toString("base64")
        .slice(4, -4),
      "base64 behind two bytes": Buffer.concat([Buffer.from("  "), bytes])
        .toString("base64")
        .slice(4, -4),
      // Twelve characters of a token are public, so that it can be revoked.
      "a part": secret.slice(12, 24),
    };
    return Object.entries(forms).flatMap(([form, value]) =>
      value.length >= 8 && text.includes(value) ? [`${name}: ${form}`] : [],
    );
  });
}

async function answer(incoming: IncomingMessage): Promise<Response> {
  const { method = "GET", url = "/", headers } = incoming;
  const authorization = headers.authorization ?? "";
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const other = instead?.(authorization, method);
  if (other !== undefined) return other;
  return emulator.fetch(
    new Request(`http://localhost${url}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body.length === 0 ? {} : { body }),
    }),
  );
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function run(...args: readonly string[]): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      text[name] += piece;
    });
  }
  const [exit] = await once(child, "close");
  return { exit, ...text };
}

async function filesBelow(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
