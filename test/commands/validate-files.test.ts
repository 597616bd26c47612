/** `validate` reads every file that another command reads. */

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { test as runTests } from "../../src/app/plan/test-command.ts";
import { openWorld, type World } from "./world.ts";

const paths: readonly string[] = [];
const SOUND = {
  "incidentctl.yaml": `version: 1
base_url: http://localhost:4010
config: [config/]
environments:
  staging: { overlays: [envs/staging.yaml] }
  prod: { overlays: [envs/prod.yaml], vars: { place: "EU" } }
`,
  "config/a.yaml": "severities:\n  - { slug: critical, name: Critical, default: true }\n",
  "envs/staging.yaml": 'severities:\n  - { slug: critical, name: "Critical (staging)" }\n',
  "envs/prod.yaml": `severities:\n  - { slug: critical, name: "Critical \${var:place}" }\n`,
  "rules/a.test.yaml": `routing_tests:
  - { name: one, fields: { service: billing }, expect: { matched: false } }
`,
};
let world: World;

beforeEach(async () => {
  world = await openWorld(SOUND);
});
afterEach(() => world.close());

/** The findings on standard error, each in one line. */
const found = (stderr: string): readonly string[] => stderr.split("\n").filter((line) => /: error\[/.test(line));

test("files without an error are valid", async () => {
  const { exit, stdout } = await world.run(validate, { paths });
  expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining("is valid: 1 resource") });
});

describe("validate and the command that reads the file report the same errors", () => {
  const tests = (text: string) => ({ "rules/b.test.yaml": `routing_tests:\n${text}` });
  test.each<readonly [title: string, files: Readonly<Record<string, string>>]>([
    ["a misspelt field", tests("  - { name: two, sourc: Nope, fields: { a: b }, expect: { matched: false } }\n")],
    ["a severity that does not exist", tests("  - { name: two, fields: { a: b }, expect: { severity: nosuch } }\n")],
    ["a rule that does not exist", tests("  - { name: two, fields: { a: b }, expect: { rule: nosuch } }\n")],
    ["two tests of one name", tests("  - { name: one, fields: { a: b }, expect: { matched: false } }\n")],
    ["no YAML", tests("  - {\n")],
    [
      "a value of the environment",
      tests(`  - { name: two, fields: { a: "\${env:HOME}" }, expect: { matched: false } }\n`),
    ],
  ])("in a test: %s", async (_title, files) => {
    await world.write(files);
    const own = await world.run(runTests, { paths });
    const validation = await world.run(validate, { paths });
    expect(own.exit).toBe(1);
    expect(found(own.stderr).length).toBeGreaterThan(0);
    expect({ exit: validation.exit, found: found(validation.stderr) }).toEqual({ exit: 1, found: found(own.stderr) });
  });

  test.each<readonly [title: string, files: Readonly<Record<string, string>>]>([
    ["a misspelt field", { "envs/prod.yaml": "severities:\n  - { slug: critical, nam: a }\n" }],
    ["no YAML", { "envs/prod.yaml": "severities: [\n" }],
    [
      "a variable that does not exist",
      { "envs/prod.yaml": `severities:\n  - { slug: critical, name: "\${var:no}" }\n` },
    ],
    [
      "a removal of what others reference",
      {
        "config/b.yaml":
          "routing_rules:\n  workspace:\n    - { name: all, outcome: { action: auto_create_incident, severity: critical } }\n",
        "envs/prod.yaml": "severities:\n  - { slug: critical, $remove: true }\n",
      },
    ],
  ])("in an overlay: %s", async (_title, files) => {
    await world.write(files);
    const own = await world.run(plan, { paths, env: "prod" });
    const validation = await world.run(validate, { paths });
    expect(own.exit).toBe(1);
    expect(found(own.stderr).length).toBeGreaterThan(0);
    expect({ exit: validation.exit, found: found(validation.stderr) }).toEqual({ exit: 1, found: found(own.stderr) });
    expect((await world.run(validate, { paths, env: "staging" })).exit).toBe(0);
  });

  test.each([
    ["incidentctl.lock", "<<<<<<< ours\n"],
    ["incidentctl.accepted.json", "[]"],
  ])("in %s", async (file, text) => {
    await world.write({ [file]: text });
    const own = await world.run(plan, { paths });
    const validation = await world.run(validate, { paths });
    expect(own.exit).toBe(1);
    expect({ exit: validation.exit, stderr: validation.stderr }).toEqual({ exit: 1, stderr: own.stderr });
  });
});

test("an error that several environments have is reported once", async () => {
  await world.write({
    "incidentctl.yaml": SOUND["incidentctl.yaml"].replaceAll("envs/prod.yaml", "envs/staging.yaml"),
    "envs/staging.yaml": "severities:\n  - { slug: critical, nam: a }\n",
  });
  expect(found((await world.run(validate, { paths })).stderr)).toEqual([
    'envs/staging.yaml:2:23: error[E_UNKNOWN_KEY]: the severity has no field "nam"',
  ]);
});

test("a variable that only another environment needs is not missed", async () => {
  await world.write({ "envs/prod.yaml": `severities:\n  - { slug: critical, name: "\${env:ONLY_IN_PROD}" }\n` });
  expect((await world.run(validate, { paths })).exit).toBe(0);
  const chosen = await world.run(validate, { paths, env: "prod" });
  expect(found(chosen.stderr)).toEqual([
    'envs/prod.yaml:2:29: error[E_ENV]: the environment variable "ONLY_IN_PROD" is not set',
  ]);
});

test("other directories beside the settings do not matter", async () => {
  await symlink("/", join(world.folder, "outside"));
  expect((await world.run(validate, { paths })).exit).toBe(0);
});

test("the tests of a named directory are read, and no others", async () => {
  await world.write({ "rules/b.test.yaml": "routing_tests: 1\n" });
  expect((await world.run(validate, { paths: [join(world.folder, "config")] })).exit).toBe(0);
  expect((await world.run(validate, { paths: [join(world.folder, "config"), join(world.folder, "rules")] })).exit).toBe(
    1,
  );
});
