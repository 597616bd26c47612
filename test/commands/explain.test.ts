import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { explain } from "../../src/app/files/explain-command.ts";
import type { ExplainOptions } from "../../src/app/files/explain-definition.ts";
import { explain as explainNames } from "../../src/config/resources/schema-docs.ts";
import { resourceSchema, workspaceSchema } from "../../src/config/schema/schema.ts";
import { settingsSchema } from "../../src/config/schema/settings-schema.ts";
import { type Fields, fieldsIn, isFields, type Json, listIn, stepsOf, valueAt } from "../../src/core/json.ts";
import { kinds } from "../../src/kinds/index.ts";
import { rules } from "../../src/plan/analyze/index.ts";
import { type Ended, openWorld, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld({
    "incidentctl.yaml":
      "config: [config/]\nvars: {what: Money is wrong}\nenvironments: {staging: {overlays: [envs/s.yaml]}}\n",
    "config/a.yaml": `severities:
  - slug: critical
    name: Critical
    description: \${var:what}
webhooks:
  - {name: hook, id: w1, url: "\${env:HOOK_URL}", subscribed_events: [incident.created], extra: {deep: {er: [{x: 1}]}}}
  - {name: gone, url: "https://a.example"}
`,
    "envs/s.yaml": `severities:
  - slug: critical
    color: "#000000"
webhooks:
  - {name: gone, $remove: true}
`,
  });
  world.io.env.HOOK_URL = "https://hooks.example/hush";
});
afterEach(() => world.close());

/** The names that lead to each part of a schema, with its descriptions there. Names that anything may have are left out. */
function pathsOf(whole: Fields): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = new Map<string, Set<string>>();
  const walk = (given: Json | undefined, path: readonly string[], seen: readonly string[], said?: string): void => {
    if (!isFields(given)) return;
    if (typeof given.description === "string" && said === undefined) paths.get(path.join("."))?.add(given.description);
    const { $ref: target } = given;
    if (typeof target === "string") {
      if (seen.includes(target)) return;
      const description = typeof given.description === "string" ? given.description : undefined;
      walk(valueAt(whole, stepsOf(target.slice(1))), path, [...seen, target], description);
    }
    for (const [name, below] of Object.entries(fieldsIn(given.properties))) {
      const own = [...path, name];
      if (!paths.has(own.join("."))) paths.set(own.join("."), new Set());
      walk(below, own, seen);
    }
    for (const below of [given.oneOf, given.anyOf, given.allOf].flatMap(listIn)) walk(below, path, seen);
    for (const below of [given.items, given.additionalProperties]) walk(below, path, seen);
  };
  walk(whole, [], []);
  return paths;
}

function explained(words: string, options: Partial<ExplainOptions> = {}): Promise<Ended> {
  return world.run(explain, { subjects: words === "" ? [] : words.split(" "), ...options });
}

test.each([
  ["rules", "routing_rules"],
  ["role.name", "incident_roles.name"],
  ["source", "alert_sources"],
  ["entry", "catalog_entries"],
])("understands a last word that no other kind has: %s", async (word, name) => {
  expect(await explained(word)).toMatchObject({ exit: 0, stdout: expect.stringMatching(`^${name} `) });
});

test("and asks which kind a last word of several means", async () => {
  expect(await explained("types")).toMatchObject({ exit: 64, stdout: "" });
});

test.each(["A010", "a098"])("explains an analyzer by its id: %s", async (id) => {
  const { exit, stdout } = await explained(id);
  const rule = rules.find((one) => one.id === id.toUpperCase());
  expect([exit, stdout.replaceAll(/\s+/g, " ")]).toEqual([0, expect.stringContaining(rule?.why ?? "no such rule")]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`Fix: ${rule?.fix}`);
});

test("explain alone lists the kinds", async () => {
  const { exit, stdout } = await explained("");
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^ {2}api_keys +service key$/m);
  const listed = JSON.parse((await explained("", { format: "json" })).stdout).kinds;
  expect(listed).toHaveLength(kinds.length);
});

describe("explain KIND[.field]", () => {
  it.each(kinds.map(({ name }) => [name]))("knows %s, every field of it, and an example", async (name) => {
    const { exit, stdout } = await explained(name, { format: "json" });
    expect(exit).toBe(0);
    const meaning = JSON.parse(stdout);
    expect(meaning).toMatchObject({ name, description: expect.stringMatching(/\.$/), example: expect.any(String) });
    const kind = kinds.find((one) => one.name === name);
    const properties = kind === undefined ? undefined : resourceSchema(kind).part.properties;
    expect(meaning.fields.map((field: { name: string }) => field.name)).toEqual(
      Object.keys(isFields(properties) ? properties : {}),
    );
    for (const field of meaning.fields) {
      expect(field).toEqual({
        name: field.name,
        type: expect.stringMatching(/./),
        description: expect.stringMatching(/\.$/),
      });
      expect((await explained(`${name}.${field.name}`)).exit).toBe(0);
    }
  });

  it("says what a kind is known by, and what may mention it", async () => {
    const { stdout } = await explained("severities");
    expect(stdout).toContain("A resource is identified by its slug.");
    expect(stdout).toContain("The order of the list is the order in the service.");
    const referrers = kinds.filter(({ references }) => references?.dependsOn?.includes("severities"));
    expect(stdout).toContain(`Referenced by: ${referrers.map(({ name }) => name).join(", ")}.`);
    expect(stdout).toContain("Example:\n  - slug: critical\n    name: Critical\n");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  it("goes into lists, and gives values and an example", async () => {
    expect((await explained("custom_fields.options.label")).stdout).toContain("Example:\n  label: North America");
    expect((await explained("forms.conditions.operator")).stdout).toContain("Values:\n  one_of, not_one_of");
  });

  it("takes the name of a kind in the singular too", async () => {
    expect(await explained("severity.color")).toEqual(await explained("severities.color"));
  });

  it.each([
    ["settings", "limits "],
    ["settings.limits", "max_removals "],
    ["limits.max_removals", "Default: 30%"],
    ["removal", "For severities."],
    ["environments.staging.base_url", "Tokens are sent nowhere else."],
  ])("explains the settings: %s", async (words, said) => {
    const { exit, stdout } = await explained(words);
    expect(exit).toBe(0);
    expect(stdout).toContain(said);
  });

  it("knows every path of the schemas, with the sentence that the schema has for it", async () => {
    const paths = [...pathsOf(workspaceSchema(kinds)), ...pathsOf(settingsSchema(kinds))];
    expect(paths.length).toBeGreaterThan(300);
    const wrong: string[] = [];
    for (const [path, described] of paths) {
      const meaning = explainNames(kinds, path.split("."));
      if (
        "unknown" in meaning ||
        (described.size > 0 && ![...described].some((text) => text.startsWith(meaning.description)))
      )
        wrong.push(path);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ["forms.declare", "forms.declare  list\n"],
    ["forms.declare.visible", "true or false"],
    ["routing_rules.workspace.outcome", "action "],
    ["routing_rules.sources", "routing_rules.sources  list"],
    ["routing_rules.sources.Datadog.outcome.action", "Values:"],
    ["catalog_entries.service.name", "catalog_entries.service.name"],
    ["environments.base_url", "Tokens are sent nowhere else."],
  ])("knows the lists of a kind, and names that anything may have: %s", async (words, said) => {
    const { exit, stdout, stderr } = await explained(words);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain(said);
  });

  it("says what to write instead of a read-only field", async () => {
    expect((await explained("severities.position")).stdout).toContain(
      "The order of the list is the order in the service.",
    );
  });

  it.each([
    ["severities/critical", "run incidentctl explain --origin severities/critical"],
    ["severitie", 'did you mean "severities"?'],
    ["severities.colr", 'did you mean "color"?'],
    ["settings.limit", 'did you mean "limits"?'],
    ["limit", 'did you mean "limits"?'],
    ["severities.name.x", "it has no fields"],
    ["severities statuses", "one KIND or KIND.field"],
    ["severities.", "there is no"],
  ])("refuses %j", async (words, said) => {
    const { exit, stdout, stderr } = await explained(words);
    expect({ exit, stdout }).toEqual({ exit: 64, stdout: "" });
    expect(stderr).toContain(said);
  });
});

describe("explain --origin", () => {
  it("shows the file and line of each value, and its substitutions", async () => {
    expect((await explained("", { origin: "severities/critical" })).stdout).toBe(
      `severities/critical
  slug         "critical"        config/a.yaml:2:11
  name         "Critical"        config/a.yaml:3:11
  description  "Money is wrong"  config/a.yaml:4:18  from \${var:what}
`,
    );
  });

  it("shows the values of an overlay", async () => {
    const { stdout } = await explained("", { origin: "severities/critical", env: "staging" });
    expect(stdout).toContain('color        "#000000"         envs/s.yaml:3:12    overlay');
  });

  it("shows nested values, pins and extra fields, and hides values from the environment", async () => {
    const { stdout } = await explained("", { origin: "webhooks/hook", format: "json" });
    expect(stdout).not.toContain("hush");
    const { values } = JSON.parse(stdout);
    expect(values.map(({ path, value }: { path: string; value: unknown }) => [path, value])).toEqual([
      ["/name", "hook"],
      ["/url", null],
      ["/subscribed_events", ["incident.created"]],
      ["/extra/deep/er/0/x", 1],
      ["/id", "w1"],
    ]);
    expect((await explained("", { origin: "webhooks/hook" })).stdout).toContain("url                (secret)");
  });

  it.each([
    ["severities/critica", 'did you mean "severities/critical"?', undefined],
    ["webhooks/gone", "an overlay removes webhooks/gone: envs/s.yaml:5:5", "staging"],
  ])("refuses %s, which is not declared", async (origin, said, env) => {
    const { exit, stdout, stderr } = await explained("", { origin, ...(env === undefined ? {} : { env }) });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain(said);
  });
});
