import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../src/app/apply/apply-definition.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import { type Ended, openWorld, type World } from "./world.ts";

const FILES = {
  "incidentctl.yaml": `
version: 1
config: [config/]
vars: {word: Quick}
environments:
  staging: {base_url: "http://localhost:4010", overlays: [envs/staging.yaml], vars: {word: Slow}}
  production: {base_url: "https://incidents.example.com"}
`,
  "config/runbooks.yaml": `
runbooks:
  - slug: failover
    name: \${var:word} failover
    conditions: [{condition_field: severity, operator: one_of, values: [critical]}]
`,
  "envs/staging.yaml": `
runbooks:
  - slug: failover
    summary: For practice.
    conditions: [{condition_field: severity, operator: one_of, values: [minor]}]
  - {slug: drill, name: Drill}
`,
};

let world: World;
beforeEach(async () => {
  world = await openWorld(FILES, { dialects: { readable: "partial" } });
});
afterEach(() => world.close());

const environment = { paths: [], env: "staging" };

function applied(options: Partial<ApplyFlags> = {}): Promise<Ended> {
  return world.run(apply, { ...environment, yes: true, allowDelete: true, ...options });
}

function lock(): { fields: Record<string, string>; environments?: Record<string, Record<string, string>> } {
  return JSON.parse(readFileSync(join(world.folder, "incidentctl.lock"), "utf8"));
}

describe("An environment", () => {
  it("is what is planned, applied and compared, and its own base_url is where the token goes", async () => {
    const { exit, stdout } = await applied();
    expect(exit, stdout).toBe(0);
    expect(stdout).toContain("runbooks/drill");
    const { exit: same } = await world.run(drift, environment);
    expect(same).toBe(0);
    const elsewhere = await world.run(plan, { paths: [], env: "production" });
    expect(elsewhere).toMatchObject({ exit: 1, stderr: expect.stringContaining("https://incidents.example.com") });
  });

  it("that is unknown is refused, with the known ones", async () => {
    const { exit, stderr } = await world.run(validate, { paths: [], env: "stagin" });
    expect(exit).toBe(64);
    expect(stderr).toContain('Did you mean "staging"? The environments are: staging, production.');
  });

  it("is part of a saved plan, with its variables", async () => {
    const sealed = await world.run(plan, { ...environment, out: "staging.plan" });
    expect(sealed.stderr).toContain("incidentctl apply --plan staging.plan --env staging");
    const stale: readonly Partial<ApplyFlags>[] = [
      { env: "production", url: "https://incidents.example.com" },
      { var: { word: "Other" } },
    ];
    for (const other of stale) {
      const { exit, stderr } = await applied({ plan: "staging.plan", ...other });
      expect(exit, stderr).toBe(5);
    }
    await world.write({ "envs/staging.yaml": `${FILES["envs/staging.yaml"]}\n` });
    const edited = await applied({ plan: "staging.plan" });
    expect(edited).toMatchObject({ exit: 5, stderr: expect.stringContaining("the configuration has changed since") });
    await world.write({ "envs/staging.yaml": FILES["envs/staging.yaml"] });
    expect((await applied({ plan: "staging.plan" })).exit).toBe(0);
  });

  it("has its own last-applied hashes", async () => {
    await world.write({
      "incidentctl.yaml": FILES["incidentctl.yaml"].replace("https://incidents.example.com", "http://localhost:4010"),
    });
    const name = "runbooks/failover#conditions";
    const plain = await world.run(apply, { paths: [], yes: true, allowDelete: true });
    expect(plain.exit, plain.stderr).toBe(0);
    const { fields: first } = lock();
    expect(first[name]).toBeDefined();
    await applied();
    const staging = lock().environments?.staging?.[name];
    expect(staging).toBeDefined();
    expect(staging).not.toBe(first[name]);
    // By the hashes without an environment, the conditions would be sent again.
    const again = await world.run(plan, { ...environment, detailedExitcode: true });
    expect(again.exit, again.stdout).toBe(0);
    await applied({ env: "production" });
    expect(lock()).toMatchObject({
      fields: first,
      environments: { staging: { [name]: staging }, production: { [name]: first[name] } },
    });
  });

  it("is the one in which undo reverts a run", async () => {
    await applied();
    const { exit, stderr } = await world.run(undo, { ...environment, out: "undo.plan" });
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain("--env staging");
    const back = await applied({ plan: "undo.plan" });
    expect(back.exit, back.stderr).toBe(0);
    expect(await world.send("GET", "/api/v1/runbooks")).toMatchObject({ runbooks: [] });
  });
});
