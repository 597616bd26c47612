/**
 * Writes the self-contained schemas of whole files, of a configuration for editors and of reports for programs, and the OpenAPI
 * documents of the embedded service and of its control surface.
 */

import { writeFile } from "node:fs/promises";
import { seedFileSchema } from "../build/app/serve/seed-schema.js";
import { overlaySchema } from "../build/config/schema/overlay-schema.js";
import { workspaceSchema } from "../build/config/schema/schema.js";
import { settingsForEditors } from "../build/config/schema/settings-schema.js";
import { controlOpenapi } from "../build/emulator/control/control-handler.js";
import { openapi } from "../build/emulator/openapi/service-document.js";
import { kinds } from "../build/kinds/index.js";
import { driftSchema, planSchema, recordedAlertsSchema } from "../build/view/plan/schema.js";

const write = (name, value) =>
  writeFile(new URL(`../schemas/${name}.json`, import.meta.url), `${JSON.stringify(value)}\n`);

await write("openapi", openapi());
await write("control-openapi", controlOpenapi());
for (const [name, schema] of Object.entries({
  workspace: workspaceSchema(kinds),
  overlay: overlaySchema(kinds),
  settings: settingsForEditors(kinds),
  plan: planSchema(),
  drift: driftSchema(),
  "recorded-alerts": recordedAlertsSchema(),
  seed: seedFileSchema(),
})) {
  await write(`${name}.schema`, schema);
}
