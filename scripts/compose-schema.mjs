/** Writes the schema of a whole workspace, for editors: the registry's kinds and their rooms in one file. */

import { writeFile } from "node:fs/promises";
import { workspaceSchema } from "../dist/config/schema.js";
import { kinds } from "../dist/kinds/index.js";

const target = new URL("../schemas/workspace.schema.json", import.meta.url);
await writeFile(target, `${JSON.stringify(workspaceSchema(kinds), null, 2)}\n`);
