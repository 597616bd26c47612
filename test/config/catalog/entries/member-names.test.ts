/** Names that are not there: columns and members that expressions name, and entries that the configuration changes. */

import { expect, test } from "vitest";
import { brief, findings } from "../../loading.ts";

const EXCLUDE = "Exclude such documents with when, or the file with a glob that begins with !.";

/** The findings about a source, with their help. */
async function helps(source: string, row = "Shop,Gold,x") {
  const text = `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Tier, attribute_type: text }]
    entries_from: { files: apps.csv, ${source} }
`;
  const found = await findings({ "a.yaml": text, "apps.csv": `App Name,Tier,service-id\n${row}\n` });
  return found.map((one) => `${brief(one)} ${one.message}: ${one.help}`);
}

const slug = "slug: { jsonata: Tier }";

test.each([
  [
    "slug: { jsonata: name }",
    [
      `apps.csv:2:1 E_ENTRIES_FROM slug is nothing: The names there are \`App Name\`, Tier and \`service-id\`. ${EXCLUDE}`,
    ],
  ],
  [
    "slug: { jsonata: tier }",
    [
      `apps.csv:2:1 E_ENTRIES_FROM slug is nothing: Did you mean "Tier"? The names there are \`App Name\`, Tier and \`service-id\`. ${EXCLUDE}`,
    ],
  ],
  [
    "slug: { jsonata: service-id }",
    [`apps.csv:2:1 E_ENTRIES_FROM slug is nothing: Write the name in backticks: \`service-id\`. ${EXCLUDE}`],
  ],
  [
    "slug: { jsonata: App Name }",
    [
      'a.yaml:5:55 E_EXPRESSION "App Name" is not an expression: Syntax error: "Name": A name with other characters than letters and digits stands in backticks: "`App Name`".',
    ],
  ],
  [
    "slug: App Name",
    [
      'a.yaml:5:44 E_ENTRIES_FROM slug is "App Name" for each document: To read it as an expression, write { jsonata: "`App Name`" }.',
    ],
  ],
  [
    `${slug}, attributes: { tier: { jsonata: service-id } }`,
    [
      'a.yaml:5:94 W_ENTRIES_FROM attributes.tier has no value: "service-id" gives nothing for the document that makes an entry: Write the name in backticks: `service-id`.',
    ],
  ],
  [
    `${slug}, attributes: { tier: { jsonata: level } }`,
    [
      'a.yaml:5:94 W_ENTRIES_FROM attributes.tier has no value: "level" gives nothing for the document that makes an entry: The names there are `App Name`, Tier and `service-id`.',
    ],
  ],
])("%s", async (source, expected) => {
  expect(await helps(source)).toEqual(expected);
});

test("A member that is null is there, and needs no other name", async () => {
  const text = `catalog_types: [{ slug: app, name: App, entries_from: { files: apps.json, slug: { jsonata: owner } } }]\n`;
  const found = await findings({ "a.yaml": text, "apps.json": '{ "owner": null, "size": 1 }\n' });
  expect(found.map((one) => `${one.code} ${one.message}: ${one.help}`)).toEqual([
    `E_ENTRIES_FROM slug is nothing: ${EXCLUDE}`,
  ]);
});

test.each([
  ["chekout", 'Did you mean "checkout"?'],
  ["legacy", "Delete it here too, or give it a name to keep it."],
])("An entry %s without a name that no document makes is a warning", async (slug, help) => {
  const text = (entry: string) => `catalog_types:
  - slug: service
    entries:
      - { slug: search, attributes: { tier: Critical } }
      - ${entry}
    entries_from: { files: apps.csv, slug: { jsonata: name } }
`;
  const found = async (entry: string, csv = "name\ncheckout\nsearch\n") =>
    await findings({ "a.yaml": text(entry), "apps.csv": csv });
  const all = await found(`{ slug: ${slug}, attributes: { tier: Critical } }`);
  expect(all.map((one) => `${brief(one)} ${one.message}: ${one.help}`)).toEqual([
    `a.yaml:5:17 W_ENTRIES_FROM no document makes the entry "${slug}", which has no name here: ${help}`,
  ]);
  expect(await found(`{ slug: ${slug}, name: Own, attributes: { tier: Critical } }`)).toEqual([]);
  // That the files make nothing at all is told already.
  expect(await found(`{ slug: ${slug} }`, "name\n")).toHaveLength(1);
});
