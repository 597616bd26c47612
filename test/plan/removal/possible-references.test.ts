import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { type PlanInput, planned, type Rows } from "../../support/plans/make-plan.ts";

/** The changes and warnings of a plan, a line for each. */
function text(document: Fields, input: PlanInput): readonly string[] {
  const { changes, warnings } = planned(document, input);
  return [
    ...changes.map(({ action, address, reason }) => `${action} ${address}: ${reason}`),
    ...warnings.map(({ message }) => message),
  ];
}

describe("a condition whose custom field the service does not return", () => {
  const type = { slug: "squad", name: "Squad", attributes: [] };
  const field = (slug: string, id: string): Fields => ({
    slug,
    id,
    name: slug,
    field_type: "catalog_reference",
    option_source: "catalog",
    catalog_type: "squad",
    options: [{ id: "e1", label: "Red" }],
  });
  const condition = (value: string) => ({ condition_field: "custom_field", operator: "one_of", values: [value] });
  const live = (value: string): Rows => ({
    catalog_types: [type],
    "catalog_entries squad": [{ id: "e1", slug: "red", name: "Red", attributes: {} }],
    custom_fields: [field("owner", "f1"), field("helper", "f2")],
    runbooks: [{ slug: "book", name: "Book", conditions: [condition(value)] }],
  });
  const stays = (address: string, use: string, title: string) =>
    `${address} is not in the configuration but stays: ${use}, and a ${title} cannot be disabled`;

  test.each(["red", "e1"])("keeps each field that it may read, and the entry that it holds: %s", (value) => {
    expect(text({ custom_fields: [] }, { live: live(value) })).toEqual(
      ["helper", "owner"].map((slug) =>
        stays(
          `custom_fields/${slug}`,
          "may be used by runbooks/book, whose references the service does not return in full",
          "custom field",
        ),
      ),
    );
    const entries = { catalog_types: [{ slug: "squad", entries: [] }] };
    expect(text(entries, { live: live(value) })).toEqual([
      stays("catalog_types/squad/entries/red", "used by runbooks/book", "catalog entry"),
    ]);
  });

  test("keeps every field with options if no field that was read has its value", () => {
    expect(text({ custom_fields: [{ slug: "helper", name: "helper" }] }, { live: live("gone") })).toEqual([
      stays(
        "custom_fields/owner",
        "may be used by runbooks/book, whose references the service does not return in full",
        "custom field",
      ),
    ]);
  });

  test("keeps an option that only the live field has", () => {
    const select = (slug: string): Fields => ({
      slug,
      id: slug,
      name: slug,
      field_type: "single_select",
      options: [
        { id: `${slug} 1`, label: "EU" },
        { id: `${slug} 2`, label: "US" },
      ],
    });
    const rows = {
      custom_fields: [select("region"), select("zone")],
      runbooks: [{ slug: "book", name: "Book", conditions: [condition("EU")] }],
    };
    const document = { custom_fields: [{ slug: "region", options: ["US"] }, { slug: "zone" }] };
    expect(text(document, { live: rows })).toEqual([
      'custom_fields/region: option "EU" is not in the configuration but stays: may be referenced by runbooks/book',
    ]);
  });
});
