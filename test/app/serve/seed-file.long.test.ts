import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { exportedSeed } from "../../../src/app/serve/export-workspace.ts";
import { seedFileSchema } from "../../../src/app/serve/seed-schema.ts";
import { connectTo, seededContent } from "../../../src/app/serve/seeded-content.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import type { WorkspaceContent } from "../../../src/emulator/seeds/seeds.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { answersOf, withNumberedIds } from "../../emulator/seeds/answers.ts";
import { listOf, openTestEmulator, startTime, type TestEmulator } from "../../emulator/test-emulator.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { folder as examples } from "../../support/samples/example-workspace.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-seed-"));
});
afterEach(() => rm(folder, { recursive: true }));

const io = () => ({ cwd: folder, env: { PAGER: "https://example.com/pager" }, now: () => new Date(startTime) });

async function contentOf(text: string): Promise<WorkspaceContent> {
  await writeFile(join(folder, "seed.yaml"), text);
  return seededContent("seed.yaml", io());
}

async function emulatorOf(text: string): Promise<TestEmulator> {
  return openTestEmulator({ content: await contentOf(text) });
}

/** The errors of a seed, as `line:column message`. */
async function errorsOf(text: string): Promise<readonly string[]> {
  const error: unknown = await contentOf(text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InvalidConfiguration)) throw error;
  return error.diagnostics.map(({ at, message }) => `${at?.file}:${at?.line}:${at?.column} ${message}`);
}

/** The list of every kind without a scope, and the forms. */
const configurationPaths = [
  ...kinds.map(({ endpoint }) => endpoint.list.path).filter((path) => !path.includes("{") && path !== "/grants"),
  ...["declare", "update", "resolve", "cancel"].map((slug) => `/forms/${slug}`),
].map((path) => `${path}?include_disabled=true`);

/** The responses about the configuration, without what is new in every run: tokens and the times of their creation. */
async function configurationOf(service: TestEmulator): Promise<Fields> {
  const answers: Record<string, Fields> = {};
  const sources = listOf(await service.send("GET", "/alert_sources"), "alert_sources");
  const types = listOf(await service.send("GET", "/catalog/types"), "types");
  const inner = [
    ...sources.map(({ name }) => `/routing_rules?source=${encodeURIComponent(String(name))}`),
    ...types.map(({ slug }) => `/catalog/types/${slug}/entries?per_page=100`),
  ];
  for (const path of [...configurationPaths, ...inner]) answers[path] = (await service.send("GET", path)).body;
  const own = ["prefix", "tokens", "created_at", "last_used_at", "updated_at"];
  return JSON.parse(JSON.stringify(answers), (name, value) => (own.includes(name) ? undefined : value));
}

/** The responses with lists in the order of their names: their order is that of creation, or they have a position. */
function comparable(answers: Fields): Fields {
  const nameOf = (item: unknown): string => {
    const { slug, name, priority, title } = item as Fields;
    return JSON.stringify([slug, name, priority, title]);
  };
  const sorted = (value: unknown): unknown =>
    isList(value as Json) && (value as readonly unknown[]).every((item) => isFields(item as Json))
      ? (value as readonly unknown[]).toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
      : value;
  return JSON.parse(JSON.stringify(answers, (_name, value) => sorted(inRankOrder(value))));
}

/**
 * A list whose ranks are their order: a seed holds no rank, and the service first derives it when a severity is created or moved. The built-in
 * ones have others.
 */
function inRankOrder(value: unknown): unknown {
  const ranks = isList(value as Json) ? (value as readonly Fields[]).flatMap((item) => item?.rank ?? []) : [];
  if (ranks.length === 0) return value;
  const order = [...new Set(ranks)].sort((left, right) => Number(left) - Number(right));
  return (value as readonly Fields[]).map((item) => ({ ...item, rank: order.indexOf(item.rank ?? null) }));
}

describe("a seed file", () => {
  test("applies its configuration, and loads people and incidents that name it", async () => {
    const service = await emulatorOf(`version: 1
configuration:
  severities:
    - { slug: sev1, name: SEV 1 }
    - { slug: sev2, name: SEV 2, default: true }
  custom_fields:
    - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
  agents:
    - { slug: scribe, name: Scribe }
people:
  - { name: Mei, email: mei@example.com, chat_user_id: U9 }
incidents:
  - name: Slow
    severity: sev1
    custom_fields: { region: US }
    declared_by: { type: agent, name: Scribe }
    lead: mei@example.com
`);
    const [incident] = listOf(await service.send("GET", "/incidents"), "incidents");
    expect(incident).toMatchObject({
      severity: { slug: "sev1", rank: 2 },
      custom_fields: { region: "US" },
      declared_by: { type: "agent", name: "Scribe", id: listOf(await service.send("GET", "/agents"), "agents")[0]?.id },
      lead: { email: "mei@example.com" },
    });
    await service.close();
  });

  test("names a directory or files of the configuration, with values of the environment", async () => {
    await writeFile(join(folder, "hooks.yaml"), `webhooks:\n  - { name: Pager, url: "\${env:PAGER}" }\n`);
    const service = await emulatorOf("version: 1\nconfiguration: hooks.yaml\n");
    expect(listOf(await service.send("GET", "/webhooks"), "webhooks")).toMatchObject([
      { name: "Pager", url: "https://example.com/pager" },
    ]);
    await service.close();
  });

  test("gives the same ids in every run", async () => {
    const text = `version: 1\nconfiguration: ${JSON.stringify(examples)}\nincidents: [{ name: A, severity: critical }]\n`;
    const [first, second] = [await contentOf(text), await contentOf(text)];
    expect(Object.keys(first).length).toBeGreaterThan(20);
    const ids = (content: WorkspaceContent) => {
      const { tokens: _tokens, ...tables } = content;
      return Object.entries(tables).map(([table, rows]) => [table, rows.map(({ id }) => id)]);
    };
    expect(ids(second)).toEqual(ids(first));
  });

  test("of the documentation has an incident, and a month of an incident an hour", async () => {
    const page = await readFile(new URL("../../../docs/emulator.md", import.meta.url), "utf8");
    const [, seed = ""] = /^```yaml\n(version: 1\n.*?)^```$/ms.exec(page) ?? [];
    const service = await emulatorOf(seed);
    const page1 = await service.send("GET", "/incidents?lifecycle_stage=closed&per_page=1");
    expect(page1.body).toMatchObject({ pagination: { total: 721 }, incidents: [{ name: "Slow search 720" }] });
    await service.close();
  });

  test.each<readonly [string, string, readonly string[]]>([
    ["no version", "incidents: []\n", ["seed.yaml:1:1 version must be 1"]],
    ["another version", "version: 2\n", ["seed.yaml:1:10 version must be 1"]],
    ["another base", "version: 1\nbase: full\n", ["seed.yaml:2:7 base must be default or bare"]],
    ["a list", "- version: 1\n", ["seed.yaml:1:1 a seed is a mapping that begins with version: 1"]],
    ["broken YAML", "version: 1\nincidents: [\n", []],
    [
      "an unknown key",
      "version: 1\nincident: []\n",
      ["seed.yaml:2:11 incident is unknown; allowed: workspace, alert_sources, people, incidents, scenarios"],
    ],
    [
      "an unknown key in an incident",
      "version: 1\nincidents:\n  - name: A\n    severity: minor\n    sevrity: major\n",
      ["seed.yaml:5:14 incidents[0].sevrity is unknown; allowed: identifier, name"],
    ],
    ["a missing key", "version: 1\nincidents:\n  - name: A\n", ["seed.yaml:3:5 incidents[0].severity is missing"]],
    ["a wrong type", "version: 1\npeople:\n  - 5\n", ["seed.yaml:3:5 people[0] must be an object"]],
    [
      "a name of nobody",
      "version: 1\nincidents:\n  - { name: A, severity: minor, lead: x }\n",
      ["seed.yaml:3:39 incidents[0].lead names nobody of the workspace"],
    ],
    [
      "an error of the configuration",
      "version: 1\nincidents: []\nconfiguration:\n  # ours\n  severities:\n    - { slug: a, nam: A }\n",
      ['seed.yaml:6:18 the severity has no field "nam"'],
    ],
    [
      "an error in a flow mapping",
      "version: 1\nconfiguration: { severities: [{ slug: a, nam: A }] }\n",
      ['seed.yaml:2:42 the severity has no field "nam"'],
    ],
    [
      "a configuration that is no path",
      "version: 1\nconfiguration: [5]\n",
      ["seed.yaml:2:17 configuration must be a mapping, a path or a list of paths"],
    ],
  ])("with %s has its place", async (_title, text, expected) => {
    const errors = await errorsOf(text);
    expect(errors.length).toBeGreaterThan(0);
    for (const [at, message] of expected.entries()) expect(errors[at]).toContain(message);
    expect(errors.every((error) => /^seed\.yaml:\d+:\d+ /.test(error))).toBe(true);
  });
});

describe("an exported seed", () => {
  /** Exports the emulator, seeds another one with it, and compares all responses. Returns the seed. */
  async function expectRoundTrip(service: TestEmulator): Promise<string> {
    const { text, omitted } = await exportedSeed(connectTo(service.emulator), {
      ...(service.emulator.seeds.export() as Fields),
    });
    expect(omitted).toEqual([]);
    const first = await emulatorOf(text);
    expect(comparable(await configurationOf(first))).toEqual(comparable(await configurationOf(service)));
    expect(withNumberedIds(await answersOf(first))).toEqual(withNumberedIds(await answersOf(service)));
    const again = await exportedSeed(connectTo(first.emulator), { ...(first.emulator.seeds.export() as Fields) });
    expect(again.text).toBe(text);
    const copy = await emulatorOf(again.text);
    expect(await configurationOf(copy)).toEqual(await configurationOf(first));
    expect(await answersOf(copy)).toEqual(await answersOf(first));
    await first.close();
    await copy.close();
    return text;
  }

  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({ ...seedFileSchema() });

  test("of the example configuration and the example workspace gives the same responses, and matches the schema", async () => {
    const service = await emulatorOf(`version: 1\nconfiguration: ${JSON.stringify(examples)}\n`);
    const example = await openTestEmulator({ seed: true });
    const { alert_sources: _sources, ...data } = example.emulator.seeds.export();
    const names = { critical: "critical", major: "major", minor: "minor" };
    const incidents = (data.incidents ?? []).map(
      ({ type: _type, runbooks: _runbooks, custom_fields: _fields, ...incident }) => incident,
    );
    expect(incidents.every(({ severity }) => Object.hasOwn(names, severity))).toBe(true);
    service.emulator.seeds.load({ ...(data as Fields), incidents: incidents as unknown as Fields[] });
    const text = await expectRoundTrip(service);
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
    await example.close();
    await service.close();
  });

  test("of built-in severities that nobody has moved gives the same responses", async () => {
    const severities = [{ slug: "critical", default: true }, { slug: "major" }, { slug: "minor" }];
    const statuses = [
      { slug: "fresh", name: "Fresh", lifecycle_stage: "triage", default: true },
      { slug: "investigating", name: "Investigating", lifecycle_stage: "active" },
      { slug: "closed", name: "Closed", lifecycle_stage: "closed" },
      { slug: "canceled", name: "Canceled", lifecycle_stage: "canceled" },
    ];
    const service = await emulatorOf(`version: 1\nconfiguration: ${await written({ severities, statuses })}\n`);
    await expectRoundTrip(service);
    await service.close();
  });

  test("of any configuration gives the same responses", async () => {
    const property = fc.asyncProperty(configuration, async (fields) => {
      const service = await emulatorOf(
        `version: 1\nconfiguration: config.yaml\n`.replace("config.yaml", await written(fields)),
      );
      await expectRoundTrip(service);
      await service.close();
    });
    await fc.assert(property, { numRuns: sampleSize(60) });
  }, 300_000);

  async function written(fields: Fields): Promise<string> {
    await writeFile(join(folder, "config.yaml"), JSON.stringify(fields));
    return "config.yaml";
  }
});
