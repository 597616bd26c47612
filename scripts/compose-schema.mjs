/** Writes the self-contained schemas of whole files: of a configuration for editors, of reports for programs. */

import { writeFile } from "node:fs/promises";
import { overlaySchema } from "../dist/config/schema/overlay-schema.js";
import { workspaceSchema } from "../dist/config/schema/schema.js";
import { settingsForEditors } from "../dist/config/schema/settings-schema.js";
import { kinds } from "../dist/kinds/index.js";
import { driftSchema, planSchema } from "../dist/report/plan/schema.js";

for (const [name, schema] of Object.entries({
  workspace: workspaceSchema(kinds),
  overlay: overlaySchema(kinds),
  settings: settingsForEditors(kinds),
  plan: planSchema(),
  drift: driftSchema(),
})) {
  await writeFile(new URL(`../schemas/${name}.schema.json`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
