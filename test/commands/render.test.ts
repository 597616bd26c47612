import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommandLine } from "../../src/app/cli/command-line.ts";
import { load } from "../../src/config/load/load.ts";
import { kinds } from "../../src/kinds/index.ts";
import { type Ended, openWorld, type World } from "./world.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const hook = "https://hooks.example.com/s3cr3t-value";
const files = {
  "incidentctl.yaml":
    "version: 1\nconfig: [base]\nenvironments:\n  staging: { vars: { word: Staged }, overlays: [staging.yaml] }\nvars: { word: Plain }\n",
  "base/a.yaml": `severities:
  - { slug: critical, name: "\${var:word} outage" }
  - { slug: minor, name: Minor, protected: true }
webhooks:
  - { name: pager, url: "\${env:HOOK}", subscribed_events: [] }
routing_rules:
  workspace: []
`,
  "staging.yaml": "severities:\n  - { slug: minor, name: Small }\n",
};

let world: World;
beforeEach(async () => {
  world = await openWorld(files);
  world.io.env.HOOK = hook;
});
afterEach(() => world.close());

function program(line: string): Promise<Ended> {
  return world.run<object>((_options, io) => runCommandLine(line.split(" "), io), {});
}

test("the configuration is printed with overlays and variables resolved, and nothing is sent", async () => {
  const { exit, stdout, stderr } = await program("render --format json");
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    severities: [
      { slug: "critical", name: "Plain outage" },
      { slug: "minor", name: "Minor", protected: true },
    ],
    routing_rules: { workspace: [] },
    webhooks: [{ name: "pager", url: "(secret)", subscribed_events: [] }],
  });
  const staging = JSON.parse((await program("render -e staging --format json")).stdout);
  expect(staging.severities).toEqual([
    { slug: "critical", name: "Staged outage" },
    { slug: "minor", name: "Small", protected: true },
  ]);
  expect(world.requests).toEqual([]);
});

test("values from the environment are printed in no format", async () => {
  for (const format of ["yaml", "json"]) {
    const { stdout, stderr } = await program(`render --format ${format}`);
    expect(stdout).toContain("(secret)");
    expect(stdout + stderr).not.toContain("s3cr3t");
  }
});

test("the rendered examples are the same configuration", async () => {
  cpSync(examples, join(world.folder, "examples"), { recursive: true });
  const { exit, stdout, stderr } = await program("render examples");
  expect(exit, stderr).toBe(0);
  await world.write({ "rendered/all.yaml": stdout });
  const options = { kinds, env: {}, cwd: world.folder };
  const [before, after] = [await load(["examples"], options), await load(["rendered"], options)];
  const described = ({ declared }: typeof before) =>
    Object.fromEntries(declared.map(({ address, fields }) => [address, fields]));
  expect(described(after)).toEqual(described(before));
  expect(after.managed).toHaveLength(before.managed.length);
});

test("wrong input is refused as with other commands", async () => {
  expect((await program("render -e nowhere")).exit).not.toBe(0);
  expect((await program("render --format toml")).exit).toBe(64);
  expect((await program("render --url http://localhost:4010")).exit).toBe(64);
  await world.write({ "base/a.yaml": "severities: [{ slug: critical, nmae: X }]\n" });
  const { exit, stdout, stderr } = await program("render");
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
  expect(stderr).toContain("base/a.yaml:1:");
});
