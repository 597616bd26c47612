/** The shipped schemas describe every property of the plans and drift reports of the scenarios. */

import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommandLine } from "../../src/app/cli/command-line.ts";
import { driftSchema, planSchema } from "../../src/view/plan/schema.ts";
import { openWorld } from "../commands/world.ts";
import { compiled } from "../support/schemas/compiled-schema.ts";
import { closed } from "../support/schemas/plan-schema.ts";

const scenarios = fileURLToPath(new URL("../scenarios", import.meta.url));
const files = readdirSync(scenarios, { recursive: true, encoding: "utf8" }).filter((file) => /\d\.yaml$/.test(file));
const settings = "version: 1\nbase_url: http://localhost:4010\nenvironments: { staging: {} }\n";
const schemas = { plan: compiled(closed(planSchema())), drift: compiled(closed(driftSchema())) };

/** The first error of a document; undefined if the schema describes all of it. */
function firstError(name: "plan" | "drift", text: string): unknown {
  return schemas[name](JSON.parse(text)) ? undefined : (schemas[name].errors?.[0] ?? "invalid");
}

test("the plans, saved plans and drift reports of the scenarios match their schemas, and nothing is undescribed", async () => {
  let valid = 0;
  for (const file of files) {
    const world = await openWorld({
      "incidentctl.yaml": settings,
      "a.yaml": readFileSync(join(scenarios, file), "utf8"),
    });
    const program = (line: string) => world.run<object>((_options, io) => runCommandLine(line.split(" "), io), {});
    try {
      const plan = await program("plan -e staging --format json --out change.plan");
      // Some files only make sense after the first ones of their scenario.
      if (plan.exit !== 0) continue;
      valid += 1;
      expect(firstError("plan", plan.stdout), file).toBeUndefined();
      const saved = await readFile(join(world.folder, "change.plan"), "utf8");
      expect(firstError("plan", saved), file).toBeUndefined();
      const drift = await program("drift --format json");
      expect(firstError("drift", drift.stdout), file).toBeUndefined();
    } finally {
      await world.close();
    }
  }
  expect(valid).toBeGreaterThan(files.length / 2);
}, 120_000);
