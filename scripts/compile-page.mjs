/**
 * Compiles the style sheets and the script of a plan's page, src/browser/, into dist/page-assets.cjs. A report writes both into its page,
 * so that the page is one file.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** The search that needs no context of Node. */
const search = join(root, "src/browser/regular-expression.ts");

const { output } = await build({
  cwd: root,
  input: "src/browser/page.ts",
  platform: "browser",
  plugins: [{ name: "no-context", resolveId: (id) => (id.endsWith("/regular-expression.ts") ? search : null) }],
  output: { format: "iife", minify: true, comments: false },
  write: false,
});
const style = ["page.css", "cards.css", "diagrams.css", "screens.css"]
  .map((file) => readFileSync(join(root, "src/browser", file), "utf8"))
  .join("\n")
  .replace(/\/\*.*?\*\//gs, "")
  .replace(/\s+/g, " ")
  .trim();
const assets = { STYLE: style, SCRIPT: output[0].code.trim() };
if (/<\/script|<!--/i.test(assets.SCRIPT)) throw new Error("the script would end its element");

mkdirSync(dist, { recursive: true });
// Renamed when it is complete, so that no process reads half of it.
const target = join(dist, "page-assets.cjs");
writeFileSync(`${target}.${process.pid}`, `module.exports = ${JSON.stringify(assets)};\n`);
renameSync(`${target}.${process.pid}`, target);
