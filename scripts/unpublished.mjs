/**
 * Leaves out of the package what only the program is made of: that is in its bundle already. Writes dist/.npmignore, which names
 * every module that the library's entry does not load and every declaration that its types do not use.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));

const published = new Set();
publish("index.js");
publish("index.d.ts");
const unpublished = readdirSync(dist, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.(js|d\.ts)$/.test(entry.name))
  .map((entry) => relative(dist, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  .filter((path) => !published.has(path));
writeFileSync(join(dist, ".npmignore"), `${unpublished.map((path) => `/${path}`).join("\n")}\n`);

/** Adds a module or a declaration, and all that it imports. A declaration names other ones by their source. */
function publish(path) {
  if (published.has(path)) return;
  published.add(path);
  const text = readFileSync(join(dist, path), "utf8");
  const imports = text.matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)";|\bimport\("(\.[^"]+)"\)/gms);
  for (const [, loaded, named = loaded] of imports) {
    publish(join(dirname(path), named.replace(/(?<!\.d)\.ts$/, ".d.ts")).replaceAll("\\", "/"));
  }
}
