/**
 * Compiles the validators of all schemas into dist/validators.cjs, so that the program needs no compiler of schemas. What
 * is of the same sources already is left as it is. With --print the validators are made and printed, and nothing is written.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "dist", "validators.cjs");
/** Whatever decides what the validators are. */
const sources = [
  "schemas",
  "src/kinds",
  "src/config/schema/checked-schemas.ts",
  "src/config/schema/settings-schema.ts",
];
const makers = ["src/config/schema/schema.ts", "scripts/compile-validators.mjs", "package.json"];

const heading = `// Compiled by scripts/compile-validators.mjs from ${fingerprint([...sources, ...makers])}.\n`;
if (process.argv.includes("--print")) process.stdout.write(await validators());
else if (!existsSync(target) || !readFileSync(target, "utf8").startsWith(heading)) {
  mkdirSync(join(root, "dist"), { recursive: true });
  // Nobody ever reads half of it.
  const whole = `${target}.${process.pid}`;
  writeFileSync(whole, heading + (await validators()));
  renameSync(whole, target);
}

/** A hash of the files at or below the paths. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesAt)) hash.update(`${path}\0${readFileSync(join(root, path))}\0`);
  return hash.digest("hex").slice(0, 16);
}

function filesAt(path) {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path))
    .filter((name) => !name.endsWith(".schema.json"))
    .sort()
    .map((name) => `${path}/${name}`);
}

/** A module that exports the validators by their names, with all that they need. */
async function validators() {
  const [{ Ajv2020 }, { default: standalone }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv/dist/standalone/index.js"),
  ]);
  const schemas = await checkedSchemas();
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    messages: false,
    strictTypes: false,
    code: { source: true, esm: true },
  });
  for (const [name, schema] of schemas) ajv.addSchema(schema, name);
  const names = [...schemas.keys()];
  const code = standalone(ajv, Object.fromEntries(names.map((name) => [name, name])));
  return bundled(`${code}\nexport const validators = { ${names.join(", ")} };`, { format: "cjs", minify: true });
}

/** The schemas, composed by the program's own source. */
async function checkedSchemas() {
  const text = await bundled(
    'export { checkedSchemas } from "./src/config/schema/checked-schemas.ts"; export { kinds } from "./src/kinds/index.ts";',
    // The source reads its files from beside itself.
    { define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "src/core/package-file.ts")).href) } },
  );
  const source = await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
  return source.checkedSchemas(source.kinds);
}

async function bundled(contents, options) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    ...options,
  });
  return outputFiles[0].text;
}
