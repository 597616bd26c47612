/** The installed package: its files, such as schemas, examples and templates, and its version. */

import { readFileSync } from "node:fs";
import type { Json } from "./json.ts";
import { isFields } from "./json.ts";

/**
 * Returns the URL of a file of the package, by its path below the package's root. The bundle lies as deep below that root as this
 * file.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

const manifest: Json = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));

/** Version in package.json. */
export const version: string = isFields(manifest) && typeof manifest.version === "string" ? manifest.version : "0.0.0";

/** The `User-Agent` header of every request. */
export const USER_AGENT: string = `incidentctl/${version}`;
