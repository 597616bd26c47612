/**
 * Compiles the style sheets and the scripts of the web pages, src/view/browser/: of a plan's page into dist/page-assets.cjs, which a report
 * writes into its page, so that the page is one file, and of the emulator's pages into dist/web-assets.cjs.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** The search that needs no context of Node. */
const search = join(root, "src/view/browser/regular-expression.ts");

const plan = {
  STYLE: styleOf("page.css", "cards.css", "diagrams.css", "screens.css"),
  SCRIPT: await scriptOf("page.ts"),
};
if (/<\/script|<!--/i.test(plan.SCRIPT)) throw new Error("the script would end its element");

mkdirSync(dist, { recursive: true });
save("page-assets.cjs", plan);
save("web-assets.cjs", {
  STYLE: styleOf("page.css", "cards.css", "diagrams.css", "screens.css", "emulator.css"),
  SCRIPT: await scriptOf("emulator.ts"),
});

async function scriptOf(file) {
  const { output } = await build({
    cwd: root,
    input: `src/view/browser/${file}`,
    platform: "browser",
    plugins: [{ name: "no-context", resolveId: (id) => (id.endsWith("/regular-expression.ts") ? search : null) }],
    output: { format: "iife", minify: true, comments: false },
    write: false,
  });
  return output[0].code.trim();
}

function styleOf(...files) {
  return files
    .map((file) => readFileSync(join(root, "src/view/browser", file), "utf8"))
    .join("\n")
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Writes a module. It is renamed when it is complete, so that no process reads half of it. */
function save(name, values) {
  const target = join(dist, name);
  // One statement for each value: Node finds these names of a CommonJS module without running it.
  const statements = Object.entries(values).map(([name, value]) => `exports.${name} = ${JSON.stringify(value)};\n`);
  writeFileSync(`${target}.${process.pid}`, statements.join(""));
  renameSync(`${target}.${process.pid}`, target);
}
