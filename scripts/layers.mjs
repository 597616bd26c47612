/**
 * Cuts the program into files by what is loaded together. Left to itself, esbuild makes a file for every set of commands that
 * share something, and opening a file takes longer than reading what is in it. So what nearly all runs need is put into
 * layers, a file each; only what lies above them is split.
 */

import { relative } from "node:path";
import { build, transform } from "esbuild";

/**
 * Bundles what `entry` loads while it runs, but not the entry. A layer is its name and the modules that it is there for; it
 * holds what they load at once and no earlier layer holds. Gives the files, as CommonJS, and every source that is in them.
 */
export async function bundleInLayers(entry, layers, { root, outdir, plugins, external }) {
  const options = {
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
  };
  const shared = {
    ...options,
    plugins,
    external,
    legalComments: "none",
    minifySyntax: true,
    outdir,
    outExtension: { ".js": ".cjs" },
    metafile: true,
  };
  const { metafile } = await build({ ...shared, entryPoints: [entry], splitting: true });
  const sources = metafile.inputs;
  const dynamic = new Set(Object.values(sources).flatMap(({ imports }) => targets(imports, isDynamic)));
  const homes = await homesOf(layers, sources, dynamic, options);
  const above = [...dynamic].filter((path) => !homes.has(path));
  const files = [];
  for (const [name] of layers) {
    const own = [...homes].filter(([, { layer }]) => layer === name);
    const contents = own.map(([path, { names }]) => exported(names, `./${path}`)).join("\n");
    const { outputFiles } = await build({
      ...shared,
      stdin: { contents, resolveDir: root },
      plugins: [lower(homes, name), ...plugins],
    });
    files.push(...outputFiles.map((file) => ({ ...file, path: file.path.replace(/stdin\.cjs$/, `${name}.cjs`) })));
  }
  const { outputFiles } = await build({
    ...shared,
    entryPoints: above.map((path) => ({ in: path, out: nameOf(path) })),
    splitting: true,
    plugins: [lower(homes), ...plugins],
    chunkNames: "shared-[hash]",
  });
  files.push(...outputFiles);
  return { files: await Promise.all(files.map(asCommonJs)), sources: Object.keys(sources) };
}

/**
 * The same file in the older format, since only the newer one can be split. Node loads that sooner: what is required is
 * read and compiled at once, and the loader of modules stays where it is.
 */
async function asCommonJs({ path, text }) {
  // Only remarks on licences are kept, and so would be what says where a part comes from.
  const { code } = await transform(withPlainBorders(text).replaceAll(/^\/\/ (?=\S+$)/gm, "//! "), {
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "moduleUrl" },
    legalComments: "inline",
  });
  const own = 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;\n';
  const marked = code.replaceAll(/^\/\/! /gm, "// ");
  return { path, text: marked.includes("moduleUrl") ? own + marked : marked };
}

/**
 * The same text, in which files give each other plain values, and each asks another one once. Each is whole before another one looks
 * into it, and what it gives out never changes: getters, as an export is made into otherwise, would only be two calls for each use.
 */
function withPlainBorders(text) {
  const members = (names, renamed) => names.replaceAll(/([^\s,]+) as ([^\s,]+)/g, renamed).replace(/,?\s*$/, "");
  const wanted = new Map();
  const plain = text
    .replaceAll(/^import \{([^{}]*)\} from ("\.[^"]+\.cjs");$/gm, (_, names, from) => {
      wanted.set(from, [...(wanted.get(from) ?? []), members(names, "$1: $2")]);
      return "";
    })
    .replaceAll(/^export \{([^{}]*)\};$/gm, (_, names) => `module.exports = {${members(names, "$2: $1")}};`)
    .replaceAll(/\bimport\(("\.[^"]+\.cjs")\)/g, "Promise.resolve().then(() => require($1))");
  if (/^export\b/m.test(plain)) throw new Error("what a file gives out is written in another way");
  const asked = [...wanted].map(([from, names]) => `const {${names.join(", ")}} = require(${from});\n`);
  return asked.join("") + plain;
}

/** Which layer each module is in, and by which name the layer gives out each of its exports. */
async function homesOf(layers, sources, dynamic, options) {
  const homes = new Map();
  for (const [layer, modules] of layers) {
    const taken = new Set();
    const own = [...reached(modules, sources)].filter((path) => !homes.has(path) && path.startsWith("src/"));
    // What is loaded while the program runs is looked for under the names that it has.
    own.sort((one, other) => Number(dynamic.has(other)) - Number(dynamic.has(one)));
    const exports = await exportsOf(own, options);
    for (const path of own) {
      const names = new Map(exports.get(path).map((name) => [name, free(name, taken)]));
      if (dynamic.has(path) && [...names].some(([name, given]) => name !== given)) {
        throw new Error(`${path} gives out a name that another module of ${layer} has`);
      }
      homes.set(path, { layer, names });
    }
  }
  return homes;
}

/** The name, or the first of its numbered variants that nobody has. */
function free(name, taken) {
  let given = name;
  for (let number = 2; taken.has(given); number += 1) given = `${name}$${number}`;
  taken.add(given);
  return given;
}

/** Every module that these load at once, and they themselves. */
function reached(modules, sources, seen = new Set()) {
  for (const path of modules) {
    if (seen.has(path)) continue;
    seen.add(path);
    reached(
      targets(sources[path].imports, (one) => !isDynamic(one)),
      sources,
      seen,
    );
  }
  return seen;
}

function targets(imports, wanted) {
  return imports.filter((one) => one.external !== true && wanted(one)).map(({ path }) => path);
}

function isDynamic({ kind }) {
  return kind === "dynamic-import";
}

async function exportsOf(paths, options) {
  const { metafile } = await build({
    ...options,
    entryPoints: paths,
    bundle: false,
    outdir: "unwritten",
    metafile: true,
  });
  const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  return new Map(outputs.map(({ entryPoint, exports }) => [entryPoint, exports]));
}

function exported(names, from) {
  return `export { ${[...names].map(([name, given]) => `${name} as ${given}`).join(", ")} } from "${from}";`;
}

/**
 * Modules of layers, other than the one that is being made, are found in their files, those that had to give up a name to
 * another by way of a module that gives it back; what is split is found under its own name.
 */
function lower(homes, own) {
  return {
    name: "lower layers",
    setup({ onResolve, onLoad, initialOptions, resolve }) {
      onResolve({ filter: /^\.{1,2}\// }, async ({ path, pluginData, ...rest }) => {
        if (pluginData === "resolved") return undefined;
        const found = await resolve(path, { ...rest, pluginData: "resolved" });
        const source = relative(initialOptions.absWorkingDir, found.path).replaceAll("\\", "/");
        const home = homes.get(source);
        if (isDynamic(rest)) return { path: `./${home?.layer ?? nameOf(source)}.cjs`, external: true };
        if (home === undefined || home.layer === own) return undefined;
        const renamed = [...home.names].some(([name, given]) => name !== given);
        return renamed ? { path: source, namespace: "renamed" } : { path: `./${home.layer}.cjs`, external: true };
      });
      onLoad({ filter: /.*/, namespace: "renamed" }, ({ path }) => {
        const { layer, names } = homes.get(path);
        const given = new Map([...names].map(([name, given]) => [given, name]));
        return { contents: exported(given, `layer:${layer}`) };
      });
      onResolve({ filter: /^layer:/ }, ({ path }) => ({ path: `${path.replace("layer:", "./")}.cjs`, external: true }));
    },
  };
}

/** The file of a module that is loaded while the program runs: `src/commands/plan.ts` is in `commands-plan.cjs`. */
function nameOf(path) {
  return path
    .replace(/^src\//, "")
    .replace(/\.ts$/, "")
    .replaceAll("/", "-");
}
