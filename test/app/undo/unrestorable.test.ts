import { afterEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { openWorld, type World } from "../../commands/world.ts";
import { altersObjects, answeringIo } from "../../stored/altering.ts";

let world: World;
afterEach(() => world.close());

/** Applies each of some files, does something by hand, and undoes the last run. */
async function undone(files: readonly string[], byHand: () => Promise<unknown> = async () => {}): Promise<string> {
  const flags = { allowDelete: true, maxRemovals: { entries: 1000 }, acceptRoutingWindow: true, yes: true };
  world = await openWorld({ "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n" });
  Object.assign(world.io.env, { OPTION: "a long name", TYPE: "number" });
  for (const text of files) {
    await world.write({ "a.yaml": text });
    const ended = await world.run(apply, { paths: [], ...flags });
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  }
  await byHand();
  const planned = await world.run(undo, { paths: [], out: "undo.plan" });
  expect(planned.exit, planned.stderr).toBe(0);
  const ended = await world.run(apply, { paths: [], ...flags, plan: "undo.plan" });
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stdout).toContain("Verified");
  return planned.stdout;
}

test("conditions on a severity that is disabled by now stay as they are, with a warning, and the rest is undone", async () => {
  const runbooks = (name: string, values: string) =>
    `runbooks:\n  - { slug: a, name: ${name}, conditions: [${values}] }\n`;
  const said = await undone(
    [runbooks("First", "{ condition_field: severity, operator: one_of, values: [critical] }"), runbooks("Second", "")],
    () => world.send("PATCH", "/api/v1/severities/critical", { enabled: false }),
  );
  expect(said).toContain(
    "runbooks/a: conditions cannot be restored: runbooks/a references severities/critical, which is disabled",
  );
  const { runbook } = (await world.send("GET", "/api/v1/runbooks/a")) as { runbook: Fields };
  expect(runbook).toMatchObject({ name: "First", conditions: [] });
});

test("rules that name a source's lost team are not restored, with a warning, and the rest is undone", async () => {
  const files = (rules: string, color: string) =>
    `routing_rules:\n  workspace: [${rules}]\nincident_types:\n  - { slug: data_issue, name: Data Issue, color: "${color}" }\n`;
  const target = "{ outcome: { action: notify_only, notify: { type: team, team: red } } }";
  const said = await undone(
    [
      `catalog_types:\n  - { slug: team, entries: [{ slug: red, name: Red }] }\n${files(target, "#111111")}`,
      files("{ outcome: { action: drop } }", "#222222"),
    ],
    async () => {
      const { entries } = (await world.send("GET", "/api/v1/catalog/types/team/entries")) as { entries: Fields[] };
      await world.send("DELETE", `/api/v1/catalog/entries/${entries[0]?.id}`);
    },
  );
  expect(said).toContain("W_UNDO");
  const { incident_types: types } = (await world.send("GET", "/api/v1/incident_types")) as { incident_types: Fields[] };
  expect(types.find(({ slug }) => slug === "data_issue")?.color).toBe("#111111");
});

test("a value of an attribute whose type was not recorded stays absent, with a warning, and the rest is undone", async () => {
  const type = (name: string, attributes: string, values: string) =>
    `catalog_types:\n  - slug: rack\n    name: Rack\n    attributes: [${attributes}]\n    entries: [{ slug: one, name: ${name}, attributes: {${values}} }]\n`;
  const option = `{ name: Size, attribute_type: "\${env:TYPE}" }`;
  const said = await undone([
    type("First", `{ name: Notes, attribute_type: text }, ${option}`, "notes: Hello"),
    type("Second", option, ""),
  ]);
  expect(said).toContain("catalog_types/rack/entries/one: attributes/notes cannot be restored");
});

test("a default that the run created stays if the former one is gone, with a warning, and the rest is undone", async () => {
  const severities = (name: string, more: string) =>
    `severities:\n  - { slug: critical, name: ${name} }\n  - { slug: major, name: Major }\n${more}`;
  world = await openWorld({ "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n" });
  const read = async () =>
    ((await world.send("GET", "/api/v1/severities")) as { severities: readonly Fields[] }).severities;
  const former = (await read()).find(({ is_default }) => is_default === true);
  await world.close();
  const said = await undone(
    [
      severities("First", `  - { slug: ${String(former?.slug)}, name: Former, default: true }\n`),
      `severities:\n  - { slug: critical, name: Second }\n  - { slug: fresh, name: Fresh, default: true }\n  - { slug: ${String(former?.slug)}, name: Former }\n`,
    ],
    async () => {
      await world.send("DELETE", `/api/v1/severities/${String(former?.slug)}`);
    },
  );
  expect(said).toContain("severities/fresh stays as it is: severities/fresh is the default severity");
  const rows = await read();
  expect(rows.find(({ slug }) => slug === "critical")?.name).toBe("First");
  expect(rows.find(({ slug }) => slug === "fresh")?.is_default).toBe(true);
});

test("a status that the run created stays if it is by now the last of its stage, with a warning, and the rest is undone", async () => {
  const read = async () => ((await world.send("GET", "/api/v1/statuses")) as { statuses: readonly Fields[] }).statuses;
  const files = (name: string, more: string) =>
    `statuses:\n  - { slug: triaging }\n  - { slug: investigating, name: ${name} }\n  - { slug: resolved }\n  - { slug: canceled }\n${more}`;
  const said = await undone(
    [files("First", ""), files("Second", "  - { slug: fresh, name: Fresh, lifecycle_stage: closed }\n")],
    () => world.send("DELETE", "/api/v1/statuses/resolved"),
  );
  expect(said).toContain(
    "statuses/fresh stays as it is: statuses/fresh: the workspace needs an enabled status with lifecycle_stage closed",
  );
  const names = (await read()).map(({ slug, name }) => `${slug} ${name}`);
  expect(names).toContain("fresh Fresh");
  expect(names).toContain("investigating First");
});

test("entries of a deleted type whose name was not recorded are not created again, with a warning, and the rest is undone", async () => {
  const color = (text: string) => `incident_types:\n  - { slug: data_issue, name: Data Issue, color: "${text}" }\n`;
  const type = `catalog_types:\n  - { slug: a_long_name, name: "\${env:OPTION}", entries: [{ slug: one, name: One }] }\n`;
  const text = await undone([`${type}${color("#111111")}`, `catalog_types: []\n${color("#222222")}`]);
  expect(text).toContain("catalog_types/a_long_name is not created again: its name was not recorded");
  expect(text).toContain(
    "catalog_types/a_long_name/entries/one is not created again: catalog_types/a_long_name does not exist",
  );
  const { incident_types: rows } = (await world.send("GET", "/api/v1/incident_types")) as { incident_types: Fields[] };
  expect(rows.find(({ slug }) => slug === "data_issue")?.color).toBe("#111111");
});

test("an entry stays as it is where no value of an attribute fits its type any more, with a warning, and the rest is undone", async () => {
  const files = (night: string, color: string) =>
    `catalog_types:\n  - slug: rack\n    name: Rack\n    attributes: [{ name: At night, attribute_type: text }, { name: Notes, attribute_type: text }]\n    entries: [{ slug: one, name: One, attributes: { at_night: ${night}, notes: ${night} } }]\nincident_types:\n  - { slug: data_issue, name: Data Issue, color: "${color}" }\n`;
  const said = await undone([files("rarely", "#111111"), files("often", "#222222")], async () => {
    const isNight = ({ slug }: Fields) => slug === "at_night";
    const asBoolean = altersObjects(isNight, (fields) => ({ ...fields, attribute_type: "boolean" }));
    Object.assign(world.io, answeringIo({ ...world.io }, asBoolean));
  });
  expect(said).toContain(
    'catalog_types/rack/entries/one stays as it is: the attribute "at_night" of type boolean must be true or false',
  );
  const { incident_types: types } = (await world.send("GET", "/api/v1/incident_types")) as { incident_types: Fields[] };
  expect(types.find(({ slug }) => slug === "data_issue")?.color).toBe("#111111");
});
