import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { impact } from "../../src/app/plan/impact-command.ts";
import type { ImpactOptions } from "../../src/app/plan/impact-definition.ts";
import type { EmulatorOptions } from "../../src/emulator/emulator.ts";
import { type Command, openTestWorld, type World } from "./world.ts";

const before = `severities:
  - { slug: critical, name: Critical }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
forms:
  declare:
    - { custom_field: region }
`;
const required = before.replace("custom_field: region", "custom_field: region, required: true");

/** A world where `before` is applied, these incidents are declared, and the files hold `after`. */
async function prepared(
  after: string,
  incidents: readonly Readonly<Record<string, unknown>>[],
  options: EmulatorOptions = {},
): Promise<World> {
  const world = await openTestWorld({ "config.yaml": before }, options);
  const { exit, stderr } = await world.run(apply, { paths: ["."], yes: true, allowDelete: true });
  expect(exit, stderr).toBe(0);
  const list = (await world.send("GET", "/api/v1/severities")) as { severities: { id: string; slug: string }[] };
  const ids = new Map(list.severities.map(({ slug, id }) => [slug, id]));
  for (const [index, { severity = "major", ...incident }] of incidents.entries()) {
    await world.send("POST", "/api/v1/incidents", {
      idempotency_key: `key ${index}`,
      name: "Card payments of Ada Lovelace fail",
      severity_id: ids.get(String(severity)),
      ...incident,
    });
  }
  await world.write({ "config.yaml": after });
  world.requests.splice(0);
  return world;
}

function asked(world: World, options: Partial<ImpactOptions> = {}) {
  return world.run(impact, { paths: ["."], ...options });
}

const mixed = [
  { source: "datadog", severity: "major" },
  { source: "datadog", severity: "critical", custom_fields: { region: "EU" } },
  { source: "datadog", severity: "minor" },
  { source: "grafana", custom_fields: { region: "US" } },
];

describe("impact", () => {
  test("shows how many declarations of each source would be refused, and why", async () => {
    const world = await prepared(required, mixed);
    const { exit, stdout } = await asked(world);
    expect(exit).toBe(0);
    expect(stdout).toBe(`2 of the last 3 incidents from datadog would be refused: field region is now required

Replayed the last 4 incidents: 2 would be refused because of the plan, and 0 more might be.
`);
  });

  test("sends only GET requests, and prints no text of an incident", async () => {
    const world = await prepared(required, [{ source: "datadog", summary: "Ada called" }, ...mixed]);
    for (const format of ["text", "json"] as const) {
      expect((await asked(world, { format })).stdout).not.toMatch(/Ada|EU|US|INC-/);
    }
    expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(world.requests.length).toBeGreaterThan(5);
  });

  test("does not read again what the plan has read", async () => {
    const world = await prepared(required, mixed);
    expect((await asked(world)).exit).toBe(0);
    expect(world.requests.map(({ url }) => new URL(url).pathname.split("/").slice(3).join("/")).toSorted()).toEqual([
      "custom_fields",
      "forms/declare",
      "incident_types",
      "incidents",
      "severities",
    ]);
  });

  test("prints the same as JSON", async () => {
    const world = await prepared(required, mixed);
    expect(JSON.parse((await asked(world, { format: "json" })).stdout)).toEqual({
      format_version: 1,
      last: 100,
      summary: { incidents: 4, refused: 2, possibly: 0, already: 0 },
      sources: [
        {
          source: "datadog",
          incidents: 3,
          refused: 2,
          possibly: 0,
          already: 0,
          reasons: [
            { code: "required", subject: "region", message: "field region is now required", refused: 2, possibly: 0 },
          ],
        },
        { source: "grafana", incidents: 1, refused: 0, possibly: 0, already: 0, reasons: [] },
      ],
      ranks: [
        { severity: "critical", before: 5, after: 5, incidents: 1 },
        { severity: "major", before: 3, after: 3, incidents: 2 },
        { severity: "minor", before: 1, after: 1, incidents: 1 },
      ],
      routing_changes: false,
    });
  });

  test("shows every rank if one changes, and counts the incidents of a removed severity", async () => {
    const fewer = before.replace("  - { slug: major, name: Major }\n", "  - { slug: grave, name: Grave }\n");
    const world = await prepared(fewer, mixed);
    const { stdout } = await asked(world);
    expect(stdout).toContain(
      "1 of the last 3 incidents from datadog would be refused: severity major is no longer enabled",
    );
    expect(stdout).toContain(`severity  rank before  rank after  recent incidents
critical  5            4           1
grave     -            3           0
major     3            2           2
minor     1            1           1

`);
    expect(stdout).toContain("the only recent incident from grafana would be refused");
  });

  test("replays the newest incidents, at most as many as --last", async () => {
    const many = Array.from({ length: 130 }, (_, at) => ({ source: at < 10 ? "old" : "new" }));
    const world = await prepared(required, many);
    const { stdout } = await asked(world, { last: 120, format: "json" });
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { incidents: 120, refused: 120 },
      sources: [{ source: "new", incidents: 120 }],
    });
  });

  test("refers to the comparison of routing tests if rules change", async () => {
    const rules = "routing_rules:\n  workspace:\n    - { name: all, outcome: { action: drop } }\n";
    const world = await prepared(before + rules, mixed);
    const { stdout } = await asked(world);
    expect(stdout).toContain(
      "incidentctl test --compare . with routing tests, or incidentctl test --alerts FILE . with",
    );
    expect(stdout).toContain("Replayed the last 4 incidents: none would be refused because of the plan.");
  });

  test("exits with 7 with --fail-on-refusals, but only for a certain refusal", async () => {
    const world = await prepared(required, mixed);
    expect((await asked(world, { failOnRefusals: true })).exit).toBe(7);
    await world.write({ "config.yaml": before.replace("[EU, US]", "[{ label: Europe, renamed_from: EU }, US]") });
    const { exit, stdout } = await asked(world, { failOnRefusals: true });
    expect(exit).toBe(0);
    expect(stdout).toContain(
      "1 of the last 3 incidents from datadog might be refused: an option of field region has another label",
    );
  });

  test("exits with 6 and names the permission that the token lacks", async () => {
    const world = await prepared(required, mixed);
    const permissions = Object.fromEntries(
      ["forms", "custom_fields", "severities", "incident_types"].map((resource) => [resource, ["read"]]),
    );
    const made = (await world.send("POST", "/api/v1/api_keys", { name: "Reader", permissions })) as { token: string };
    const limited: Command<ImpactOptions> = (options, io, console) => {
      io.env.INCIDENTCTL_TOKEN = made.token;
      delete io.env.INCIDENTCTL_ADMIN_TOKEN;
      return impact(options, io, console);
    };
    const { exit, stderr } = await world.run(limited, { paths: ["."] });
    expect(exit, stderr).toBe(6);
    expect(stderr).toContain("incidents.read");
  });

  test("says that there are no incidents", async () => {
    const world = await prepared(required, []);
    expect((await asked(world)).stdout).toBe("There are no incidents to replay.\n");
  });

  test("an invalid configuration exits with 1", async () => {
    const world = await prepared(`${before}    - { custom_field: nowhere }\n`, mixed);
    expect((await asked(world)).exit).toBe(1);
  });
});
