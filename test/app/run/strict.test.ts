import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { show } from "../../../src/app/plan/show-command.ts";
import { openWorld, type World } from "../../commands/world.ts";

const settings = "version: 1\nbase_url: http://localhost:4010\n";
const field = (options: string) =>
  `custom_fields:\n  - { slug: region, name: Region, field_type: single_select, options: [${options}] }\n`;

let world: World;
afterEach(() => world.close());

/** A workspace in which an incident holds the option US, which the files then drop. */
async function withHeldOption(): Promise<void> {
  world = await openWorld({
    "incidentctl.yaml": settings,
    "fields.yaml": field("EU, US"),
    "forms.yaml": "forms:\n  declare:\n    - { custom_field: region, visible: true }\n",
  });
  await world.run(apply, { paths: [], yes: true });
  const { severities } = (await world.send("GET", "/api/v1/severities")) as { severities: { id: string }[] };
  const incident = {
    idempotency_key: "1",
    name: "One",
    severity_id: severities[0]?.id,
    custom_fields: { region: "US" },
  };
  await world.send("POST", "/api/v1/incidents", incident);
  await world.write({ "fields.yaml": field("EU") });
}

describe("an undeclared option that incidents use", () => {
  test("stays: exit 0, a warning that names it, and not a single write", async () => {
    await withHeldOption();
    world.requests.length = 0;
    const { exit, stdout } = await world.run(apply, { paths: [], yes: true });
    expect(exit).toBe(0);
    expect(stdout).toContain('option "US" is not in the configuration but stays: used by 1 incident');
    expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("is an unfinished removal with --strict: exit 4", async () => {
    await withHeldOption();
    const { exit, stderr } = await world.run(apply, { paths: [], yes: true, strict: true });
    expect(exit).toBe(4);
    expect(stderr).toContain("1 removal unfinished (--strict)");
  });
});

test("show reports a plan whose text does not match its seal", async () => {
  world = await openWorld({ "incidentctl.yaml": settings, "fields.yaml": field("EU") });
  await world.run(plan, { paths: [], out: "one.plan" });
  expect((await world.run(show, { planfile: "one.plan" })).stderr).toBe("");
  const path = join(world.folder, "one.plan");
  await writeFile(path, (await readFile(path, "utf8")).replaceAll("Region", "Regiom"));
  const { exit, stderr } = await world.run(show, { planfile: "one.plan" });
  expect(exit).toBe(0);
  expect(stderr).toContain("not what its seal was made for");
});

test("a removal names the list that no longer declares the resource", async () => {
  world = await openWorld({ "incidentctl.yaml": settings, "types.yaml": "# none wanted\nincident_types: []\n" });
  const { stdout } = await world.run(plan, { paths: [], format: "json" });
  const { changes } = JSON.parse(stdout) as { changes: { action: string; source: object }[] };
  expect(changes.map(({ action, source }) => ({ action, source }))).toContainEqual({
    action: "delete",
    source: { file: "types.yaml", line: 2, column: 1 },
  });
});
