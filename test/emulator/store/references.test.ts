import { afterEach, beforeEach, expect, test } from "vitest";
import { standardDialects } from "../../../src/emulator/dialects.ts";
import { Database } from "../../../src/emulator/store/database.ts";
import { type ReferenceCounter, refuseIfReferenced } from "../../../src/emulator/store/references.ts";

let database: Database;
beforeEach(() => {
  database = new Database(undefined, []);
});
afterEach(() => database.close());

const entry = { id: "1", name: "Major" };

function pointing(noun: string, always: boolean, count: number): ReferenceCounter {
  return { target: "severities", noun, isAlwaysCounted: always, count: () => count };
}

test("Disabled entries 3: a deletion is refused with the count of references", () => {
  const references = [pointing("incident", true, 2)];
  expect(() =>
    refuseIfReferenced(entry, "severities", { database, dialects: standardDialects, referenceCounters: references }),
  ).toThrow(/^Major is in use by 2 incident\(s\) and cannot be deleted\.$/);
});

test("Disabled entries 3: references of several kinds are summed", () => {
  const references = [pointing("incident", true, 2), pointing("routing rule", false, 1), pointing("form", false, 0)];
  const scope = { database, dialects: standardDialects, referenceCounters: references };
  expect(() => refuseIfReferenced(entry, "severities", scope, "Disable it instead.")).toThrow(
    "Major is in use by 3 references (2 incident(s), 1 routing rule(s)) and cannot be deleted. Disable it instead.",
  );
});

test("dialect delete_guard: incidents counts only what the known service counts", () => {
  const dialects = { ...standardDialects, delete_guard: "incidents" } as const;
  const references = [pointing("routing rule", false, 1)];
  refuseIfReferenced(entry, "severities", { database, dialects, referenceCounters: references });
  refuseIfReferenced(entry, "statuses", { database, dialects: standardDialects, referenceCounters: references });
});
