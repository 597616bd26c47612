import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCHEMA_NAMES, schema } from "../../src/app/files/schema-command.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { kinds } from "../../src/kinds/index.ts";
import { driftSchema, planSchema } from "../../src/view/plan/schema.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({});
});
afterAll(() => world.close());

test("names every kind, routing tests and the JSON reports", () => {
  expect(SCHEMA_NAMES).toEqual([
    ...kinds.map(({ name }) => name),
    "routing_tests",
    "plan",
    "drift",
    "recorded_alerts",
    "openapi",
    "control",
    "seed",
  ]);
});

test.each(SCHEMA_NAMES.filter((name) => name !== "openapi" && name !== "control"))(
  "%s is a self-contained schema",
  async (name) => {
    const { exit, stdout } = await world.run(schema, { name });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
    expect([...stdout.matchAll(/"\$ref": "(?!#)/g)]).toEqual([]);
  },
);

test("plan and drift print the schemas of what --format json prints", async () => {
  expect(JSON.parse((await world.run(schema, { name: "plan" })).stdout)).toEqual(planSchema());
  expect(JSON.parse((await world.run(schema, { name: "drift" })).stdout)).toEqual(driftSchema());
});

test.each([
  ["openapi", "/openapi.json", {}],
  ["control", "/control/control-openapi.json", { authorization: "Bearer ctl_test" }],
])("%s prints the document that is shipped and that an emulator serves", async (name, path, headers) => {
  const { exit, stdout } = await world.run(schema, { name });
  expect(exit).toBe(0);
  const emulator = createEmulator({ control: true, controlKey: "ctl_test" });
  const served = await emulator.fetch(new Request(`http://localhost${path}`, { headers }));
  await emulator.close();
  expect(await served.json()).toEqual(JSON.parse(stdout));
  const shipped = await readFile(new URL(`../../schemas/${basename(path)}`, import.meta.url), "utf8");
  expect(JSON.parse(shipped)).toEqual(JSON.parse(stdout));
});

test("an unknown name is a usage error that suggests a known one", async () => {
  const { exit, stderr } = await world.run(schema, { name: "plans" });
  expect(exit).toBe(64);
  expect(stderr).toContain('there is no schema "plans" (did you mean "plan"?); there are severities,');
});

test.each(["settings", "overlay"])("the name of a schema that a flag prints suggests the flag: %s", async (name) => {
  const { exit, stderr } = await world.run(schema, { name });
  expect([exit, stderr]).toEqual([64, expect.stringContaining(`(did you mean "--${name}"?)`)]);
});

test("a name beside a flag is a usage error", async () => {
  expect(await world.run(schema, { name: "plan", settings: true })).toMatchObject({ exit: 64, stdout: "" });
});
