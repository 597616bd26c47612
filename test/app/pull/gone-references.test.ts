/** Pulls of live resources that reference what does not exist any more: no file can name that, and all else is pulled. */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { type Fields, fieldsIn, isFields, isList, type Json, objectsIn } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";
import { type Alteration, altersObjects, answeringIo, dropsObjects } from "../../stored/altering.ts";

const FILES = {
  "config/lists.yaml": `severities:
  - { slug: high, name: High, default: true }
  - { slug: low, name: Low }
incident_types:
  - { slug: data, name: Data }
  - { slug: outage, name: Outage }
`,
  "config/catalog.yaml": `catalog_types:
  - slug: squad
    name: Squad
    entries: [{ slug: red, name: Red }, { slug: blue, name: Blue }]
  - slug: system
    name: System
    attributes: [{ name: Owner, attribute_type: reference, reference_type: squad }]
    entries: [{ slug: web, name: Web, attributes: { owner: red } }, { slug: db, name: Db }]
  - { slug: team, entries: [{ slug: ops, name: Ops }] }
custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
  - { slug: affected, name: Affected, field_type: single_select, catalog_type: system, option_source: catalog }
`,
  "config/forms.yaml": `forms:
  declare:
    - system_field: summary
      visible: true
      required: false
      conditions: [{ condition_field: incident_type, operator: one_of, values: [outage] }]
    - { custom_field: region, visible: true, required: false }
    - custom_field: affected
      visible: true
      required: false
      conditions: [{ condition_field: custom_field, custom_field: region, operator: one_of, values: [EU] }]
`,
  "config/runbooks.yaml": `runbooks:
  - slug: severe
    name: Severe
    summary: first
    conditions: [{ condition_field: severity, operator: one_of, values: [high, low] }]
  - slug: european
    name: European
    conditions: [{ condition_field: custom_field, custom_field: region, operator: one_of, values: [EU] }]
  - slug: web
    name: Web
    conditions: [{ condition_field: custom_field, custom_field: affected, operator: one_of, values: [web] }]
`,
  "config/routing.yaml": `alert_sources: [{ name: Datadog, provider: datadog }]
routing_rules:
  workspace:
    - { name: a, outcome: { action: auto_create_incident, severity: high, invite: [{ type: team, team: ops }] } }
  sources:
    Datadog:
      - { name: b, outcome: { action: notify_only, notify: { type: team, team: ops } } }
`,
};

const GONE = "00000000-0000-4000-8000-000000000000";

/** Other values for members, wherever they are something. */
const altered = (members: Fields, isMeant: (row: Fields) => boolean = () => true): Alteration => {
  const names = Object.keys(members);
  const own = (row: Fields): readonly (readonly [string, Json])[] =>
    names.flatMap((name) => ((row[name] ?? null) === null ? [] : [[name, members[name] ?? null]]));
  return altersObjects(
    (row) => isMeant(row) && own(row).length > 0,
    (row) => ({ ...row, ...Object.fromEntries(own(row)) }),
  );
};
const conditionOn = (name: string) => (row: Fields) => row.condition_field === name;
const dropped = (slug: string) => dropsObjects((row) => row.slug === slug);
const droppedEntry =
  (slug: string): Alteration =>
  (body, request) => {
    const left = dropped(slug)(body, request);
    if (!isFields(left.pagination) || !isList(left.entries)) return left;
    return { ...left, pagination: { ...left.pagination, total: left.entries.length } };
  };

/** What the service answers, and the conflicts over the files of that workspace. */
const CASES: readonly (readonly [title: string, answer: Alteration, conflicts: readonly string[]])[] = [
  [
    "a severity of rules, by its id",
    altered({ severity_id: GONE }),
    [`routing_rules/workspace/1 outcome: it references severities/${GONE}, which does not exist any more`],
  ],
  [
    "a severity of rules, by an id like a slug",
    altered({ severity_id: "gone" }),
    ["routing_rules/workspace/1 outcome: it references severities/gone, which does not exist any more"],
  ],
  [
    "a team of rules",
    altered({ entry_id: "7" }),
    [
      "routing_rules/workspace/1 outcome: it references catalog_types/team/entries/7, which does not exist any more",
      "routing_rules/Datadog/1 outcome: it references catalog_types/team/entries/7, which does not exist any more",
    ],
  ],
  [
    "the type of a reference attribute",
    altered({ reference_type: "gone", reference_type_id: GONE }),
    ["catalog_types/system attributes: it references catalog_types/gone, which does not exist any more"],
  ],
  [
    "the target of an entry",
    altered({ target_entry_id: GONE }),
    [`catalog_types/system/entries/web attributes: it references catalog_types/squad/entries/${GONE}, which does not`],
  ],
  [
    "the catalog type of a custom field",
    altered({ catalog_type: "gone", catalog_type_id: GONE }, ({ field_type }) => field_type !== undefined),
    ["custom_fields/affected catalog_type: it references catalog_types/gone, which does not exist any more"],
  ],
  [
    "a severity of conditions",
    altered({ values: [GONE] }, conditionOn("severity")),
    [`runbooks/severe conditions: it references severities/${GONE}, which does not exist any more`],
  ],
  [
    "an incident type of conditions",
    altered({ values: [GONE] }, conditionOn("incident_type")),
    [`forms/declare/summary conditions: it references incident_types/${GONE}, which does not exist any more`],
  ],
  [
    "an option of conditions",
    altered({ values: [GONE] }, conditionOn("custom_field")),
    [
      `forms/declare/affected conditions: it references the option "${GONE}" of custom_fields/region, which does not`,
      `runbooks/european conditions: it references the option "${GONE}" of custom_fields/region, which does not`,
      `runbooks/web conditions: it references catalog_types/system/entries/${GONE}, which does not exist any more`,
    ],
  ],
  [
    "an option of conditions that name no custom field",
    altersObjects(conditionOn("custom_field"), ({ custom_field: _own, ...row }) => ({ ...row, values: [GONE] })),
    [
      "forms/declare/affected conditions: it references",
      "runbooks/european conditions: it references",
      "runbooks/web conditions: it references",
    ],
  ],
  [
    "the custom field of conditions",
    altered({ custom_field: "gone" }, conditionOn("custom_field")),
    [
      "forms/declare/affected conditions: it references forms/declare/gone, which does not exist any more",
      'runbooks/european conditions: it references the option "EU" of custom_fields/gone, which does not exist any more',
      'runbooks/web conditions: it references the option "web" of custom_fields/gone, which does not exist any more',
    ],
  ],
  [
    "a severity of the files that rules and conditions name",
    dropped("high"),
    [
      "routing_rules/workspace/1 outcome: it references severities/",
      "severities/high: it does not exist any more, and stays because",
    ],
  ],
  [
    "an incident type of the files that conditions name",
    dropped("outage"),
    ["incident_types/outage: it does not exist any more, and stays because forms/declare/summary keeps its reference"],
  ],
  [
    "a custom field of the files that conditions name",
    dropsObjects((row) => row.slug === "region"),
    [
      "custom_fields/region: it does not exist any more, and stays because",
      "forms/declare/region: it does not exist any more, and stays because forms/declare/affected keeps its reference",
    ],
  ],
  [
    "an option of the files that conditions name",
    dropsObjects(({ label }) => label === "EU"),
    ['custom_fields/region options: runbooks/european keeps its reference to the option "EU" of custom_fields/region'],
  ],
  [
    "a catalog type of the files that an attribute refers to",
    dropped("squad"),
    ["catalog_types/squad: it does not exist any more, and stays because catalog_types/system keeps its reference"],
  ],
  [
    "a catalog type of the files that a custom field takes its options from",
    dropped("system"),
    ["catalog_types/system: it does not exist any more, and stays because custom_fields/affected keeps its reference"],
  ],
  [
    "an entry of the files that another one refers to",
    droppedEntry("red"),
    [
      "catalog_types/squad/entries/red: it does not exist any more, and stays because catalog_types/system/entries/web",
      "catalog_types/system/entries/web attributes: it references catalog_types/squad/entries/",
    ],
  ],
  [
    "an entry of the files that rules name",
    droppedEntry("ops"),
    [
      "catalog_types/team/entries/ops: it does not exist any more, and stays because",
      "routing_rules/workspace/1 outcome: it references catalog_types/team/entries/",
    ],
  ],
];

const applied = (world: World) =>
  world.run(apply, { paths: [], yes: true, allowDelete: true, acceptRoutingWindow: true, maxRemovals: { entries: 9 } });
const planned = (world: World) => world.run(plan, { paths: [], detailedExitcode: true });
const textsOf = (world: World) =>
  Promise.all(Object.keys(FILES).map((file) => readFile(join(world.folder, file), "utf8")));

/** A workspace as the files have it, but for the summary of a runbook, that answers otherwise from then on. */
async function opened(alteration: Alteration): Promise<World> {
  const world = await openWith(alteration, FILES);
  await world.send("PATCH", "/api/v1/runbooks/severe", { summary: "second" });
  return world;
}

/** A workspace as the files have it that answers otherwise from then on. */
async function openWith(alteration: Alteration, files: Readonly<Record<string, string>>): Promise<World> {
  const world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...files });
  const first = await applied(world);
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  Object.assign(world.io, answeringIo({ ...world.io }, alteration));
  return world;
}

test.each(CASES)(
  "the files keep what they have, and new files leave it out: %s",
  async (_title, alteration, conflicts) => {
    const world = await opened(alteration);
    const ended = await world.run(pull, { paths: [] });
    expect(ended.exit, ended.stderr).toBe(7);
    for (const conflict of conflicts) expect(ended.stderr).toContain(`conflict: ${conflict}`);
    const texts = await textsOf(world);
    expect(texts.join("\n").replace("summary: second", "summary: first")).toBe(Object.values(FILES).join("\n"));
    expect(texts.join("\n")).toContain("summary: second");
    const next = await planned(world);
    // The type of an attribute cannot be changed back.
    expect(next.exit, next.stdout + next.stderr).toBe(/E_IMMUTABLE/.test(next.stderr) ? 1 : 2);
    const again = await world.run(pull, { paths: [] });
    expect([again.exit, again.stderr]).toEqual([7, ended.stderr]);
    expect(await textsOf(world)).toEqual(texts);

    for (const file of Object.keys(FILES)) await rm(join(world.folder, file));
    const anew = await world.run(pull, { paths: [] });
    expect(anew.exit, anew.stderr).toBe(7);
    expect(anew.stderr).toContain("it references");
    expect(await readFile(join(world.folder, "config/runbooks.yaml"), "utf8")).toContain("summary: second");
    const last = await planned(world);
    expect(last.exit, last.stdout + last.stderr).toBe(0);
  },
);

test("what is new in a file is added without it, also below what is new", async () => {
  const world = await opened(altered({ target_entry_id: GONE, values: [GONE] }));
  const catalog = FILES["config/catalog.yaml"]
    .replace(/ {2}- slug: system\n(?: {4}.*\n)+/, "")
    .replace(/ {2}- \{ slug: affected.*\n/, "");
  await world.write({
    "config/catalog.yaml": catalog,
    "config/runbooks.yaml": "runbooks: []\n",
    "config/forms.yaml": "{}\n",
  });
  const ended = await world.run(pull, { paths: [] });
  expect(ended.exit, ended.stderr).toBe(7);
  expect(ended.stderr).toContain(`conflict: catalog_types/system entries/1/attributes: it references`);
  expect(ended.stderr).toContain(`conflict: runbooks/severe conditions: it references severities/${GONE}`);
  const [, text, , runbooks] = await textsOf(world);
  expect(text).toContain("{ slug: web, name: Web }");
  expect(runbooks).toContain("summary: second");
  const next = await planned(world);
  expect(next.exit, next.stdout + next.stderr).toBe(0);
});

test("a pull of one kind names it too, and leaves what is live, but not pulled, to the plan", async () => {
  const world = await opened(altered({ values: [GONE] }, conditionOn("severity")));
  const narrow = await world.run(pull, { paths: [], target: ["runbooks/severe"] });
  expect(narrow.exit, narrow.stderr).toBe(7);
  expect(narrow.stderr).toContain(`conflict: runbooks/severe conditions: it references severities/${GONE}`);
  expect((await textsOf(world)).join("")).toContain("summary: second");
  await world.write({ "config/lists.yaml": FILES["config/lists.yaml"].replace(/ {2}- \{ slug: low.*\n/, "") });
  await world.write({ "config/runbooks.yaml": "runbooks: []\n" });
  const own = await world.run(pull, { paths: [], kinds: "runbooks" });
  expect(own.exit, own.stderr).toBe(7);
  expect((await textsOf(world)).join("")).toContain("summary: second");
});

test("files that have only what refers to it name it as well", async () => {
  const world = await opened(dropped("high"));
  for (const file of Object.keys(FILES)) await rm(join(world.folder, file));
  await world.write({ "config/runbooks.yaml": FILES["config/runbooks.yaml"] });
  const ended = await world.run(pull, { paths: [] });
  expect(ended.exit, ended.stderr).toBe(7);
  expect(ended.stderr).toContain("conflict: runbooks/severe conditions: it references severities/high, which does not");
  expect(await readFile(join(world.folder, "config/runbooks.yaml"), "utf8")).toBe(
    FILES["config/runbooks.yaml"].replace("summary: first", "summary: second"),
  );
});

describe("a value that needs what a conflict keeps as the files have it stays as well", () => {
  test("of an attribute whose type this program does not know", async () => {
    const world = await openWith(
      altered({ attribute_type: "rating" }, ({ name }) => name === "Level"),
      {
        "config/catalog.yaml": `catalog_types:
  - slug: squad
    name: Squad
    attributes: [{ name: Tier, attribute_type: text }]
    entries: [{ slug: red, name: Red, attributes: { tier: one } }]
`,
      },
    );
    const attributes = ["Tier", "Level"].map((name) => ({ name, attribute_type: "text" }));
    await world.send("PATCH", "/api/v1/catalog/types/squad", { attributes });
    const { entries } = fieldsIn((await world.send("GET", "/api/v1/catalog/types/squad/entries")) as Json);
    const [{ id } = {}] = objectsIn(entries);
    await world.send("PATCH", `/api/v1/catalog/entries/${id}`, {
      name: "Crimson",
      attributes: { tier: "two", level: "high" },
    });
    const ended = await world.run(pull, { paths: [] });
    expect(ended.exit, ended.stderr).toBe(7);
    expect(ended.stderr).toContain(
      "conflict: catalog_types/squad/entries/red attributes: catalog_types/squad stays as the files have it, because of",
    );
    const text = await readFile(join(world.folder, "config/catalog.yaml"), "utf8");
    expect(text).toContain("{ slug: red, name: Crimson, attributes: { tier: one } }");
  });

  test("of a condition on an option that an anchor keeps out", async () => {
    const runbook = "runbooks:\n  - { slug: one, name: One, summary: first, conditions: [] }\n";
    const world = await openWith((body) => body, {
      "config/fields.yaml": `custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: &places [EU] }
  - { slug: zone, name: Zone, field_type: single_select, options: *places }
`,
      "config/runbooks.yaml": runbook,
    });
    await world.send("PATCH", "/api/v1/custom_fields/region", { options: ["US"] });
    const { custom_fields: fields } = fieldsIn((await world.send("GET", "/api/v1/custom_fields")) as Json);
    const options = objectsIn(fields).flatMap((field) => objectsIn(field.options));
    const values = options.flatMap(({ id, label }) => (label === "US" ? [id] : []));
    const conditions = [{ condition_field: "custom_field", custom_field: "region", operator: "one_of", values }];
    await world.send("PATCH", "/api/v1/runbooks/one", { summary: "second", conditions });
    const ended = await world.run(pull, { paths: [] });
    expect(ended.exit, ended.stderr).toBe(7);
    expect(ended.stderr).toContain("conflict: custom_fields/region options: an anchor shares it with other places");
    expect(ended.stderr).toContain(
      "conflict: runbooks/one conditions: custom_fields/region stays as the files have it",
    );
    const text = await readFile(join(world.folder, "config/runbooks.yaml"), "utf8");
    expect(text).toBe(runbook.replace("first", "second"));
  });
});
