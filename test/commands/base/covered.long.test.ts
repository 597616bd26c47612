/** A narrowed plan names of what is no longer managed that which it covers; a plan names its base; a new environment has nothing before it. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { openWorld, type World } from "../world.ts";
import { commitAll, initRepository, originsOf, planOf } from "./repository.ts";

const SETTINGS = "version: 1\nbase_url: http://localhost:4010\nconfig: [config]\n";
const FIELD = "{ slug: region, name: Region, field_type: single_select, options: [EU, US] }";
const FILES = {
  "incidentctl.yaml": SETTINGS,
  "config/severities.yaml": "severities:\n  - { slug: minor, name: Minor, default: true }\n",
  "config/team/fields.yaml": `custom_fields: [${FIELD}]\n`,
  "config/team/webhooks.yaml": 'webhooks: [{ name: a, url: "https://example.com/a", subscribed_events: [] }]\n',
  "config/squads.yaml": "catalog_types: [{ slug: squad, name: Squad, entries: [{ slug: blue, name: Blue }] }]\n",
};

let world: World;
let first: string;

beforeEach(async () => {
  world = await openWorld(FILES);
  const applied = await world.run(apply, { paths: [], yes: true, allowDelete: true, base: "none" });
  expect(applied, applied.stderr).toMatchObject({ exit: 0 });
  rmSync(join(world.folder, ".incidentctl"), { recursive: true, force: true });
  first = initRepository(world);
});
afterEach(() => world.close());

const releasedIn = async (flags: Partial<PlanFlags>): Promise<readonly string[]> =>
  ((await planOf(world, flags)).plan.released ?? []).map(({ address, path = "" }) => address + path);

describe("what is no longer managed, in a narrowed plan", () => {
  const [webhooks, options, entries] = ["webhooks", "custom_fields/region/options", "catalog_types/squad/entries"];
  beforeEach(async () => {
    rmSync(join(world.folder, "config/team/webhooks.yaml"));
    await world.write({
      "config/team/fields.yaml": `custom_fields: [${FIELD.replace(", options: [EU, US]", "")}]\n`,
      "config/squads.yaml": "catalog_types: [{ slug: squad, name: Squad }]\n",
    });
  });

  test.each<readonly [flags: Partial<PlanFlags>, released: readonly string[]]>([
    [{}, [webhooks, entries, options]],
    [{ kinds: "severities" }, []],
    [{ kinds: "custom_fields" }, [options]],
    [{ kinds: "catalog_types" }, [entries]],
    [{ target: ["custom_fields/region"] }, [options]],
    [{ target: ["catalog_types/squad"] }, [entries]],
    [{ exclude: ["custom_fields/region"] }, [webhooks, entries]],
    [{ exclude: ["catalog_types/squad"] }, [webhooks, options]],
    [{ paths: ["config/severities.yaml"] }, []],
    [{ paths: ["config/team"] }, [webhooks, options]],
    [{ paths: ["config/team"], kinds: "custom_fields" }, [options]],
    [{ onlyChanged: true }, [webhooks, entries, options]],
  ])("%j", async (flags, released) => {
    expect([...(await releasedIn(flags))].sort()).toEqual([...released].sort());
  });
});

test("the text, the comment and the page name the base, and a plan without one names none", async () => {
  const base = `HEAD (${first.slice(0, 10)})`;
  const shown = async (flags: Partial<PlanFlags>) => (await world.run(plan, { paths: [], ...flags })).stdout;
  expect(await shown({})).toContain(`Plan for http://localhost:4010\nBase: ${base}\n\n`);
  expect(await shown({ format: "markdown" })).toContain(`Base: \`${base}\``);
  expect(await shown({ format: "html" })).toContain(`<dt>Base</dt><dd>${base}</dd>`);
  expect(await shown({ base: "none" })).not.toContain("Base:");
});

test("an environment that the change begins has nothing before it, and no warning", async () => {
  await world.write({
    "incidentctl.yaml": `${SETTINGS}environments:\n  staging: { base_url: "http://localhost:4010" }\n`,
    "config/severities.yaml": "severities:\n  - { slug: minor, name: Small, default: true }\n",
  });
  const { plan: made, stderr } = await planOf(world, { env: "staging" });
  expect(stderr).not.toContain("W_BASE");
  expect(made.warnings).toEqual([]);
  expect(made.base).toEqual({ revision: first, name: "HEAD" });
  expect(originsOf(made)).toEqual({ "severities/minor": "files" });
  const second = commitAll(world.folder);
  const { plan: later } = await planOf(world, { env: "staging", base: second });
  expect(originsOf(later)).toEqual({ "severities/minor": "workspace" });
});
