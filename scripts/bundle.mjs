/**
 * Bundles the program of the command line: dist/cli.js, and below dist/cli/ a file for whatever is loaded at the same time.
 * Of the packages only the database is left outside, since it reads a file from beside itself; the licences of the others
 * come with them.
 */

import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const entry = join(dist, "cli.js");

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: [{ in: "src/cli.ts", out: "cli" }],
  outdir: dist,
  chunkNames: "cli/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: ["node-sqlite3-wasm"],
  plugins: [partOfUndici()],
  legalComments: "none",
  minifySyntax: true,
  metafile: true,
  write: false,
});
await mkdir(join(dist, "cli"), { recursive: true });
const current = new Set(["licenses.txt", ...outputFiles.map(({ path }) => basename(path))]);
await write(join(dist, "cli", "licenses.txt"), await licences());
// The entry comes last: until then it leads to files that are still there.
for (const { path, text } of outputFiles.toSorted(({ path }) => (path === entry ? 1 : -1))) {
  await write(path, withRequire(text), path === entry ? 0o755 : 0o644);
}
for (const name of await readdir(join(dist, "cli"))) if (!current.has(name)) await rm(join(dist, "cli", name));

/** Nobody ever reads half a file. */
async function write(path, text, mode = 0o644) {
  const whole = `${path}.${process.pid}`;
  await writeFile(whole, text);
  await chmod(whole, mode);
  await rename(whole, path);
}

/** Packages in the older format ask by `require` for what belongs to Node; in a module nobody has one. */
function withRequire(text) {
  if (!text.includes("Dynamic require of")) return text;
  return `const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);\n${text}`;
}

/** Of undici only what its door asks for, and not the whole index. */
function partOfUndici() {
  const contents = `
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

/** The licence of every package that is in the bundle. The validators hold a part of ajv. */
async function licences() {
  const paths = Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const texts = [...new Set(["node_modules/ajv", ...paths])].sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
    const file = (await readdir(join(root, folder))).find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
    if (file === undefined) throw new Error(`${folder} has no licence`);
    return `${name} ${version}\n\n${(await readFile(join(root, folder, file), "utf8")).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
