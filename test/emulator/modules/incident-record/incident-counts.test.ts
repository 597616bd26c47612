import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Fields, isFields } from "../../../../src/core/json.ts";
import { createEmulator } from "../../../../src/emulator/emulator.ts";
import { Database } from "../../../../src/emulator/store/database.ts";
import { sampleSize } from "../../../support/samples/sample-size.ts";
import { send } from "../../client.ts";
import { listOf, openTestEmulator, type TestEmulator } from "../../test-emulator.ts";

const severities = ["critical", "major", "minor"];
const statuses = ["triaging", "investigating", "identified", "resolved", "canceled"];
const stages = ["triage", "active", "closed", "canceled"];

/** One change of the workspace: a declaration, a change of the incident with this number, or another stage of a status. */
type Change =
  | { readonly type: "declare"; readonly severity: string; readonly status: string }
  | { readonly type: "change"; readonly at: number; readonly severity?: string; readonly status?: string }
  | { readonly type: "move"; readonly status: string; readonly stage: string };

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("declare"),
      severity: fc.constantFrom(...severities),
      status: fc.constantFrom(...statuses),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        type: fc.constant("change"),
        at: fc.nat(),
        severity: fc.constantFrom(...severities),
        status: fc.constantFrom(...statuses),
      },
      { requiredKeys: ["type", "at"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("move"),
      status: fc.constantFrom(...statuses),
      stage: fc.constantFrom(...stages),
    }),
  },
);

async function apply(service: TestEmulator, made: Change, ids: string[]): Promise<void> {
  if (made.type === "move") {
    await service.send("PATCH", `/statuses/${made.status}`, { lifecycle_stage: made.stage });
    return;
  }
  const severity_id = made.severity === undefined ? {} : { severity_id: await service.id("severities", made.severity) };
  const status_id = made.status === undefined ? {} : { status_id: await service.id("statuses", made.status) };
  if (made.type === "declare") ids.push(String((await service.declare({ ...severity_id, ...status_id })).id));
  // Some changes are refused, such as canceling a resolved incident: then nothing may be counted.
  else if (ids.length > 0)
    await service.send("PATCH", `/incidents/${ids[made.at % ids.length]}`, { ...severity_id, ...status_id });
}

function member(incident: Fields, object: string, field: string): unknown {
  const value = incident[object];
  return isFields(value) ? value[field] : undefined;
}

test("Incidents: every filter and page of the list agrees with the incidents themselves", async () => {
  const property = fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
    const service = await openTestEmulator();
    const ids: string[] = [];
    for (const made of changes) await apply(service, made, ids);
    const all: Fields[] = [];
    for (const id of ids.toReversed()) all.push(await service.read({ id }));
    for (const severity of [undefined, ...severities]) {
      for (const [status, stage] of [
        [undefined, undefined],
        ...statuses.map((slug) => [slug, undefined]),
        ...stages.map((slug) => [undefined, slug]),
        ["triaging", "active"],
      ]) {
        const query = new URLSearchParams({ page: "2", per_page: "2" });
        if (severity !== undefined) query.set("severity_id", await service.id("severities", severity));
        if (status !== undefined) query.set("status_id", await service.id("statuses", status));
        if (stage !== undefined) query.set("lifecycle_stage", stage);
        const matching = all.filter(
          (incident) =>
            (severity === undefined || member(incident, "severity", "slug") === severity) &&
            (status === undefined || member(incident, "status", "slug") === status) &&
            (stage === undefined || member(incident, "status", "lifecycle_stage") === stage),
        );
        const response = await service.send("GET", `/incidents?${query}`);
        expect(response.body.pagination).toMatchObject({ total: matching.length });
        expect(listOf(response, "incidents")).toEqual(matching.slice(2, 4));
      }
    }
    await service.close();
  });
  await fc.assert(property, { numRuns: sampleSize(120) });
}, 60_000);

test("the incidents of a file from a version without counts are counted when it is opened", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emulator-"));
  const file = join(folder, "workspace.db");
  const first = createEmulator({ file, seed: true });
  const { pagination } = (await send(first, "GET", "/incidents?lifecycle_stage=closed")).body;
  await first.close();
  const older = new Database(file, []);
  older.run("DELETE FROM incident_counts");
  older.close();
  const second = createEmulator({ file });
  expect(pagination).toMatchObject({ total: expect.toSatisfy((total: number) => total > 0) });
  expect((await send(second, "GET", "/incidents?lifecycle_stage=closed")).body.pagination).toEqual(pagination);
  await second.close();
  rmSync(folder, { recursive: true });
});
