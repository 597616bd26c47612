import { expect, test } from "vitest";
import { prettyJson } from "../../../src/view/format/json.ts";
import { planJson } from "../../../src/view/plan/json.ts";
import { changeOf, everything, planOf } from "../plans.ts";

test("the keys of a plan are in the documented order", () => {
  const shuffled = Object.fromEntries(Object.entries(everything).reverse()) as typeof everything;
  const plan = JSON.parse(planJson(shuffled));
  expect(Object.keys(plan)).toEqual([
    "format_version",
    "tool",
    "target",
    "summary",
    "changes",
    "operations",
    "derived",
    "warnings",
    "unreadable",
    "blocked",
    "seal",
  ]);
  expect(Object.keys(plan.summary)).toEqual([
    "create",
    "update",
    "move",
    "enable",
    "disable",
    "delete",
    "unchanged",
    "operations",
    "requests",
  ]);
  expect(Object.keys(plan.changes[0]).slice(0, 7)).toEqual([
    "address",
    "kind",
    "action",
    "fields",
    "reason",
    "risk",
    "operations",
  ]);
  expect(Object.keys(plan.operations[0]).slice(0, 8)).toEqual([
    "id",
    "method",
    "path",
    "query",
    "body",
    "address",
    "depends_on",
    "why",
  ]);
});

test("a plan is the same after it is written and read", () => {
  const plan = JSON.parse(planJson(everything));
  expect(plan).toEqual(everything);
  expect(planJson(plan)).toBe(planJson(everything));
});

test("a field marked secret never shows its values", () => {
  const field = { path: "/url", before: "https://old", after: "https://new", secret: true } as const;
  const text = planJson(planOf([changeOf("webhooks/pager", "update", { fields: [field] })]));
  expect(text).not.toMatch(/https:\/\/(old|new)/);
});

test.each(["a\u202eb", "a\u009b31mb", "a\u2028b", "a\u{e0001}b", "\u200b\u007f", "\u3164\ufffe##[a]"])(
  "what nobody sees in %j stands as an escape of the same value",
  (name) => {
    const text = prettyJson({ name });
    expect(text).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(text)).toEqual({ name });
  },
);

test("visible characters are not escaped in JSON", () => {
  expect(prettyJson({ name: "Störung 🔥" })).toContain('"Störung 🔥"');
});
