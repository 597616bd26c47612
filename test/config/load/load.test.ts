import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/config/resources/configuration.ts";
import { locationOf, startOf } from "../../../src/config/resources/origins.ts";
import { brief, findings, inDirectory, loadDirectory, loaded } from "../loading.ts";

const addresses = (declared: readonly { readonly address: string }[]): readonly string[] =>
  declared.map(({ address }) => address);

describe("the declared resources", () => {
  it("come in file order, nested ones after their parent", async () => {
    const { declared, managed } = await loaded(`
catalog_types:
  - slug: team
    entries: [{slug: a}, {slug: b}]
  - slug: office
forms:
  resolve: []
  declare: [{system_field: summary}, {custom_field: region}]
routing_rules:
  sources:
    Datadog: [{outcome: {action: drop}}]
  workspace: []
agents:
  - slug: bot
    grants: [{ability: runbooks.read}, {permission_set: on-call}]
`);
    expect(addresses(declared)).toEqual([
      "catalog_types/team",
      "catalog_types/team/entries/a",
      "catalog_types/team/entries/b",
      "catalog_types/office",
      "forms/declare/summary",
      "forms/declare/region",
      "routing_rules/Datadog/1",
      "agents/bot",
      "agents/bot/grants/runbooks.read",
      "agents/bot/grants/on-call",
    ]);
    expect(managed).toEqual([
      { kind: "catalog_types", scope: "" },
      { kind: "catalog_entries", scope: "team" },
      { kind: "forms", scope: "resolve" },
      { kind: "forms", scope: "declare" },
      { kind: "routing_rules", scope: "Datadog" },
      { kind: "routing_rules", scope: "" },
      { kind: "agents", scope: "" },
      { kind: "grants", scope: "bot" },
    ]);
    expect(declared.map(({ keyField }) => keyField)).toEqual([
      "slug",
      "slug",
      "slug",
      "slug",
      "system_field",
      "custom_field",
      "",
      "slug",
      "ability",
      "permission_set",
    ]);
  });

  it("have their fields without pins, lifecycle keys and nested lists, and with those in extra", async () => {
    const { declared } = await loaded(`
webhooks:
  - name: hook
    id: w1
    url: https://a.example
    renamed_from: old hook
    protected: true
    extra: {signing: v2}
catalog_types:
  - {slug: team, name: Team, entries: []}
`);
    expect(declared[0]).toMatchObject({
      fields: { name: "hook", url: "https://a.example", signing: "v2" },
      extra: ["signing"],
      pin: "w1",
      renamedFrom: "old hook",
      protected: true,
    });
    expect(Object.keys(declared[0]?.fields ?? {})).toEqual(["name", "url", "signing"]);
    expect(Object.keys(declared[1]?.fields ?? {})).toEqual(["slug", "name"]);
    expect(declared[1]).toMatchObject({ extra: [], protected: false });
  });

  it("of a kind in several files are joined in path order, with continuous ranks", async () => {
    const { declared, managed } = await loaded({
      "b.yaml": "severities: [{slug: two}]\nrouting_rules: {workspace: [{outcome: {action: drop}}]}\n",
      "a/z.yml": "severities: [{slug: one}]\nrouting_rules: {workspace: [{name: first, outcome: {action: drop}}]}\n",
      "c.yaml": "severities: []\n",
    });
    expect(addresses(declared)).toEqual([
      "severities/one",
      "routing_rules/workspace/1",
      "severities/two",
      "routing_rules/workspace/2",
    ]);
    expect(managed).toEqual([
      { kind: "severities", scope: "" },
      { kind: "routing_rules", scope: "" },
    ]);
  });

  it("have positions for the resource, each field and each part of a field", async () => {
    const { declared } = await loaded(
      "severities:\n  - slug: a\n    name: A\n    extra:\n      x:\n        - 1\n        - two\n",
    );
    const [entry] = declared;
    expect(entry && startOf(entry)).toEqual({ file: "a.yaml", line: 2, column: 5 });
    expect(entry && locationOf(entry.origins, "/name")).toEqual({ file: "a.yaml", line: 3, column: 11, length: 1 });
    expect(entry && locationOf(entry.origins, "/x/1")).toEqual({ file: "a.yaml", line: 7, column: 11, length: 3 });
    expect(entry && locationOf(entry.origins, "/nowhere/at/all")).toMatchObject({ line: 2, column: 5 });
  });

  it("may use an anchor of the same file, and have its positions", async () => {
    const { declared } = await loaded(`
runbooks:
  - slug: a
    conditions: &when [{condition_field: severity, operator: one_of, values: [sev1]}]
  - slug: b
    conditions: *when
`);
    expect(declared[1]?.fields.conditions).toEqual(declared[0]?.fields.conditions);
    const [first, second] = declared.map(({ origins }) => locationOf(origins, "/conditions"));
    expect(second).toEqual(first);
  });

  it("may have the same name if their pins differ", async () => {
    expect(await findings("webhooks: [{name: a, id: x}, {name: a, id: y}, {name: a}]\n")).toEqual([]);
    expect((await findings("webhooks: [{name: a, id: x}, {name: b, id: x}]\n")).map(brief)).toEqual([
      "a.yaml:1:37 E_DUP_OBJECT",
    ]);
    expect((await findings("webhooks: [{name: a}, {name: a}]\n")).map(brief)).toEqual(["a.yaml:1:30 E_DUP_OBJECT"]);
  });
});

describe("a managed list", () => {
  it.each([
    ["a kind that is left out is not", "statuses: []\n", [{ kind: "statuses", scope: "" }]],
    ["an empty mapping of scopes manages none", "severities: []\nforms: {}\n", [{ kind: "severities", scope: "" }]],
    ["entries that are left out are not", "catalog_types: [{slug: team}]\n", [{ kind: "catalog_types", scope: "" }]],
    [
      "an empty list of entries is",
      "catalog_types: [{slug: team, entries: []}]\n",
      [
        { kind: "catalog_types", scope: "" },
        { kind: "catalog_entries", scope: "team" },
      ],
    ],
  ])("%s", async (_title, text, managed) => {
    expect((await loaded(text)).managed).toEqual(managed);
  });
});

describe("References", () => {
  it.each([
    ["an unmanaged kind may be mentioned", "forms: {declare: [{custom_field: region}]}\n"],
    [
      "a built-in catalog type need not be declared",
      "catalog_types: []\ncustom_fields: [{slug: a, catalog_type: team}]\n",
    ],
    [
      "entries of a type that are not managed may be mentioned",
      "catalog_types: [{slug: team}]\nrouting_rules: {workspace: [{outcome: {action: notify_only, notify: {type: team, team: x}}}]}\n",
    ],
    [
      "a renamed option is mentioned by its new label",
      "custom_fields: [{slug: a, options: [{label: B, renamed_from: A}]}]\nrunbooks: [{slug: r, conditions: [{condition_field: custom_field, custom_field: a, operator: one_of, values: [B]}]}]\n",
    ],
  ])("%s", async (_title, text) => {
    expect(await findings(text)).toEqual([]);
  });

  it("are not checked while a file cannot be read, since it may declare the targets", async () => {
    const found = await findings({
      "a.yaml": "severities: []\nrouting_rules: {workspace: [{outcome: {action: drop, severity: a}}]}\n",
      "b.yaml": "severities: [\n",
    });
    expect(found.map(brief)).toEqual(["b.yaml:1:13 E_SYNTAX"]);
  });
});

describe("The digest", () => {
  const files = { "a.yaml": `severities: [{slug: a, name: "\${env:NAME}"}]\n`, "b.yaml": "statuses: []\n" };

  it("is the same for the same files, in any folder and with any environment", async () => {
    const first = await loaded(files, { env: { NAME: "one" } });
    const second = await loaded(files, { env: { NAME: "two" } });
    expect(first.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(second.digest).toBe(first.digest);
  });

  it.each([
    ["a byte", { ...files, "b.yaml": "statuses: [] \n" }],
    ["a name", { "a.yaml": files["a.yaml"], "c.yaml": files["b.yaml"] }],
    ["what is put in", { ...files, "a.yaml": `severities: [{slug: a, name: "\${env:USER}"}]\n` }],
    ["the settings", { ...files, "incidentctl.yaml": "version: 1\n" }],
  ])("differs when %s differs", async (_what, other) => {
    const env = { NAME: "one", USER: "one" };
    expect((await loaded(other, { env })).digest).not.toBe((await loaded(files, { env })).digest);
  });

  it("covers files that are put into texts", async () => {
    const text = `runbooks: [{slug: a, content: "\${file:a.md}"}]\n`;
    const first = await loaded({ "a.yaml": text, "a.md": "one" });
    const second = await loaded({ "a.yaml": text, "a.md": "two" });
    expect(second.digest).not.toBe(first.digest);
  });
});

it("reports all errors, in the order of files and lines", async () => {
  const found = await findings({
    "b.yaml": "statuses:\n  - {slug: A}\n  - {slug: b, nmae: B}\n",
    "a.yaml": "severities:\n  - {slug: a, color: 1}\n  - {slug: a}\nforms: null\n",
  });
  expect(found.map(brief)).toEqual([
    "a.yaml:2:22 E_TYPE",
    "a.yaml:3:12 E_DUP_OBJECT",
    "a.yaml:4:1 E_NULL",
    "b.yaml:2:12 E_SLUG",
    "b.yaml:3:15 E_UNKNOWN_KEY",
  ]);
});

it("gives the lines of the files for frames", async () => {
  await inDirectory({ "a.yaml": "severities: []\r\n# end\n" }, async (directory) => {
    const configuration = await loadDirectory(directory);
    expect(linesOf(configuration, "a.yaml")).toEqual(["severities: []", "# end", ""]);
    expect(linesOf(configuration, "b.yaml")).toBeUndefined();
  });
});
