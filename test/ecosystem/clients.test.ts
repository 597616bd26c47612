/** The OpenAPI document in validators, and in generators of clients, whose output is compiled and run on the emulator. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canRun, newFolder, root, succeed } from "./support.ts";

const program = join(root, "dist/cli.cjs");
const packages = join(root, ".ci/openapi/node_modules");
const tool = (name: string): string => join(packages, ".bin", name);

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  outDir: "out",
};

let folder: string;
beforeAll(async () => {
  folder = newFolder();
  cpSync(join(import.meta.dirname, "programs"), folder, { recursive: true });
  symlinkSync(packages, join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "openapi.json"), await succeed(folder, process.execPath, [program, "schema", "openapi"]));
});
afterAll(() => rm(folder, { recursive: true }));

const linesOf = (text: string): readonly Record<string, unknown>[] => {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
};

describe("a validator", () => {
  test("of a library finds no error and gives no warning", async () => {
    const results = linesOf(await succeed(folder, process.execPath, ["validate.mjs"]));
    expect(results).toMatchObject([
      { name: "@readme/openapi-parser", valid: true, errors: [], warnings: [] },
      { name: "@seriousme", valid: true, errors: [], warnings: [] },
    ]);
  });

  test("of Redocly finds no error with its recommended rules", async () => {
    await succeed(folder, tool("redocly"), ["lint", "openapi.json"], {
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      REDOCLY_TELEMETRY: "off",
    });
  });

  test("of Spectral finds no error with its rules for OpenAPI", async () => {
    writeFileSync(join(folder, ".spectral.json"), '{ "extends": ["spectral:oas"] }\n');
    await succeed(folder, tool("spectral"), ["lint", "openapi.json", "--ruleset", ".spectral.json"]);
  });
});

test("eight everyday programs compile with a generated client, and do their work on the emulator", async () => {
  await succeed(folder, tool("openapi-typescript"), ["openapi.json", "--output", "service.d.ts"]);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["everyday.ts"] }));
  await succeed(folder, tool("tsc"), ["--project", "."]);
  const emulator = spawn(process.execPath, [program, "emulator", "--deliver-to", "loopback"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const variables: Record<string, string> = {};
    for await (const line of createInterface({ input: emulator.stdout })) {
      const [, name = "", value = ""] = /^(?:export )?(\w+)=(.*)$/.exec(line) ?? [];
      variables[name] = value.replaceAll("'", "");
      if (name === "INCIDENTCTL_ADMIN_TOKEN") break;
    }
    const output = await succeed(folder, process.execPath, ["out/everyday.js"], variables);
    expect(linesOf(output)).toEqual([
      { declare: ["INC-1", "INC-2", "INC-3", "INC-1"] },
      { listAll: ["INC-3 critical nobody", "INC-2 critical nobody", "INC-1 critical nobody"] },
      { change: "One in five payments times out" },
      { receiveDelivery: "INC-1 api_key Roll back the release" },
      { resolve: "closed now" },
      { createSeverity: "catastrophe 1 false" },
      { handleErrors: ["name can't be blank", "404 not_found"] },
      { sendAlert: "auto_create_incident Latency of checkout" },
    ]);
  } finally {
    emulator.kill();
    await once(emulator, "exit");
  }
});

test("generated models in Python and Go parse", async () => {
  const results = linesOf(await succeed(folder, process.execPath, ["models.mjs"]));
  expect(results).toEqual([
    { file: "models.py", isParsed: true, hasIncident: true },
    { file: "models.go", isParsed: true, hasIncident: true },
  ]);
  if (await canRun("python3", ["--version"])) await succeed(folder, "python3", ["-m", "py_compile", "models.py"]);
});
