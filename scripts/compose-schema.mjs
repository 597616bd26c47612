/** Writes the schemas of whole files, for editors: what the registry's kinds and their rooms make together. */

import { writeFile } from "node:fs/promises";
import { overlaySchema } from "../dist/config/schema/overlay-schema.js";
import { workspaceSchema } from "../dist/config/schema/schema.js";
import { settingsSchema } from "../dist/config/schema/settings-schema.js";
import { kinds } from "../dist/kinds/index.js";

for (const [name, schema] of Object.entries({
  workspace: workspaceSchema(kinds),
  overlay: overlaySchema(kinds),
  settings: settingsSchema(kinds),
})) {
  await writeFile(new URL(`../schemas/${name}.schema.json`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
