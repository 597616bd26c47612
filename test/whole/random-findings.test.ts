/** Workspaces that a random search found, each the shortest case: plans and undos that meant something else than they said. */

import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Fields, Json } from "../../src/core/json.ts";
import type { Dialects } from "../../src/emulator/dialects.ts";
import { Program, type Run } from "../differential/program.ts";
import { DifferentialService, type ListName } from "../differential/service.ts";

const APPROVALS = ["--yes", "--allow-delete", "--max-removals", "100", "--accept-routing-window"];

const service = new DifferentialService();
const program = new Program(service);
afterAll(async () => {
  await program.close();
  await service.close();
});
beforeEach(() => program.begin(true));

/** People make a workspace that speaks these dialects. */
async function workspace(dialects: Partial<Dialects>, requests: readonly (readonly [string, string, Json])[]) {
  service.begin(dialects);
  for (const [method, path, body] of requests) {
    const status = await service.write(method, path, body);
    expect(status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(300);
  }
}

/** Runs the program on files with this document. */
function run(document: Fields, args: readonly string[]): Promise<Run> {
  program.write(stringify(document), {});
  return program.run(args);
}

async function apply(document: Fields): Promise<Run> {
  const ran = await run(document, ["apply", ...APPROVALS]);
  expect(ran.exit, ran.stdout + ran.stderr).toBe(0);
  return ran;
}

async function slugs(list: ListName): Promise<readonly Json[]> {
  service.forget();
  return (await service.list(list)).map(({ slug }) => slug ?? null);
}

/** Two fields over one type, on the declare form: a condition's value does not tell which of them it reads. */
const TWO_FIELDS = [
  ["POST", "/catalog/types", { name: "Squad" }],
  ["POST", "/catalog/types/squad/entries", { name: "Red" }],
  [
    "POST",
    "/custom_fields",
    { name: "Owner", field_type: "catalog_reference", option_source: "catalog", catalog_type: "squad" },
  ],
  [
    "POST",
    "/custom_fields",
    { name: "Helper", field_type: "catalog_reference", option_source: "catalog", catalog_type: "squad" },
  ],
  ["PATCH", "/forms/declare", { custom_field: "owner", visible: true, required: false }],
  ["PATCH", "/forms/declare", { custom_field: "helper", visible: true, required: false }],
] as const;

const OWNED_BY_RED = [{ condition_field: "custom_field", custom_field: "owner", operator: "one_of", values: ["red"] }];

describe("a condition whose field the service does not return refers to every field that it may read", () => {
  const CONDITION = ["PATCH", "/forms/declare", { system_field: "summary", conditions: OWNED_BY_RED }] as const;
  const DIALECTS: readonly Partial<Dialects>[] = [
    { readable: "partial" },
    { condition_values: "id" },
    { readable: "partial", condition_values: "id" },
    { readable: "partial", condition_values: "id", delete_guard: "incidents" },
  ];

  test.each(DIALECTS)("an entry that it holds stays: %o", async (dialects) => {
    await workspace(dialects, [...TWO_FIELDS, CONDITION]);
    const { stdout } = await apply({ catalog_types: [{ slug: "squad", entries: [{ slug: "blue", name: "Blue" }] }] });
    expect(stdout).toContain("catalog_types/squad/entries/red is not in the configuration but stays");
    expect(await slugs("entries")).toContain("red");
  });
});
