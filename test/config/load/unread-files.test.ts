import { expect, test } from "vitest";
import { load } from "../../../src/config/load/load.ts";
import { DISK } from "../../../src/config/source/disk.ts";
import { namesIn } from "../../../src/config/source/files.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { inDirectory } from "../loading.ts";

const RESOURCES = "severities:\n  - { slug: major, name: Major }\n";
const SETTINGS = "version: 1\nconfig: [config]\n";
const FILES = { "incidentctl.yaml": SETTINGS, "config/severities.yaml": RESOURCES };

/** The warnings of a configuration with these files beside its settings. */
async function warnings(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { warnings } = await inDirectory({ ...FILES, ...files }, (cwd) => load([], { kinds, env: {}, cwd }));
  return warnings.map(({ code, message, at }) => `${code} ${at?.file}: ${message}`);
}

test("A file with resources beside the settings, outside the directories that they name, gets a warning", async () => {
  expect(
    await warnings({ "webhooks.yaml": "# the hooks\nwebhooks: []\n", "statuses.yml": '"statuses": []\n' }),
  ).toEqual([
    "W_UNREAD_FILE statuses.yml: statuses.yml looks like configuration and is not read",
    "W_UNREAD_FILE webhooks.yaml: webhooks.yaml looks like configuration and is not read",
  ]);
});

test.each<readonly [title: string, files: Readonly<Record<string, string>>]>([
  ["a file of another program", { "compose.yaml": "services:\n  webhooks:\n    image: a\nwebhooks: []\n" }],
  ["a file without keys", { "list.yaml": "- webhooks\n" }],
  ["a hidden file", { ".webhooks.yaml": "webhooks: []\n" }],
  ["a file of routing tests", { "all.test.yaml": "routing_tests: []\n" }],
  ["a file in another directory", { "other/webhooks.yaml": "webhooks: []\n" }],
  [
    "an overlay of another environment",
    {
      "incidentctl.yaml": `${SETTINGS}environments:\n  staging: { overlays: [staging.yaml] }\n`,
      "staging.yaml": "severities:\n  - { slug: major, name: Test }\n",
    },
  ],
  [
    "a file that the settings name",
    { "incidentctl.yaml": "version: 1\nconfig: [config, webhooks.yaml]\n", "webhooks.yaml": "webhooks: []\n" },
  ],
])("%s beside the settings gets none", async (_, files) => {
  expect(await warnings(files)).toEqual([]);
});

test("A directory that cannot be listed gives no hints, and no error of its own", () => {
  expect(namesIn(import.meta.filename, DISK)).toEqual([]);
});
