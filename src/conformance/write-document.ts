/** The command `npm run conformance:document`: writes docs/conformance.md. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { conformanceDocument, documentFile } from "./document.ts";

mkdirSync(dirname(documentFile), { recursive: true });
writeFileSync(documentFile, conformanceDocument());
