/** Values of entries, checked against the attributes that their type will have. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { refused } from "../../support/plans/make-plan.ts";

const live = {
  catalog_types: [
    {
      slug: "rack",
      name: "Rack",
      attribute_definitions: [{ name: "Count", attribute_type: "number", required: true }],
    },
  ],
  "catalog_entries rack": [],
};
const declared = (attribute: Fields): Fields => ({
  catalog_types: [
    {
      slug: "rack",
      name: "Rack",
      attributes: [{ name: "Count", attribute_type: "number", ...attribute }],
      entries: [{ slug: "one", name: "One" }],
    },
  ],
});

test("a new entry needs a value of an attribute that is required live, unless the files say that it is not", () => {
  expect(refused(declared({}), { live })).toEqual([expect.stringContaining('the attribute "count" is required')]);
  expect(refused(declared({ required: false }), { live })).toEqual([]);
});
