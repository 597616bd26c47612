import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/model/kind.ts";
import type { LiveResource } from "../../../src/kinds/model/resource.ts";
import { optionLabel } from "../../../src/kinds/values/option-source.ts";
import { equalField } from "../../../src/kinds/values/same-field.ts";
import { compare, writableFields } from "../../../src/plan/diff/compare.ts";
import { configured } from "../../support/plans/configuration.ts";
import { planned } from "../../support/plans/make-plan.ts";

function changesOf(kind: string, declared: Fields, row: Fields): readonly unknown[] {
  const [entry] = configured({ [kind]: [declared] }).declared;
  const of = kinds.find(({ name }) => name === kind);
  if (entry === undefined || of === undefined) throw new Error(`there is no kind ${kind}`);
  const { scope, key, keyField, address } = entry;
  const fields = {
    ...row,
    ...of.codec?.decode?.(
      {
        fields: () => undefined,
        declaredFields: () => undefined,
        live: () => undefined,
        id: String,
        key: () => undefined,
        rows: () => [],
        rowsSoFar: () => [],
      },
      "",
    )(row),
  };
  const live: LiveResource = { kind: of, scope, key, keyField, address, fields, row, id: key };
  return compare(entry, entry.fields, live, { hashes: {}, resend: false }).changes;
}

test("an omitted field is not compared", () => {
  expect(
    changesOf("severities", { slug: "critical", name: "Critical" }, { name: "Critical", color: "#FF0000" }),
  ).toEqual([]);
});

test("in a list that differs, equal items are shown as declared", () => {
  const look = { title: "Look", instruction: "At the lag." };
  const act = { title: "Act" };
  const row = { steps: [{ id: "1", position: 1, tool: null, arguments: {}, ...look }] };
  expect(changesOf("runbooks", { slug: "failover", steps: [look, act] }, row)).toEqual([
    { path: "/steps", before: [look], after: [look, act] },
  ]);
});

test("of conditions in another order, with values in another order, only the new one differs", () => {
  const severe = { condition_field: "severity", operator: "one_of", values: ["major", "critical"] };
  const typed = { condition_field: "incident_type", operator: "one_of", values: ["outage"] };
  const row = { conditions: [{ values: ["critical", "major"], operator: "one_of", condition_field: "severity" }] };
  expect(changesOf("runbooks", { slug: "failover", conditions: [typed, severe] }, row)).toEqual([
    { path: "/conditions", before: [severe], after: [typed, severe] },
  ]);
});

test("an item that is twice in one list and once in the other differs once", () => {
  const row = { steps: [{ title: "Look" }, { title: "Look" }] };
  expect(changesOf("runbooks", { slug: "failover", steps: [{ title: "Look" }] }, row)).toEqual([
    { path: "/steps", before: [{ title: "Look" }, { title: "Look" }], after: [{ title: "Look" }] },
  ]);
});

test("the order of a list matters, unless its kind says otherwise", () => {
  const row = { steps: [{ title: "Look" }, { title: "Act" }], aliases: ["b", "a"] };
  const declared = { slug: "failover", steps: [{ title: "Act" }, { title: "Look" }], aliases: ["a", "b"] };
  expect(changesOf("runbooks", declared, row)).toMatchObject([{ path: "/steps" }]);
  const plain = { slug: "failover", tags: ["a", "b"] };
  expect(changesOf("runbooks", plain, { tags: ["b", "a"] })).toHaveLength(1);
  expect(changesOf("runbooks", plain, { tags: ["a", "b"] })).toEqual([]);
});

test("a list that is declared as null is shown as it is", () => {
  const row = { steps: [{ title: "Look" }] };
  expect(changesOf("runbooks", { slug: "failover", steps: null }, row)).toEqual([
    { path: "/steps", before: [{ title: "Look" }], after: null },
  ]);
  expect(changesOf("runbooks", { slug: "failover", steps: [{ title: "Look" }] }, { steps: null })).toEqual([
    { path: "/steps", before: null, after: [{ title: "Look" }] },
  ]);
});

test("the first item of a list is shown as declared if it is equal, too", () => {
  const severe = { condition_field: "severity", operator: "one_of", values: ["major", "critical"] };
  const typed = { condition_field: "incident_type", operator: "one_of", values: ["outage"] };
  const row = {
    conditions: [{ values: ["critical", "major"], operator: "one_of", condition_field: "severity" }, typed],
  };
  expect(changesOf("runbooks", { slug: "failover", conditions: [severe] }, row)).toEqual([
    { path: "/conditions", before: [severe, typed], after: [severe] },
  ]);
});

test("fields that a kind does not describe are compared and sent as they are", () => {
  const plain = { name: "moons", identity: { keys: ["slug"] }, lifecycle: {} } as unknown as Kind;
  expect(equalField(plain, "phase", ["full"], ["full"])).toBe(true);
  expect(equalField(plain, "phase", ["full"], ["new"])).toBe(false);
  expect(writableFields(plain, { slug: "a", phase: ["full"] })).toEqual({ phase: ["full"] });
});

test("an option is shown and sent by its label", () => {
  expect([optionLabel("EU"), optionLabel({ label: "EU", renamed_from: "US" }), optionLabel(7)]).toEqual([
    "EU",
    "EU",
    "7",
  ]);
});

test("only a value of which a part came from the environment is masked", () => {
  const document = {
    runbooks: [
      { name: "Failover", slug: "failover", steps: [{ title: "Look" }], summary: "Plain.", content: "Not so." },
    ],
  };
  const secrets = { "runbooks/failover": ["/steps/0/title", "/content"] };
  const fields = (live: readonly Fields[]) =>
    planned(document, { live: { runbooks: live }, secrets }).changes[0]?.fields;
  expect(fields([])).toEqual([
    { path: "/slug", before: null, after: "failover" },
    { path: "/name", before: null, after: "Failover" },
    { path: "/steps", before: null, after: "(secret)", secret: true },
    { path: "/summary", before: null, after: "Plain." },
    { path: "/content", before: null, after: "(secret)", secret: true },
  ]);
  const old = { slug: "failover", name: "Failover", steps: [], summary: "Old.", content: "Old." };
  expect(fields([old])).toEqual([
    { path: "/steps", before: "(secret)", after: "(secret)", secret: true },
    { path: "/summary", before: "Old.", after: "Plain." },
    { path: "/content", before: "(secret)", after: "(secret)", secret: true },
  ]);
});
