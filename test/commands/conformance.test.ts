/** `conformance`: which service it checks and with which tokens, its reports, the dialects it finds, and the profile it saves. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { conformance } from "../../src/app/conformance/conformance-command.ts";
import type { ConformanceOptions } from "../../src/app/conformance/conformance-definition.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import { allRules } from "../../src/conformance/all-rules.ts";
import { createEmulator, type EmulatorOptions } from "../../src/emulator/emulator.ts";
import { serve } from "../../src/emulator/serve.ts";
import { type Command, openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

/** A service to check, over real HTTP. */
async function openService(options: EmulatorOptions = {}) {
  const emulator = createEmulator({ seed: true, ...options });
  const server = await serve(emulator);
  const close = async () => {
    await server.close();
    await emulator.close();
  };
  return { url: server.url, host: new URL(server.url).host, token: emulator.adminToken, close };
}

/** The command with these variables and no others. */
function withEnvironment(env: Readonly<Record<string, string>>): Command<ConformanceOptions> {
  return (options, io, console) => conformance(options, { ...io, env: { ...env } }, console);
}

describe("the service to check", () => {
  test.each<[ConformanceOptions, Readonly<Record<string, string>>, number, string]>([
    [{}, { INCIDENTCTL_URL: "http://127.0.0.1:1" }, 64, "conformance needs --url; it uses neither the settings"],
    [{ url: "http://incidents.example.com" }, {}, 1, "plain http"],
    [{ url: "https://a.example.com" }, {}, 3, "add --disposable a.example.com"],
    [{ url: "https://a.example.com", disposable: "b.example.com" }, {}, 3, 'not "b.example.com"'],
    [{ url: "https://a.example.com:8443", disposable: "a.example.com" }, {}, 3, "--disposable a.example.com:8443"],
    [
      { url: "https://a.example.com", disposable: "a.example.com" },
      { INCIDENTCTL_TOKEN: "ff_production", INCIDENTCTL_ADMIN_TOKEN: "ff_administrator" },
      6,
      "INCIDENTCTL_TOKEN is not used",
    ],
    [
      { url: "http://127.0.0.1:64999", disposable: "127.0.0.1:64999" },
      { INCIDENTCTL_CONFORMANCE_TOKEN: "ff_token" },
      1,
      "cannot reach http://127.0.0.1:64999: connect ECONNREFUSED",
    ],
    [
      { url: "https://a.example.com", disposable: "a.example.com" },
      { INCIDENTCTL_CONFORMANCE_TOKEN: "ff_token", NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      1,
      "disables certificate verification",
    ],
    [{ url: "https://a.example.com", emulator: true }, {}, 64, "--url and --emulator exclude each other"],
    [{ emulator: true, rate: 10 }, {}, 64, "--rate has no effect with --emulator"],
    [{ emulator: true, section: "no such heading" }, {}, 64, "no rule matches"],
    [{ emulator: true, rule: "severity", out: "profile.json" }, {}, 64, "--out needs all rules"],
  ])("%j with %j exits with %i", async (options, env, exit, message) => {
    world = await openWorld({ "incidentctl.yaml": "version: 1\nbase_url: http://127.0.0.1:1\n" });
    const ended = await world.run(withEnvironment(env), options);
    expect(ended.stderr).toContain(message);
    expect(ended).toMatchObject({ exit, stdout: "" });
  });

  test("gets the token of its own variable only, which no report holds", async () => {
    world = await openWorld({});
    const service = await openService();
    const env = { INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN: service.token, INCIDENTCTL_TOKEN: "ff_production" };
    const ended = await world.run(withEnvironment(env), {
      url: service.url,
      disposable: service.host,
      section: "Severity",
      format: "json",
    });
    await service.close();
    expect(ended.exit, ended.stderr).toBe(0);
    expect(ended.stdout + ended.stderr).not.toContain(service.token);
    const report = JSON.parse(ended.stdout) as { service: string; results: { section: string; outcome: string }[] };
    expect(report.service).toBe(service.url);
    expect(new Set(report.results.map(({ section, outcome }) => `${section} ${outcome}`))).toEqual(
      new Set(["Severity passed"]),
    );
  });

  test("is not checked with a token that it refuses", async () => {
    world = await openWorld({});
    const service = await openService();
    const env = { INCIDENTCTL_CONFORMANCE_TOKEN: `ff_${"1".repeat(36)}` };
    const ended = await world.run(withEnvironment(env), { url: service.url, disposable: service.host });
    await service.close();
    expect(ended).toMatchObject({ exit: 6, stdout: "", stderr: expect.stringContaining("does not accept the token") });
  });

  test("never gets a token by a redirect", async () => {
    world = await openWorld({});
    const tokens: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      tokens.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    const redirecting = createServer((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(redirecting.address() as { port: number }).port}`;
    const env = { INCIDENTCTL_CONFORMANCE_TOKEN: "ff_token" };
    const options = { url: `http://${host}`, disposable: host, rule: "severity.list" };
    const ended = await world.run(withEnvironment(env), options);
    for (const server of [other, redirecting]) server.close();
    expect(ended.exit).toBe(7);
    expect(tokens).toEqual([]);
  });
});

describe("before it begins", () => {
  test("it says what the token may not do, how much it will do, and why it will skip rules", async () => {
    world = await openWorld({});
    const service = await openService();
    const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "Reader", permissions: { incidents: ["read"], severities: ["read"] } });
    const made = await fetch(`${service.url}/api/v1/api_keys`, { method: "POST", headers, body });
    const { token } = (await made.json()) as { token: string };
    const options = { url: service.url, disposable: service.host, rule: "severity." };
    const ended = await world.run(withEnvironment({ INCIDENTCTL_CONFORMANCE_TOKEN: token }), options);
    await service.close();
    expect(ended.exit, ended.stdout).toBe(0);
    expect(ended.stderr).toContain("\n  severities: create, update, delete\n");
    expect(ended.stderr).toMatch(/\nabout \d+ requests for 16 rules: 1 minute at 1,000 a minute\n/);
    const reason = "the token lacks the ability severities: create (7)";
    for (const text of [ended.stdout, ended.stderr]) expect(text).toContain(`rules are not applicable:\n  ${reason}\n`);
  });

  test("it says how many incidents will be declared, what will stay, and which flags would allow more rules", async () => {
    world = await openWorld({});
    const service = await openService();
    const env = { INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN: service.token };
    const options = { url: service.url, disposable: service.host, rule: "incidents.fields" };
    const fields = await world.run(withEnvironment(env), options);
    expect(fields.stderr).toMatch(/about \d+ incidents will be declared, which pages people, and stay/);
    expect(fields.stderr).toContain("what will stay besides:\n  2 custom fields (hidden): ");
    expect(fields.stdout).toMatch(/Stays in the workspace:\n(?: {2}.*\n)* {2}2 custom fields \(hidden\): /);
    const roles = await world.run(withEnvironment(env), { ...options, rule: "responders.escalate", format: "json" });
    expect(roles.stderr).toContain("  checked with --person EMAIL (2), --chat-id ID (1)\n");
    const { leftovers } = JSON.parse(roles.stdout) as { leftovers: unknown[] };
    expect(leftovers).toContainEqual({ kind: "incident", name: expect.stringMatching(/^INC-\d+$/), state: "canceled" });
    await service.close();
  });

  test("--rate sends so many requests a minute and no more", async () => {
    world = await openWorld({});
    const service = await openService();
    const env = { INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN: service.token };
    const options = { url: service.url, disposable: service.host, rule: "severity.list", rate: 120 };
    const started = performance.now();
    const ended = await world.run(withEnvironment(env), options);
    await service.close();
    expect(ended.exit, ended.stderr).toBe(0);
    // Three requests: the first, the one about the token, and the one of the rule.
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(ended.stderr).toContain("at 120 a minute");
  });
});

describe("the reports", () => {
  test("show a rule that is not kept with what was expected, seen and sent", async () => {
    world = await openWorld({});
    const service = await openService({ dialects: { options: "replace" } });
    const env = { INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN: service.token };
    const ended = await world.run(withEnvironment(env), {
      url: service.url,
      disposable: service.host,
      rule: "resources.3.re",
      report: [
        { format: "junit", path: "rules.xml" },
        { format: "html", path: "rules.html" },
      ],
    });
    await service.close();
    expect(ended.exit).toBe(7);
    expect(ended.stdout).toContain("✗ resources.3.rename  3: resending a list renames options");
    expect(ended.stdout).toMatch(/ {6}expected {2}the row with slug "conformance_\w+": options\[1\]\.id to be "/);
    expect(ended.stdout).toMatch(/\n\d rules? passed, 1 failed, 0 are not applicable\.\n$/);
    const [junit, page] = await Promise.all(
      ["rules.xml", "rules.html"].map((name) => readFile(join(world.folder, name), "utf8")),
    );
    expect(junit).toContain('failures="1" errors="0" skipped="0"');
    expect(junit).toContain('<failure message="expected the row with slug');
    expect(page).toContain('<p class="bad">');
    expect(page).toContain("<code>resources.3.rename</code>");
  });

  test("list only what is not kept, and with --verbose every rule", async () => {
    world = await openWorld({});
    const options = { emulator: true, rule: "severity.list" };
    const short = await world.run(withEnvironment({}), options);
    expect(short).toMatchObject({
      exit: 0,
      stdout:
        "Conformance of the embedded service\n\nSeverity: 1 of 1 rule passed\n\n1 rule passed, 0 failed, 0 are not applicable.\n",
    });
    const whole = await world.run(withEnvironment({}), { ...options, verbose: true });
    expect(whole.stdout).toContain("✓ severity.list  the list response is an object with a severities array");
  });

  test("have no rules with --list, which asks no service", async () => {
    world = await openWorld({});
    const { exit, stdout } = await world.run(withEnvironment({}), { list: true });
    expect(exit).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(allRules.length);
  });
});

test("an interruption ends the check after the rule under way, and removes what it made", async () => {
  world = await openWorld({});
  const interrupted = new AbortController();
  const ended = await world.run<ConformanceOptions>(
    (options, io, console) => {
      interrupted.abort();
      return conformance(options, { ...io, interruption: () => interrupted.signal }, console);
    },
    { emulator: true },
  );
  expect(ended).toMatchObject({ exit: 130, stderr: expect.stringContaining("interrupted after 0 of") });
});

describe("the profile", () => {
  const profile = (dialects: Readonly<Record<string, string>>) =>
    JSON.stringify({
      format_version: 1,
      service: "https://a.example.com",
      checked_at: "2026-11-23",
      dialects,
      broken: [],
    });
  const settings = "version: 1\nbase_url: http://localhost:4010\nservice_profile: service.json\n";
  const sources =
    "alert_sources:\n  - { name: Datadog, provider: datadog }\nrouting_rules:\n  sources:\n    Datadog: []\n";

  test("decides the dialects of a rehearsal that responses do not show", async () => {
    const files = {
      "incidentctl.yaml": settings,
      "service.json": profile({ options: "replace" }),
      "a.yaml": "severities: []\n",
    };
    world = await openWorld(files);
    const { stdout } = await world.run(rehearse, { paths: [] });
    expect(stdout).toContain(
      "options=replace: an unmatched label replaces an option (from the profile of the service)",
    );
  });

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ["sticky", { fallback: "sticky" }, true],
    ["restore", { fallback: "restore" }, false],
  ])(
    "of a service whose empty lists are %s decides about a warning of a list that becomes empty",
    async (_, dialects, warns) => {
      world = await openWorld({ "incidentctl.yaml": settings, "service.json": profile(dialects), "a.yaml": sources });
      await world.send("POST", "/api/v1/alert_sources", { name: "Datadog", provider: "datadog" });
      await world.send("POST", "/api/v1/routing_rules?source=Datadog", { conditions: [], outcome: { action: "drop" } });
      const ended = await world.run(plan, { paths: [] });
      expect(ended.stdout.includes("this service keeps the empty list"), ended.stdout + ended.stderr).toBe(warns);
    },
  );

  test.each([
    ["no JSON", "profile"],
    ["another format", '{"format_version": 2}'],
    ["an unknown type", profile({}).replace('"broken":[]', '"broken":[1]')],
  ])("that is %s is an error at its place in the settings", async (_, text) => {
    world = await openWorld({ "incidentctl.yaml": settings, "service.json": text, "a.yaml": "severities: []\n" });
    const ended = await world.run(plan, { paths: [] });
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toMatch(/incidentctl\.yaml:3:18: .*the profile "service\.json" is not a profile/s);
  });

  test("that does not exist, or is above the settings, is an error", async () => {
    world = await openWorld({ "incidentctl.yaml": settings, "a.yaml": "severities: []\n" });
    expect((await world.run(plan, { paths: [] })).stderr).toContain('the profile "service.json" cannot be read');
    await world.write({ "incidentctl.yaml": settings.replace("service.json", "../service.json") });
    expect((await world.run(plan, { paths: [] })).stderr).toContain("is not a path inside the configuration root");
  });
});
