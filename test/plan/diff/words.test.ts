/** What a plan says of an update: the words of its requests, what a reviewer must see, and what it shows of each field. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { type PlanInput, planned, type Rows, refused, requests } from "../../support/plans/make-plan.ts";

const change = (document: Fields, live: Rows, more: PlanInput = {}) => planned(document, { live, ...more });
const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const field = (options: Fields[string]) =>
  named("region", { field_type: "single_select", option_source: "fixed", options });
const labels = (...names: readonly string[]) => names.map((label) => ({ id: `o-${label}`, label }));

test("a request says which fields it sets and which it clears", () => {
  const live = { runbooks: [named("a", { summary: "S", content: "C", tags: ["t"], external_url: "https://a" })] };
  const why = (fields: Fields) => change({ runbooks: [named("a", fields)] }, live).operations.map((one) => one.why);
  expect(why({ summary: "T", content: "D" })).toEqual(["set summary and content"]);
  expect(why({ summary: "", content: null, tags: [] })).toEqual(["clear summary, content and tags"]);
  expect(why({ summary: "T", tags: [] })).toEqual(["set summary; clear tags"]);
});

describe("an update deserves attention", () => {
  test.each<readonly [title: string, is: boolean, document: Fields, live: Rows]>([
    [
      "of a description: no",
      false,
      { severities: [named("a", { description: "D" })] },
      { severities: [named("a", { description: "C" })] },
    ],
    [
      "of the stage of a status: yes",
      true,
      { statuses: [named("a", { lifecycle_stage: "closed" }), named("b", { lifecycle_stage: "active" })] },
      { statuses: [named("a", { lifecycle_stage: "active" }), named("b", { lifecycle_stage: "active" })] },
    ],
    [
      "that adds an option: no",
      false,
      { custom_fields: [field(["EU", "US"])] },
      { custom_fields: [field(labels("EU"))] },
    ],
    [
      "that removes an option: yes",
      true,
      { custom_fields: [field(["EU"])] },
      { custom_fields: [field(labels("EU", "US"))] },
    ],
    ["that disables: yes", true, { severities: [named("a", { enabled: false })] }, { severities: [named("a")] }],
  ])("%s", (_title, is, document, live) => {
    expect(change(document, live).changes.map(({ risk }) => risk)).toEqual([is ? "attention" : "safe"]);
  });
});

test("a source that is renamed and disabled has its new name before its rules need it, and is disabled last", () => {
  const live = {
    alert_sources: [{ name: "Old", endpoint_path: "old" }],
    "routing_rules Old": [{ conditions: [], outcome: { action: "drop", note: "a" }, enabled: true }],
  };
  const document = {
    alert_sources: [{ name: "New", renamed_from: "Old", enabled: false }],
    routing_rules: { sources: { New: [{ conditions: [], outcome: { action: "drop", note: "b" }, enabled: true }] } },
  };
  const made = requests(document, { live });
  expect(made.map((line) => line.replace(/.*\{/, "{"))).toEqual([
    expect.stringContaining('"name":"New"'),
    expect.stringContaining('"note":"b"'),
    expect.stringContaining('"enabled":false'),
  ]);
  expect(made[0]).not.toContain("enabled");
});

test("an option that the service would store as another one is an error that names both", () => {
  const [first = "", ...more] = refused(
    { custom_fields: [field(["EU ", "US"])] },
    { live: { custom_fields: [field(labels("EU", "US"))] } },
  );
  expect(first).toMatch(
    /^E_OTHER_FORM custom_fields\/region: the live option "EU" is "EU " with other white space, and creating/,
  );
  expect(more).toEqual([]);
});

test.each(["eu west", "EU  West", "EU\u00a0West", " EU West"])(
  "an option that is a live one in another form is an error: %j",
  (label) => {
    const live = { custom_fields: [field(labels("EU West", "US"))] };
    const [first = "", ...more] = refused({ custom_fields: [field([label, "US"])] }, { live });
    expect(first).toMatch(/^E_OTHER_FORM custom_fields\/region: the live option "EU West" is /);
    expect(more).toEqual([]);
  },
);

test("options that differ in case are two, where both are declared, both are live, or one is renamed", () => {
  const refusedOptions = (declared: Fields[string], ...live: readonly string[]) =>
    refused({ custom_fields: [field(declared)] }, { live: { custom_fields: [field(labels(...live))] } });
  expect(refusedOptions(["EU", "eu"], "EU", "US")).toEqual([]);
  expect(refusedOptions(["eu"], "EU", "eu")).toEqual([]);
  expect(refusedOptions([{ label: "eu", renamed_from: "EU" }], "EU")).toEqual([]);
});

test("a renamed option is shown as a rename, also beside a new one", () => {
  const live = { custom_fields: [field(labels("EU", "US"))] };
  const document = { custom_fields: [field([{ label: "Europe", renamed_from: "EU" }, "US", "APAC"])] };
  const [shown] = change(document, live).changes.flatMap(({ fields }) => fields);
  expect(shown).toEqual({
    path: "/options",
    before: ["EU", "US"],
    after: ["Europe", "US", "APAC"],
    renamed: [{ from: "EU", to: "Europe" }],
  });
});

test("a new resource shows the values that it gets, not those that it does not have", () => {
  const text = (name: string): Fields => ({ name, attribute_type: "text", required: false });
  const rack = { ...named("rack"), attributes: [text("Floor"), text("Room")] };
  const entry = named("r1", { attributes: { floor: "2", room: null } });
  const { changes } = change(
    { catalog_types: [{ ...rack, entries: [entry] }] },
    { catalog_types: [{ ...named("rack"), kind: "custom", attribute_definitions: rack.attributes }] },
  );
  expect(changes.flatMap(({ fields }) => fields.filter(({ path }) => path === "/attributes"))).toEqual([
    { path: "/attributes", before: null, after: { floor: "2" } },
  ]);
});
