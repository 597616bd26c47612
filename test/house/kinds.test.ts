import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { moduleSchema, workspaceSchema } from "../../src/config/schema/schema.ts";
import { violationsBy } from "../../src/config/schema/validator.ts";
import { kinds } from "../../src/kinds/index.ts";
import { exampleOf, folder, loadExamples, modules } from "../support/samples/example-workspace.ts";
import { compiled } from "../support/schemas/compiled-schema.ts";
import { parts, takesObjects, undescribed } from "../support/schemas/schema-parts.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const editors = compiled(workspaceSchema(kinds));

describe.each(modules)("module %s", (module) => {
  const own = kinds.filter((kind) => kind.module === module);

  test("has its three files", () => {
    for (const file of [`src/kinds/rows/${module}.ts`, `schemas/${module}.json`, `examples/${module}.yaml`]) {
      expect(existsSync(join(root, file)), file).toBe(true);
    }
  });

  test("has a schema that describes every property in sentences", () => {
    expect(undescribed(moduleSchema(module), module)).toEqual([]);
  });

  test("has a closed schema, except where the service accepts any property", () => {
    const open = parts(moduleSchema(module), module)
      .filter(([, part]) => takesObjects(part) && part.additionalProperties === undefined)
      .map(([at]) => at.split("/").at(-1));
    expect(open.filter((name) => !["extra", "arguments", "watch"].includes(name ?? ""))).toEqual([]);
  });

  test("has a schema with the identity and the required fields of its kinds", () => {
    const described = new Set(parts(moduleSchema(module), module).map(([at]) => at.split("/").at(-1) ?? ""));
    const needed = own.flatMap(({ identity: { keys: key, pin, labels = [] }, lifecycle: { required = [] } }) => [
      ...key,
      ...required,
      ...labels,
      ...(pin ? [pin] : []),
    ]);
    expect(needed.filter((name) => !described.has(name))).toEqual([]);
  });

  test("has an example that is valid in the schema for editors", () => {
    expect(violationsBy(editors, exampleOf(module))).toEqual([]);
  });

  test("has an example with its kinds only, and the schema comment for editors", async () => {
    const top = own.filter(({ parent }) => parent === undefined || parent.apart === true);
    expect(Object.keys(exampleOf(module))).toEqual(top.map(({ name }) => name));
    const [first] = readFileSync(join(folder, `${module}.yaml`), "utf8").split("\n");
    expect(first).toBe("# yaml-language-server: $schema=../schemas/workspace.schema.json");
    const { declared, warnings } = await loadExamples([module]);
    expect(new Set(declared.map(({ kind }) => kind))).toEqual(new Set(own));
    expect(warnings).toEqual([]);
  });
});

test("the schema of routing tests describes every property in sentences, and is closed", () => {
  const all = parts(moduleSchema("routing-tests"), "routing-tests").filter(([, part]) => part.$ref === undefined);
  expect(undescribed(moduleSchema("routing-tests"), "routing-tests")).toEqual([]);
  expect(all.filter(([, part]) => takesObjects(part) && part.additionalProperties === undefined)).toEqual([]);
});

test("every schema and example belongs to a kind", () => {
  const names = (directory: string, ending: string) =>
    readdirSync(join(root, directory)).flatMap((file) =>
      file.endsWith(ending) ? [file.slice(0, -ending.length)] : [],
    );
  const others = ["routing-tests", "shared", "plan", "drift", "recorded-alerts", "openapi", "control-openapi"];
  expect(names("schemas", ".json").filter((name) => !name.endsWith(".schema") && !others.includes(name))).toEqual(
    [...modules].sort(),
  );
  expect(names("examples", ".yaml").filter((name) => !["incidentctl", "routing.test"].includes(name))).toEqual(
    [...modules].sort(),
  );
});
