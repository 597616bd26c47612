/** The version of this package. */

import { readFileSync } from "node:fs";
import type { Json } from "./json.ts";
import { isFields } from "./json.ts";

const manifest: Json = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Version in package.json. */
export const version: string = isFields(manifest) && typeof manifest.version === "string" ? manifest.version : "0.0.0";

/** The `User-Agent` header of every request. */
export const USER_AGENT: string = `incidentctl/${version}`;
