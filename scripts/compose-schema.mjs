/**
 * Writes the self-contained schemas of whole files, of a configuration for editors and of reports for programs, and the OpenAPI
 * documents of the embedded service and of its control surface.
 */

import { writeFile } from "node:fs/promises";
import { overlaySchema } from "../dist/config/schema/overlay-schema.js";
import { workspaceSchema } from "../dist/config/schema/schema.js";
import { settingsForEditors } from "../dist/config/schema/settings-schema.js";
import { controlOpenapi } from "../dist/emulator/control/control-handler.js";
import { openapi } from "../dist/emulator/openapi/service-document.js";
import { kinds } from "../dist/kinds/index.js";
import { driftSchema, planSchema } from "../dist/report/plan/schema.js";
import { seedFileSchema } from "../dist/serve/seed-schema.js";

const write = (name, value) =>
  writeFile(new URL(`../schemas/${name}.json`, import.meta.url), `${JSON.stringify(value, null, 2)}\n`);

await write("openapi", openapi());
await write("control-openapi", controlOpenapi());
for (const [name, schema] of Object.entries({
  workspace: workspaceSchema(kinds),
  overlay: overlaySchema(kinds),
  settings: settingsForEditors(kinds),
  plan: planSchema(),
  drift: driftSchema(),
  seed: seedFileSchema(),
})) {
  await write(`${name}.schema`, schema);
}
