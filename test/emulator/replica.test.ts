import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { createReplica } from "../../src/emulator/replica/replica.ts";

const nothing = { rows: {}, incidentCounts: { severities: {}, statuses: {}, choices: {} }, people: [], dialects: {} };

async function get(emulator: Emulator, path: string): Promise<Fields> {
  const headers = { authorization: `Bearer ${emulator.adminToken}` };
  const response = await emulator.fetch(new Request(`http://localhost/api/v1${path}`, { headers }));
  return (await response.json()) as Fields;
}

async function send(emulator: Emulator, method: string, path: string, body: Json): Promise<number> {
  const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
  const request = new Request(`http://localhost/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  return (await emulator.fetch(request)).status;
}

/** The id of a resource with this slug of hexadecimal digits. */
const idOf = (slug: string): string => `00000000-0000-4000-8000-${slug.padStart(12, "0")}`;

const LISTS: readonly (readonly [path: string, list: string])[] = [
  ["/severities?include_disabled=true", "severities"],
  ["/statuses?include_disabled=true", "statuses"],
  ["/incident_types?include_disabled=true", "incident_types"],
  ["/incident_roles?include_disabled=true", "incident_roles"],
  ["/catalog/types", "types"],
  ["/forms/declare", "fields"],
  ["/forms/update", "fields"],
  ["/forms/resolve", "fields"],
  ["/forms/cancel", "fields"],
];

describe("a replica", () => {
  test("responds as the service whose responses it was created from, with the positions of a fresh workspace", async () => {
    const original = createEmulator();
    const lists = await Promise.all(
      LISTS.map(async ([path, list]) => [path.split("?")[0] ?? path, (await get(original, path))[list]] as const),
    );
    const rows = Object.fromEntries(lists) as Record<string, readonly Fields[]>;
    const { emulator, notes } = createReplica({ ...nothing, rows });
    for (const [path, list] of LISTS)
      expect((await get(emulator, path))[list], path).toEqual((await get(original, path))[list]);
    expect(notes).toEqual([]);
    await emulator.close();
    await original.close();
  });

  test("reads conditions with ids and with slugs, and omits those that it cannot resolve", async () => {
    const severity = { id: "00000000-0000-4000-8000-000000000001", slug: "critical", name: "Critical", position: 1 };
    const runbook = (slug: string, condition: Fields) => ({
      id: idOf(slug),
      slug,
      name: slug,
      conditions: [condition],
    });
    const by = (value: string) => ({ condition_field: "severity", operator: "one_of", values: [value] });
    const unknown = { condition_field: "custom_field", operator: "one_of", values: ["EU"] };
    const { emulator, notes } = createReplica({
      ...nothing,
      rows: {
        "/severities": [severity],
        "/runbooks": [runbook("a", by(severity.id)), runbook("b", by("critical")), runbook("c", unknown)],
      },
    });
    const { runbooks } = await get(emulator, "/runbooks");
    expect((runbooks as readonly Fields[]).map(({ conditions }) => conditions)).toEqual([
      [by("critical")],
      [by("critical")],
      [],
    ]);
    expect(notes).toEqual([expect.stringContaining('a condition of the runbook "c" is omitted')]);
    await emulator.close();
  });

  test("gives each custom field the source of its options where the service does not name it", async () => {
    const field = (slug: string, rest: Fields) => ({ id: idOf(slug), slug, name: slug, ...rest });
    const { emulator } = createReplica({
      ...nothing,
      rows: {
        "/catalog/types": [{ id: idOf("f1"), slug: "team", name: "Team", kind: "system" }],
        "/custom_fields": [
          field("a1", { field_type: "text" }),
          field("a2", { field_type: "number" }),
          field("a3", { field_type: "single_select", options: [{ id: idOf("b1"), label: "EU" }] }),
          field("a4", { field_type: "multi_select", catalog_type: "team", options: [{ id: idOf("b2"), label: "EU" }] }),
          field("a5", { field_type: "catalog_reference", catalog_type: "team" }),
        ],
      },
    });
    const { custom_fields } = await get(emulator, "/custom_fields");
    expect((custom_fields as readonly Fields[]).map(({ option_source }) => option_source)).toEqual([
      "none",
      "none",
      "fixed",
      "catalog",
      "catalog",
    ]);
    await emulator.close();
  });

  test("has incidents for every counted reference, and refuses to delete what they reference", async () => {
    const option = (slug: string, position: number) => ({ id: idOf(slug), slug, name: slug, position, enabled: true });
    const stage = (slug: string, position: number) => ({ ...option(slug, position), lifecycle_stage: "active" });
    const { emulator, incidents } = createReplica({
      ...nothing,
      rows: { "/severities": [option("a1", 1), option("a2", 2)], "/statuses": [stage("b1", 1), stage("b2", 2)] },
      incidentCounts: {
        severities: { [idOf("a1")]: 3, [idOf("a2")]: 0 },
        statuses: { [idOf("b1")]: 1, [idOf("b2")]: 2 },
        choices: {},
      },
    });
    expect(incidents).toBe(3);
    expect(await get(emulator, `/incidents?status_id=${idOf("b2")}&per_page=1`)).toMatchObject({
      pagination: { total: 2 },
    });
    expect(await send(emulator, "DELETE", "/severities/a1", {})).toBe(422);
    expect(await send(emulator, "DELETE", "/severities/a2", {})).toBe(204);
    await emulator.close();
  });
});
