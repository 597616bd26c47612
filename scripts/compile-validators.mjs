/**
 * Compiles the validators of all schemas into dist/, so that the program needs no compiler of schemas: validators.cjs for files of a
 * configuration, plan-validator.cjs for saved plans, which few commands read. Files whose sources have not changed are left alone.
 * With `--print FILE` one of them is printed and nothing is written.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
/** Sources of the validators and of their compiler. */
const sources = [
  "schemas",
  "src/kinds",
  "src/config/schema/checked-schemas.ts",
  "src/config/schema/settings-schema.ts",
  "src/config/schema/schema.ts",
  "scripts/compile-validators.mjs",
  "package.json",
];
const compilers = { "validators.cjs": validators, "plan-validator.cjs": planValidator };

const [flag, name] = process.argv.slice(2);
if (flag === "--print") process.stdout.write(await compilers[name]());
else {
  const heading = `// Compiled by scripts/compile-validators.mjs from ${fingerprint(sources)}.\n`;
  for (const [file, compile] of Object.entries(compilers)) {
    const target = join(dist, file);
    if (existsSync(target) && readFileSync(target, "utf8").startsWith(heading)) continue;
    mkdirSync(dist, { recursive: true });
    // Renamed when it is complete, so that no process reads half of it.
    const whole = `${target}.${process.pid}`;
    writeFileSync(whole, heading + (await compile()));
    renameSync(whole, target);
  }
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
    .filter((name) => !name.endsWith(".schema.json") && name !== "openapi.json")
    .sort()
    .flatMap((name) => filesAt(`${path}/${name}`));
}

/** A module that exports the validators of configuration files by their names. They find every violation, with the value that it is about. */
async function validators() {
  const schemas = await checkedSchemas();
  return compiled(schemas, { allErrors: true, verbose: true }, (names) => `validators = { ${names.join(", ")} }`);
}

/** A module that exports the validator of plans, which stops at the first violation. Descriptions are left out of it. */
async function planValidator() {
  const text = readFileSync(join(root, "schemas", "plan.json"), "utf8");
  const schema = JSON.parse(text, (key, value) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
  return compiled(new Map([["validatePlan", schema]]), {}, () => "isPlan = validatePlan");
}

/** A module with the validators of these schemas, and the one export that is made of their names. */
async function compiled(schemas, options, exported) {
  const [{ Ajv2020 }, { default: standalone }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv/dist/standalone/index.js"),
  ]);
  const ajv = new Ajv2020({ ...options, messages: false, strictTypes: false, code: { source: true, esm: true } });
  for (const [name, schema] of schemas) ajv.addSchema(schema, name);
  const names = [...schemas.keys()];
  const code = standalone(ajv, Object.fromEntries(names.map((name) => [name, name])));
  return bundled(`${code}\nexport const ${exported(names)};`, { format: "cjs", minify: true });
}

/** The schemas, composed by the program's own source. */
async function checkedSchemas() {
  const text = await bundled(
    'export { checkedSchemas } from "./src/config/schema/checked-schemas.ts"; export { kinds } from "./src/kinds/index.ts";',
    { format: "esm" },
    // The source reads its files from beside itself.
    { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "src/core/package.ts")).href) },
  );
  const source = await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
  return source.checkedSchemas(source.kinds);
}

/** A module with all that it imports, as text. It lies in the root of the project. */
async function bundled(text, output, define = {}) {
  const { build } = await import("rolldown");
  const input = join(root, "bundled.mjs");
  const own = {
    name: "text",
    load: (id) => (id === input ? text : null),
    resolveId: (id) => (id === input ? id : null),
  };
  const { output: files } = await build({
    input,
    platform: "node",
    plugins: [own],
    transform: { define },
    output,
    write: false,
  });
  return files[0].code;
}
