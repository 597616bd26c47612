import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

/** An address of this machine other than loopback. A machine without a network reaches itself at 0.0.0.0. */
const host =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "0.0.0.0";

let emulator: Emulator;
let service: EmulatorServer;
let port: string;
let folder: string;
/** A proxy and the target of redirects, which must get nothing. */
let bystander: Server;
let bystanderUrl: string;
let received: IncomingMessage[];

beforeAll(async () => {
  emulator = createEmulator();
  service = await serve(emulator, { host, allowNonLoopback: true });
  ({ port } = new URL(service.url));
  bystander = createServer((request, response) => {
    received.push(request);
    response.writeHead(500).end();
  });
  bystanderUrl = `http://127.0.0.1:${await listen(bystander, "127.0.0.1")}`;
  folder = await mkdtemp(join(tmpdir(), "incidentctl-plain-"));
  await writeFile(join(folder, "severities.yaml"), "severities:\n  - { slug: critical, name: Outage }\n");
});
afterAll(async () => {
  await service.close();
  await emulator.close();
  bystander.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  received = [];
});

describe("plain http to another host than loopback", () => {
  test("is refused without the variable, and the error shows the line to set", async () => {
    const { exit, stderr } = await plan({});
    expect(exit).toBe(1);
    expect(stderr).toContain("is plain http, which is allowed for loopback addresses only");
    expect(stderr).toContain(`to send tokens unencrypted, set INCIDENTCTL_PLAIN_HTTP_HOST=${host}:${port}`);
  });

  test("is allowed where the variable names exactly the host and port, with a warning", async () => {
    const { exit, stdout, stderr } = await plan({ INCIDENTCTL_PLAIN_HTTP_HOST: `${host}:${port}` });
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: `warning: INCIDENTCTL_PLAIN_HTTP_HOST allows http://${host}:${port}: tokens are sent unencrypted, and everybody on the way can read them\n`,
    });
    expect(stdout).toContain("severities/critical");
  });

  test.each([
    ["another port", () => `${host}:${Number(port) - 1}`],
    ["no port", () => host],
    ["another host", () => `emulator.example:${port}`],
    ["a suffix of the host", () => `${host.slice(1)}:${port}`],
    ["a pattern", () => "*"],
    ["a list", () => `${host}:${port},other.example:80`],
    ["a URL", () => `http://${host}:${port}`],
    ["a space", () => ` ${host}:${port}`],
  ])("is refused where the variable holds %s", async (_title, value) => {
    const { exit, stdout, stderr } = await plan({ INCIDENTCTL_PLAIN_HTTP_HOST: value() });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("INCIDENTCTL_PLAIN_HTTP_HOST names another host or port");
  });

  test("is refused in the settings, whatever the variable says", async () => {
    const settings = join(folder, "incidentctl.yaml");
    await writeFile(settings, `version: 1\nbase_url: http://${host}:${port}\n`);
    const { exit, stderr } = await plan({ INCIDENTCTL_PLAIN_HTTP_HOST: `${host}:${port}` });
    await rm(settings);
    expect(exit).toBe(1);
    expect(stderr).toContain("incidentctl.yaml:2:11");
  });

  test("sends nothing to a proxy of the environment", async () => {
    const env = { INCIDENTCTL_PLAIN_HTTP_HOST: `${host}:${port}` };
    const proxies = {
      HTTP_PROXY: bystanderUrl,
      http_proxy: bystanderUrl,
      HTTPS_PROXY: bystanderUrl,
      ALL_PROXY: bystanderUrl,
    };
    expect((await plan({ ...env, ...proxies })).exit).toBe(0);
    expect(received).toEqual([]);
  });

  test("follows no redirect, so that no other host gets the token", async () => {
    const redirecting = createServer((request, response) => {
      response.writeHead(307, { location: `${bystanderUrl}${request.url}` }).end();
    });
    const own = `${host}:${await listen(redirecting, host)}`;
    const { exit } = await plan({ INCIDENTCTL_URL: `http://${own}`, INCIDENTCTL_PLAIN_HTTP_HOST: own });
    redirecting.close();
    expect(exit).toBe(1);
    expect(received).toEqual([]);
  });
});

async function plan(env: Readonly<Record<string, string>>): Promise<{ exit: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [program, "plan"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      INCIDENTCTL_URL: service.url,
      INCIDENTCTL_TOKEN: emulator.serviceToken,
      INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken,
      ...env,
    },
  });
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { exit, stdout, stderr };
}

async function listen(server: Server, address: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return (server.address() as AddressInfo).port;
}
