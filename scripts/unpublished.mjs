/**
 * Leaves out of the package what only the program is made of: that is in its bundle already. Writes dist/.npmignore, which
 * names every module that the library's entry does not reach, and every declaration that its types do not.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const dist = fileURLToPath(new URL("../dist", import.meta.url));

const { metafile } = await build({
  absWorkingDir: dist,
  entryPoints: ["index.js"],
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  write: false,
  outdir: "unwritten",
  metafile: true,
});
const published = new Set([...Object.keys(metafile.inputs), ...declarations("index.d.ts")]);
const left = readdirSync(dist, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.(js|d\.ts)$/.test(entry.name))
  .map((entry) => relative(dist, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  .filter((path) => !published.has(path));
writeFileSync(join(dist, ".npmignore"), `${left.map((path) => `/${path}`).join("\n")}\n`);

/** A declaration and all that it mentions, as paths below dist. */
function declarations(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = readFileSync(join(dist, path), "utf8");
  for (const [, target] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)\.ts"/g)) {
    const mentioned = `${join(dirname(path), target).replaceAll("\\", "/")}.d.ts`;
    if (existsSync(join(dist, mentioned))) declarations(mentioned, seen);
  }
  return seen;
}
