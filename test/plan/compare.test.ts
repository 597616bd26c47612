import { expect, test } from "vitest";
import type { Fields } from "../../src/json.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Live } from "../../src/kinds/resource.ts";
import { compare } from "../../src/plan/compare.ts";
import { configured } from "../support/configured.ts";

function changesOf(kind: string, declared: Fields, row: Fields): readonly unknown[] {
  const [entry] = configured({ [kind]: [declared] }).declared;
  const of = kinds.find(({ name }) => name === kind);
  if (entry === undefined || of === undefined) throw new Error(`there is no kind ${kind}`);
  const { scope, key, keyField, address } = entry;
  const fields = {
    ...row,
    ...of.decode?.(
      row,
      { fields: () => undefined, stated: () => undefined, id: String, key: () => undefined, rows: () => [] },
      "",
    ),
  };
  const live: Live = { kind: of, scope, key, keyField, address, fields, row, id: key };
  return compare(entry, entry.fields, live, { lock: {}, resend: false }).changes;
}

test("what the files leave out is not compared", () => {
  expect(
    changesOf("severities", { slug: "critical", name: "Critical" }, { name: "Critical", color: "#FF0000" }),
  ).toEqual([]);
});

test("in a list that differs, what means the same is shown as it is declared", () => {
  const look = { title: "Look", instruction: "At the lag." };
  const act = { title: "Act" };
  const row = { steps: [{ id: "1", position: 1, tool: null, arguments: {}, ...look }] };
  expect(changesOf("runbooks", { slug: "failover", steps: [look, act] }, row)).toEqual([
    { path: "/steps", before: [look], after: [look, act] },
  ]);
});

test("of conditions in another order and with their values in another order only the new one differs", () => {
  const severe = { condition_field: "severity", operator: "one_of", values: ["major", "critical"] };
  const typed = { condition_field: "incident_type", operator: "one_of", values: ["outage"] };
  const row = { conditions: [{ values: ["critical", "major"], operator: "one_of", condition_field: "severity" }] };
  expect(changesOf("runbooks", { slug: "failover", conditions: [typed, severe] }, row)).toEqual([
    { path: "/conditions", before: [severe], after: [typed, severe] },
  ]);
});

test("an item that stands twice in one list and once in the other is shown once more", () => {
  const row = { steps: [{ title: "Look" }, { title: "Look" }] };
  expect(changesOf("runbooks", { slug: "failover", steps: [{ title: "Look" }] }, row)).toEqual([
    { path: "/steps", before: [{ title: "Look" }, { title: "Look" }], after: [{ title: "Look" }] },
  ]);
});

test("a list is another one in another order, unless its kind says that the order means nothing", () => {
  const row = { steps: [{ title: "Look" }, { title: "Act" }], aliases: ["b", "a"] };
  const declared = { slug: "failover", steps: [{ title: "Act" }, { title: "Look" }], aliases: ["a", "b"] };
  expect(changesOf("runbooks", declared, row)).toMatchObject([{ path: "/steps" }]);
  const plain = { slug: "failover", tags: ["a", "b"] };
  expect(changesOf("runbooks", plain, { tags: ["b", "a"] })).toHaveLength(1);
  expect(changesOf("runbooks", plain, { tags: ["a", "b"] })).toEqual([]);
});
