import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields, type Json } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { type ConditionRow, conditionsHold } from "../../../../src/emulator/modules/forms/conditions.ts";
import { errorOf, type JsonResponse, listResources, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator();
});
afterEach(() => emulator.close());

function withDialects(dialects: Partial<Dialects>): void {
  emulator.close();
  emulator = createEmulator({ dialects });
}

/** Creates a runbook with one condition. Runbook conditions can read every field. */
function create(condition: Fields): Promise<JsonResponse> {
  return send(emulator, "POST", "/runbooks", { name: "Failover", conditions: [condition] });
}

function readBack({ body }: JsonResponse): Json {
  return isFields(body.runbook) ? (body.runbook.conditions ?? null) : null;
}

const severity = { condition_field: "severity", operator: "one_of", values: ["major"] };

describe("values", () => {
  test("are named by slug or by id, without duplicates", async () => {
    const [critical] = await listResources(emulator, "/severities");
    const response = await create({ ...severity, values: ["major", critical?.id ?? null, "critical"] });
    expect(readBack(response)).toEqual([{ ...severity, values: ["major", "critical"] }]);
  });

  test("name enabled entries only, but a condition keeps an entry that is disabled later", async () => {
    const remaining = await create(severity);
    expect(remaining.status).toBe(201);
    await send(emulator, "PATCH", "/severities/major", { enabled: false });
    expect(readBack(await send(emulator, "GET", "/runbooks/failover"))).toEqual([severity]);
    const resent = await send(emulator, "PATCH", "/runbooks/failover", { conditions: [severity] });
    expect(resent.status).toBe(422);
  });

  test("of a field of the catalog are entries by slug", async () => {
    await send(emulator, "POST", "/catalog/types/service/entries", { name: "Web Shop" });
    const field = { name: "Service", field_type: "catalog_reference", option_source: "catalog" };
    await send(emulator, "POST", "/custom_fields", { ...field, catalog_type: "service" });
    const condition = { condition_field: "custom_field", operator: "one_of", values: ["web_shop"] };
    const response = await create({ ...condition, custom_field: "service" });
    expect(readBack(response)).toEqual([{ ...condition, custom_field: "service" }]);
    const [type] = (await listResources(emulator, "/catalog/types")).filter(({ slug }) => slug === "service");
    const [entry] = await listResources(emulator, "/catalog/types/service/entries");
    expect(entry?.catalog_type_id).toBe(type?.id);
    const deletion = await send(emulator, "DELETE", `/catalog/entries/${entry?.id}`);
    expect(errorOf(deletion).message).toContain("in use by 1 runbook condition(s)");
  });
});

describe("Disabled entries, rule 3", () => {
  const type = { condition_field: "incident_type", operator: "one_of", values: ["data_issue"] };

  test("under delete_guard: any, an entry that a condition names cannot be deleted", async () => {
    await create(severity);
    await send(emulator, "PATCH", "/forms/declare", { system_field: "summary", conditions: [severity, type] });
    const refused = await send(emulator, "DELETE", "/severities/major");
    expect(errorOf(refused).message).toBe(
      "Major is in use by 2 references (1 form condition(s), 1 runbook condition(s)) and cannot be deleted. Disable it instead.",
    );
    expect((await send(emulator, "DELETE", "/incident_types/data_issue")).status).toBe(422);
    await send(emulator, "PATCH", "/forms/declare", { system_field: "summary", conditions: [] });
    expect((await send(emulator, "DELETE", "/incident_types/data_issue")).status).toBe(204);
    await send(emulator, "DELETE", "/runbooks/failover");
    expect((await send(emulator, "DELETE", "/severities/major")).status).toBe(204);
  });

  test("under delete_guard: incidents, deleting it leaves the id in the condition", async () => {
    withDialects({ delete_guard: "incidents" });
    const major = (await listResources(emulator, "/severities")).find(({ slug }) => slug === "major");
    await create(severity);
    expect((await send(emulator, "DELETE", "/severities/major")).status).toBe(204);
    expect(readBack(await send(emulator, "GET", "/runbooks/failover"))).toEqual([{ ...severity, values: [major?.id] }]);
  });
});

describe("conditions hold", () => {
  const row: ConditionRow = {
    id: "1",
    owner: "runbook",
    owner_id: "r",
    position: 1,
    condition_field: "severity",
    operator: "one_of",
    custom_field_id: null,
    values: ["a", "b"],
  };
  const custom: ConditionRow = { ...row, condition_field: "custom_field", custom_field_id: "f" };
  const answers = { severity_id: "a", incident_type_id: null, chosenIds: new Map([["f", ["x", "b"]]]) };

  test.each<[string, readonly ConditionRow[], boolean]>([
    ["no condition", [], true],
    ["one_of a value given", [row], true],
    ["one_of other values", [{ ...row, values: ["c"] }], false],
    ["not_one_of a value given", [{ ...row, operator: "not_one_of" }], false],
    ["one_of what is not answered", [{ ...row, condition_field: "incident_type" }], false],
    ["not_one_of what is not answered", [{ ...row, condition_field: "incident_type", operator: "not_one_of" }], true],
    ["one_of with one of several choices", [custom], true],
    ["not_one_of with one of several choices", [{ ...custom, operator: "not_one_of" }], false],
    ["one_of a field without an answer", [{ ...custom, custom_field_id: "g" }], false],
    ["several, of which one does not hold", [row, { ...row, values: ["c"] }], false],
  ])("%s", (_case, conditions, holds) => {
    expect(conditionsHold(conditions, answers)).toBe(holds);
  });
});
