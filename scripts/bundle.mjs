/**
 * Bundles the program of the command line: dist/cli.cjs, and below dist/cli/ a file for whatever is loaded at the same time.
 * Of the packages only the database is left outside, since it reads a file from beside itself; the licences of the others
 * come with them.
 */

import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleInLayers } from "./layers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const folder = join(dist, "cli");

/** What every run loads; what every command loads, and what the emulator shares with others; what loads files; what plans;
 * the emulator. */
const layers = [
  ["program", ["src/cli/program.ts"]],
  [
    "command",
    ["src/output/console.ts", "src/output/error-report.ts", "src/output/require-folder.ts", "src/core/url.ts"],
  ],
  ["files", ["src/commands/validate.ts"]],
  ["service", ["src/commands/plan.ts"]],
  ["emulator", ["src/emulator/emulator.ts"]],
];

const { files, sources } = await bundleInLayers("src/cli.ts", layers, {
  root,
  outdir: folder,
  external: ["node-sqlite3-wasm"],
  plugins: [partOfUndici(), ownVersion(), sharedValidators(), builtinsWhenCalled()],
});
await mkdir(folder, { recursive: true });
for (const { path, text } of files) await write(path, text);
await write(join(folder, "licenses.txt"), await licences());
await write(join(dist, "cli.cjs"), await entry(), 0o755);
const current = new Set(["licenses.txt", ...files.map(({ path }) => basename(path))]);
for (const name of await readdir(folder)) if (!current.has(name)) await rm(join(folder, name));

/** What leads to the program. */
async function entry() {
  const path = join(root, "src", "cli.ts");
  const text = (await readFile(path, "utf8")).replace('"./cli/program.ts"', '"./cli/program.cjs"');
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: join(root, "src"), sourcefile: "cli.ts", loader: "ts" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "dynamic-import": false },
    external: ["./cli/program.cjs"],
    write: false,
  });
  return outputFiles[0].text;
}

/** Nobody ever reads half a file. */
async function write(path, text, mode = 0o644) {
  const whole = `${path}.${process.pid}`;
  await writeFile(whole, text);
  await chmod(whole, mode);
  await rename(whole, path);
}

/** Of undici only what its door asks for, and not the whole index, which adds to every dispatcher what a tunnel is made with. */
function partOfUndici() {
  const contents = `
    import connect from "undici/lib/api/api-connect.js";
    import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
    Dispatcher.prototype.connect = connect;
    export { default as EnvHttpProxyAgent } from "undici/lib/dispatcher/env-http-proxy-agent.js";
    export { setGlobalDispatcher } from "undici/lib/global.js";
  `;
  return {
    name: "part of undici",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "part" }));
      onLoad({ filter: /.*/, namespace: "part" }, () => ({ contents, resolveDir: root }));
    },
  };
}

/** The version is in the bundle, and not read from package.json at every start. */
function ownVersion() {
  const reading = 'readFileSync(new URL("../../package.json", import.meta.url), "utf8")';
  return replaced(/\/src\/core\/version\.ts$/, reading, async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    return JSON.stringify(JSON.stringify({ version }));
  });
}

/** Puts something else in the place of a text of a module. */
function replaced(filter, text, made) {
  return {
    name: `in the place of ${text}`,
    setup({ onLoad }) {
      onLoad({ filter }, async ({ path }) => {
        const contents = await readFile(path, "utf8");
        if (!contents.includes(text)) throw new Error(`${path} does not hold ${text}`);
        const instead = await made();
        return { contents: contents.replace(text, () => instead), loader: "ts" };
      });
    },
  };
}

/** The validators are the same files for the library and the program. */
function sharedValidators() {
  return {
    name: "shared validators",
    setup({ onResolve }) {
      onResolve({ filter: /^#[a-z-]*validators?$/ }, ({ path }) => ({
        path: `../${path.slice(1)}.cjs`,
        external: true,
      }));
    },
  };
}

/** What of Node takes long to load, and is seldom called, is loaded when it is called. */
function builtinsWhenCalled() {
  const functions = {
    "node:child_process": ["spawn"],
    "node:crypto": ["createHash", "createHmac", "randomBytes", "randomUUID", "timingSafeEqual"],
    "node:dns": ["lookup"],
    "node:v8": ["setFlagsFromString"],
    "node:zlib": ["crc32"],
  };
  return {
    name: "builtins when called",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, importer, kind }) =>
        path in functions && kind !== "dynamic-import" && !importer.includes("/undici/")
          ? { path, namespace: "when called" }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: "when called" }, ({ path }) => ({
        contents: functions[path]
          .map((name) => `export const ${name} = (...given) => process.getBuiltinModule("${path}").${name}(...given);`)
          .join("\n"),
      }));
    },
  };
}

/** The licence of every package that is in the bundle. The validators hold a part of ajv. */
async function licences() {
  const paths = sources.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const texts = [...new Set(["node_modules/ajv", ...paths])].sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
    const file = (await readdir(join(root, folder))).find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
    if (file === undefined) throw new Error(`${folder} has no licence`);
    return `${name} ${version}\n\n${(await readFile(join(root, folder, file), "utf8")).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
