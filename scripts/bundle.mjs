/**
 * Bundles the program and the library: dist/cli.cjs, dist/index.js, the files in dist/bundle/ that they load, and the licences of the
 * packages that are in them. Only the database stays a package, since it reads a file from beside itself.
 *
 * Most of a short run is start, so a start loads little:
 *
 * - The files are CommonJS. Loading one ES module takes a fifth of the time of an empty Node before it does anything.
 * - What only some runs need is behind `import()` in the source: each command, the emulator, undici, the parser for editing YAML, pages.
 *   The bundler makes a file for each of them.
 * - What they share is in few files, since each file takes longer to open than to compile: `groups` below. Without them `validate`
 *   loads twenty files instead of seven.
 * - Schemas are compiled when the program is built (compile-validators.mjs).
 * - Two modules are replaced by smaller ones (substitutes/).
 * - The state of js-yaml's parser is made without spreads. With them V8 gives it another hidden class at each call once the function is
 *   warm, and a file of 1 MB takes 100 ms to parse instead of 30: in an editor, at each keystroke.
 *
 * `test/app/cli/start.test.ts` names the files and packages that a start loads.
 */

import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/**
 * Modules that are one file together with everything that they load at once and no group before them has: of every start, of every
 * command, of commands that load the configuration, of commands that plan, of the emulator, of serving it.
 */
const groups = {
  program: /src.app.cli.command-line\.ts$/,
  command:
    /src.(app.console.(console|error-report|require-folder|save-file)|app.session.v8-flags|core.(clock|url))\.ts$/,
  configuration: /src.app.files.validate-command\.ts$/,
  plan: /src.app.plan.plan-command\.ts$/,
  "embedded-service": /src.emulator.emulator\.ts$/,
  serve: /src.emulator.(serve|web.web-pages)\.ts$/,
};

/** A text of js-yaml, and what is in its place. */
const SPREADS = [
  /\.\.\.DEFAULT_PARSER_OPTIONS,\s*\.\.\.options,(?=\s*input:)/,
  "filename: DEFAULT_PARSER_OPTIONS.filename, maxDepth: options.maxDepth,",
];

const { output } = await build({
  cwd: root,
  input: { cli: "src/cli.ts", "bundle/library": "src/index.ts" },
  platform: "node",
  plugins: [
    {
      name: "parser-state",
      transform: {
        filter: { id: /js-yaml\.mjs$/ },
        handler(code) {
          if (!SPREADS[0].test(code))
            throw new Error("js-yaml makes the state of its parser otherwise: measure it again");
          return code.replace(...SPREADS);
        },
      },
    },
  ],
  external: ["node-sqlite3-wasm", /^#/],
  resolve: {
    alias: {
      undici$: join(root, "scripts/substitutes/undici.mjs"),
      "node:child_process": join(root, "scripts/substitutes/child-process.mjs"),
    },
  },
  output: {
    dir: dist,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "bundle/[name].cjs",
    codeSplitting: { groups: Object.entries(groups).map(([name, test]) => ({ name, test })) },
    comments: false,
    dynamicImportInCjs: false,
    paths: (id) => (id.startsWith("#") ? `../${id.slice(1)}.cjs` : id),
  },
});
await chmod(join(dist, "cli.cjs"), 0o755);
const names = output.find(({ name }) => name === "bundle/library").exports.map((name) => `  ${name},\n`);
await writeFile(join(dist, "index.js"), `export {\n${names.join("")}} from "./bundle/library.cjs";\n`);
await writeFile(join(dist, "bundle", "licenses.txt"), await licences(output.flatMap(({ moduleIds }) => moduleIds)));

/** The licence of every package that one of the modules is from, and of ajv, of which the validators have a part. */
async function licences(modules) {
  const packages = modules.flatMap((path) => /^.*node_modules.(?:@[^/\\]+.)?[^/\\]+/.exec(path) ?? []);
  const texts = [...new Set([join(root, "node_modules", "ajv"), ...packages])].sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
    if (file === undefined) throw new Error(`${folder} has no licence`);
    return `${name} ${version}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
