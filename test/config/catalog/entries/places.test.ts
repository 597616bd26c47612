/** Places in foreign files of values that expressions compute. */

import { expect, test } from "vitest";
import { locationOf } from "../../../../src/config/resources/origins.ts";
import { loaded } from "../../loading.ts";

const DOCUMENT = `metadata:
  name: checkout
spec:
  type: service
  owner: payment-team
  more: { tags: [a, b], team: "" }
`;

test.each([
  ["the only member that it names", "$uppercase(metadata.name) & '!'", "2:9"],
  ["the only member that is there", "[spec.title, metadata.title, metadata.name][0]", "2:9"],
  ["the member whose text makes the most of it", "spec.type & '/' & spec.owner", "5:10"],
  ["that member in another case", "$uppercase(spec.owner & spec.type)", "5:10"],
  ["the list that it names", "$join(spec.more.tags)", "6:17"],
  ["the list that it takes from", "spec.more.tags[1]", "6:17"],
  ["the members before the first step that is none", "spec.(type & owner)", "4:3"],
  ["the document if no member makes it", "$length(spec.owner) & $length(spec.type)", "1:1"],
  ["the document if it names none", "$path & 'x'", "1:1"],
])("The place of a computed value is %s", async (_case, expression, place) => {
  const text = `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Text, attribute_type: text }]
    entries_from:
      files: app.yml
      slug: { jsonata: metadata.name }
      attributes: { text: { jsonata: ${JSON.stringify(expression)} } }
`;
  const { declared } = await loaded({ "a.yaml": text, "app.yml": DOCUMENT });
  const made = declared.find(({ key }) => key === "checkout");
  const at = made && locationOf(made.origins, "/attributes/text");
  expect(`${at?.line}:${at?.column}`).toBe(place);
});
