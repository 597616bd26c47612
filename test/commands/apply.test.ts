import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../src/app/apply/apply-definition.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { show } from "../../src/app/plan/show-command.ts";
import type { Fields } from "../../src/core/json.ts";
import { openWorld, type World } from "./world.ts";

const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
  "severities.yaml": `severities:
  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`,
  "fields.yaml": `custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, North America] }
`,
};
const paths: readonly string[] = [];
const yes: ApplyFlags = { paths, yes: true };
let world: World;

beforeEach(async () => {
  world = await openWorld(files);
});
afterEach(() => world.close());

function writes(): readonly string[] {
  return world.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);
}

test("an apply writes, verifies, and the next plan is empty", async () => {
  const first = await world.run(apply, yes);
  expect(first.exit).toBe(0);
  expect(first.stdout).toContain("Plan: 1 to create, ");
  expect(first.stdout).toContain("Verified: the workspace matches what the files declare.");
  expect(first.stderr).toMatch(/^\[1\/\d\] .*: done$/m);
  const written = writes().length;
  const second = await world.run(apply, yes);
  expect(second).toMatchObject({ exit: 0, stderr: "" });
  expect(second.stdout).toMatch(
    /^Plan for http:\/\/localhost:4010\n\nNot managed .*\n.* {2}not read\n\nNo changes\. .*\n$/,
  );
  expect(writes()).toHaveLength(written);
});

test("with --quiet only the outcome is printed", async () => {
  const { stdout, stderr } = await world.run(apply, { ...yes, quiet: true });
  expect(stdout).not.toContain("Plan:");
  expect(stderr).toBe("");
});

test("the outcome as JSON is the only document on stdout", async () => {
  const { stdout } = await world.run(apply, { ...yes, format: "json" });
  const outcome = JSON.parse(stdout);
  expect(outcome).toMatchObject({ format_version: 1, counts: { failed: 0 }, verification: { status: "verified" } });
  expect(outcome.outcomes).toHaveLength(outcome.counts.done);
  const nothing = JSON.parse((await world.run(apply, { ...yes, format: "json" })).stdout);
  expect(nothing).toMatchObject({ counts: { done: 0 }, outcomes: [], verification: { status: "verified" } });
});

test("without a terminal and --yes changes are refused, and an empty plan is not", async () => {
  const refused = await world.run(apply, { paths });
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toContain("--yes");
  expect(writes()).toEqual([]);
  await world.run(apply, yes);
  expect((await world.run(apply, { paths })).exit).toBe(0);
});

test.each([
  ["yes", 0],
  ["y", 3],
  ["", 3],
])("the input %j at the prompt exits with %d", async (answer, exit) => {
  const asked = await openWorld(files, { answer });
  try {
    expect((await asked.run(apply, { paths })).exit).toBe(exit);
    expect(asked.requests.some(({ method }) => method !== "GET")).toBe(exit === 0);
  } finally {
    await asked.close();
  }
});

test("a deletion is shown in full, refused without its flag, and applied with it", async () => {
  await world.write({ "severities.yaml": files["severities.yaml"].replace(/.*minor.*\n/, "") });
  await world.write({ "incidentctl.yaml": `${files["incidentctl.yaml"]}removal: { severities: delete }\n` });
  const planned = await world.run(plan, { paths });
  expect(planned.exit).toBe(0);
  expect(planned.stdout).toContain("- severities/minor");
  expect(planned.stdout).toContain("--allow-delete");
  const refused = await world.run(apply, yes);
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toContain("--allow-delete");
  expect(writes()).toEqual([]);
  const allowed = await world.run(apply, { ...yes, allowDelete: true });
  expect(allowed.exit).toBe(0);
  expect(writes()).toContain("DELETE");
});

test("an apply with a refusal is partial: the open operations are listed with their positions", async () => {
  await world.write({ "severities.yaml": files["severities.yaml"].replace('"#DC143C"', '"#DC143C", description: x') });
  const fetch = world.io.fetch;
  const refusing: World["io"] = {
    ...world.io,
    fetch: (input, init) => {
      if (init.method !== "PATCH") return fetch(input, init);
      const error = {
        type: "validation_error",
        message: "No.",
        request_id: "req-9",
        errors: [{ field: "color", message: "is odd" }],
      };
      return Promise.resolve(Response.json({ error }, { status: 422 }));
    },
  };
  const ended = await world.run<ApplyFlags>((options, _io, console) => apply(options, refusing, console), {
    ...yes,
    keepGoing: true,
  });
  expect(ended.exit).toBe(4);
  expect(ended.stdout).toMatch(/failed {2}\S+ {2}severities\/critical .*\(severities\.yaml:2:5\)/);
  expect(ended.stdout).toMatch(
    /422 validation_error: No\. \(request req-9\)\n\s+severities\.yaml:2:\d+: color: is odd/,
  );
  expect(ended.stdout).toContain("Next: fix the cause, then run incidentctl apply");
});

test("a token without the permission to write exits with 6 if nothing is written", async () => {
  const fetch = world.io.fetch;
  const error = { type: "forbidden", message: "No.", request_id: "req-9" };
  const forbidding: World["io"] = {
    ...world.io,
    fetch: (input, init) =>
      init.method === "GET" ? fetch(input, init) : Promise.resolve(Response.json({ error }, { status: 403 })),
  };
  const ended = await world.run<ApplyFlags>((options, _io, console) => apply(options, forbidding, console), yes);
  expect(ended.exit).toBe(6);
});

test("an interrupt stops before the next write and exits with 130", async () => {
  const controller = new AbortController();
  const fetch = world.io.fetch;
  const interrupted: World["io"] = {
    ...world.io,
    interruption: () => controller.signal,
    fetch: (input, init) => {
      if (init.method !== "GET") controller.abort();
      return fetch(input, init);
    },
  };
  await world.write({ "severities.yaml": files["severities.yaml"].replaceAll("name: M", "name: My m") });
  const ended = await world.run<ApplyFlags>((options, _io, console) => apply(options, interrupted, console), yes);
  expect(ended.exit).toBe(130);
  expect(writes()).toHaveLength(1);
  expect(ended.stdout).toContain("the run was interrupted");
});

test("a workspace that loses a write is not reported as verified", async () => {
  const fetch = world.io.fetch;
  const forgetful: World["io"] = {
    ...world.io,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (init.method === "PATCH") await world.send("PATCH", "/api/v1/severities/critical", { name: "Sev 1" });
      return answer;
    },
  };
  await world.write({ "severities.yaml": files["severities.yaml"].replace("name: Critical", "name: Worst") });
  const ended = await world.run<ApplyFlags>((options, _io, console) => apply(options, forgetful, console), yes);
  expect(ended.exit).toBe(4);
  expect(ended.stdout).toContain("Not verified");
  expect(ended.stdout).toContain("Drift: 1 differs.");
});

test("a sealed plan is applied as it was saved", async () => {
  await world.run(plan, { paths, out: "change.plan" });
  const ended = await world.run(apply, { ...yes, plan: "change.plan" });
  expect(ended.exit).toBe(0);
  expect((await world.run(plan, { paths, detailedExitcode: true })).exit).toBe(0);
});

test("of two pinned resources with one name, each gets its own value from the environment", async () => {
  const url = (host: string) => `https://${host}.example.com/hook-of-${host}`;
  for (const host of ["first", "second"])
    await world.send("POST", "/api/v1/webhooks", { name: "pager", url: url(host) });
  const hooks = async () => ((await world.send("GET", "/api/v1/webhooks")) as { webhooks: Fields[] }).webhooks;
  const entries = (await hooks()).map(
    ({ id }, index) => `  - { id: ${id}, name: pager, url: "\${env:HOOK_${index}}" }\n`,
  );
  await world.write({ "webhooks.yaml": `webhooks:\n${entries.join("")}` });
  Object.assign(world.io.env, { HOOK_0: url("third"), HOOK_1: url("fourth") });
  expect((await world.run(plan, { paths, out: "change.plan" })).exit).toBe(0);
  expect((await world.run(apply, { ...yes, plan: "change.plan" })).exit).toBe(0);
  expect((await hooks()).map(({ url }) => url)).toEqual([url("third"), url("fourth")]);
});

test("a narrowed sealed plan is recomputed with the same narrowing", async () => {
  await world.run(plan, { paths, kinds: "custom_fields", out: "change.plan" });
  expect((await world.run(apply, { ...yes, plan: "change.plan", kinds: "custom_fields" })).exit).toBe(64);
  expect((await world.run(apply, { ...yes, plan: "change.plan" })).exit).toBe(0);
  expect((await world.run(plan, { paths, kinds: "custom_fields", detailedExitcode: true })).exit).toBe(0);
});

test("approvals are given at apply, also for a plan that was saved without them", async () => {
  await world.write({ "severities.yaml": files["severities.yaml"].replace(/.*minor.*\n/, "") });
  await world.write({ "incidentctl.yaml": `${files["incidentctl.yaml"]}removal: { severities: delete }\n` });
  await world.run(plan, { paths, out: "change.plan" });
  expect((await world.run(apply, { ...yes, plan: "change.plan" })).exit).toBe(3);
  expect((await world.run(apply, { ...yes, plan: "change.plan", allowDelete: true })).exit).toBe(0);
});

const changes: readonly (readonly [title: string, change: () => Promise<unknown>])[] = [
  ["the workspace changed", () => world.send("PATCH", "/api/v1/severities/critical", { name: "Sev 1" })],
  ["the configuration changed", () => world.write({ "severities.yaml": `# later\n${files["severities.yaml"]}` })],
  ["an operation was changed", () => tamper((text) => text.replace('"Region"', '"Country"'))],
  ["an operation was taken out", () => tamper(withoutLastOperation)],
  ["the seal was changed", () => tamper((text) => text.replace(/"hash": "./, '"hash": "x'))],
  ["the host was changed", () => tamper((text) => text.replace("http://localhost:4010", "http://localhost:4011"))],
  ["it was laid out anew", () => tamper((text) => JSON.stringify(JSON.parse(text)))],
];

test.each(changes)("a sealed plan is stale when %s, and nothing is written", async (_title, change) => {
  await world.run(plan, { paths, out: "change.plan" });
  await change();
  const ended = await world.run(apply, { ...yes, plan: "change.plan" });
  expect(ended.exit).toBe(5);
  expect(ended.stderr).toContain("nothing was written");
  expect(writes()).toEqual([]);
});

test("without the plan file, its fingerprint restricts a run to it", async () => {
  const fingerprint: string = JSON.parse((await world.run(plan, { paths, format: "json" })).stdout).seal.fingerprint;
  for (const format of ["markdown", "html"] as const) {
    expect((await world.run(plan, { paths, format })).stdout).toContain(fingerprint);
  }
  expect((await world.run(plan, { paths, verbose: true })).stdout).toContain(`Fingerprint: ${fingerprint} `);
  await world.send("PATCH", "/api/v1/severities/major", { name: "By hand" });
  const refused = await world.run(apply, { ...yes, expectPlan: fingerprint });
  expect(refused.exit).toBe(5);
  const [, found] =
    /this is not the expected plan: the plan is now ([0-9a-f]{32}); nothing was written/.exec(refused.stderr) ?? [];
  expect(found).not.toBe(fingerprint);
  expect(refused.stderr).toContain("\n  severities/major  update\n");
  expect(refused.stderr).toContain("compare the changes with the reviewed plan");
  const byHand = writes().length;
  expect((await world.run(apply, { ...yes, expectPlan: found ?? "" })).exit).toBe(0);
  expect(writes().length).toBeGreaterThan(byHand);
  expect(await world.run(apply, { ...yes, expectPlan: found ?? "" })).toMatchObject({
    exit: 5,
    stderr: expect.stringMatching(
      /now there is nothing to change; nothing was written.*\n {2}the expected plan was that of run 0001, 2026-11-21T08:00:00.000Z\n$/,
    ),
  });
});

test("the fingerprint does not change with unrelated resources, and differs for other flags", async () => {
  const told = async (more: object): Promise<string> =>
    JSON.parse((await world.run(plan, { paths, format: "json", ...more })).stdout).seal.fingerprint;
  const fingerprint = await told({});
  expect(await told({ kinds: "custom_fields" })).not.toBe(fingerprint);
  await world.send("POST", "/api/v1/incident_roles", { name: "Scribe of scribes" });
  expect(await told({})).toBe(fingerprint);
  expect((await world.run(apply, { ...yes, expectPlan: fingerprint })).exit).toBe(0);
});

test("an expected plan that is no fingerprint is a usage error, and nothing is sent", async () => {
  expect((await world.run(apply, { ...yes, expectPlan: "critical" })).exit).toBe(64);
  expect(world.requests).toEqual([]);
});

test("a saved plan with another fingerprint than the expected one is not applied", async () => {
  await world.run(plan, { paths, out: "change.plan" });
  world.requests.length = 0;
  const refused = await world.run(apply, { ...yes, plan: "change.plan", expectPlan: "0".repeat(32) });
  expect(refused).toMatchObject({ exit: 5, stderr: expect.stringContaining("this is not the expected plan") });
  expect(world.requests).toEqual([]);
  const { seal } = JSON.parse(await readFile(join(world.folder, "change.plan"), "utf8"));
  expect((await world.run(apply, { ...yes, plan: "change.plan", expectPlan: seal.fingerprint })).exit).toBe(0);
});

test("a sealed plan may be applied once; the second time it is stale", async () => {
  await world.run(plan, { paths, out: "change.plan" });
  await world.run(apply, { ...yes, plan: "change.plan" });
  expect((await world.run(apply, { ...yes, plan: "change.plan" })).exit).toBe(5);
});

test("only the time of its creation may differ", async () => {
  await world.run(plan, { paths, out: "change.plan" });
  await tamper((text) => text.replace(/"created_at": "[^"]*"/, '"created_at": "2020-01-01T00:00:00.000Z"'));
  expect((await world.run(apply, { ...yes, plan: "change.plan" })).exit).toBe(0);
});

test.each(["", "{}", "{", '{"format_version": 2}'])("a seal cannot hold in a file with %j", async (text) => {
  await world.write({ "no.plan": text });
  expect((await world.run(apply, { ...yes, plan: "no.plan" })).exit).toBe(5);
  expect((await world.run(show, { planfile: "no.plan" })).exit).toBe(1);
  expect(world.requests).toEqual([]);
});

test("a missing plan file is an error", async () => {
  expect((await world.run(apply, { ...yes, plan: "missing.plan" })).exit).toBe(1);
});

test("a plan with a one-time token needs a sink for it, saves it there, and prints it nowhere", async () => {
  await world.write({ "keys.yaml": "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n" });
  const refused = await world.run(apply, { ...yes, kinds: "api_keys", allowDelete: true });
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toContain("--secrets-out");
  expect(writes()).toEqual([]);
  const ended = await world.run(apply, { ...yes, kinds: "api_keys", allowDelete: true, secretsOut: "tokens.jsonl" });
  expect(ended.exit).toBe(0);
  const kept = JSON.parse(await readFile(join(world.folder, "tokens.jsonl"), "utf8"));
  expect(kept.address).toBe("api_keys/deploy bot");
  expect((await stat(join(world.folder, "tokens.jsonl"))).mode & 0o777).toBe(0o600);
  expect(ended.stdout + ended.stderr).not.toContain(kept.token);
});

test("a sink that others can read is refused before the first write", async () => {
  await world.write({ "keys.yaml": "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n" });
  await writeFile(join(world.folder, "open.jsonl"), "", { mode: 0o644 });
  const ended = await world.run(apply, { ...yes, kinds: "api_keys", allowDelete: true, secretsOut: "open.jsonl" });
  expect(ended.exit).toBe(3);
  expect(writes()).toEqual([]);
});

test("an invalid token command is a usage error", async () => {
  expect((await world.run(apply, { ...yes, secretsExec: "vault 'put" })).exit).toBe(64);
  expect((await world.run(apply, { ...yes, secretsExec: "vault", secretsOut: "tokens" })).exit).toBe(64);
  expect(world.requests).toEqual([]);
});

test("a report of the outcome goes to a file; a failed report does not hide the outcome", async () => {
  const missing = await world.run(apply, { ...yes, report: [{ format: "text", path: "missing/report.txt" }] });
  expect(missing.exit).toBe(1);
  expect(missing.stdout).toContain("Verified");
  await world.run(apply, { ...yes, report: [{ format: "json", path: "report.json" }] });
  const written = JSON.parse(await readFile(join(world.folder, "report.json"), "utf8"));
  expect(written).toMatchObject({ counts: { done: 0 }, verification: { status: "verified" } });
});

async function tamper(change: (text: string) => string): Promise<void> {
  const path = join(world.folder, "change.plan");
  const text = await readFile(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
}

function withoutLastOperation(text: string): string {
  const plan = JSON.parse(text);
  plan.operations.pop();
  return `${JSON.stringify(plan, undefined, 2)}\n`;
}

test("a removal of what was protected in its line says how to keep it", async () => {
  const two =
    "severities:\n  - { slug: critical, name: Critical }\n  - { slug: major, name: Major, default: true }\n  - { slug: minor, name: Minor, protected: true }\n";
  const applied = () => world.run(apply, yes);
  const write = (text: string) => world.write({ "severities.yaml": text });
  await write(two.replace(", protected: true", ""));
  expect((await applied()).exit).toBe(0);
  await write(two);
  expect((await applied()).stdout).toContain("No changes.");
  await write(two.replace(/.*minor.*\n/, ""));
  const { stdout } = await world.run(plan, { paths: [] });
  expect(stdout).toContain(
    "severities/minor had protected: true when it was last applied, and its line is gone; to keep it, add its address to protected in incidentctl.yaml",
  );
  await write(two.replace(", protected: true", ""));
  expect((await applied()).stdout).toContain("No changes.");
  await write(two.replace(/.*minor.*\n/, ""));
  expect((await world.run(plan, { paths: [] })).stdout).not.toContain("had protected: true");
});
