/**
 * The order of rooms and of their parts, as ARCHITECTURE.md, "Rooms", states it: a part imports the parts before it in its folder.
 * No file is part of an import circle, types included.
 */

const { existsSync, readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const page = readFileSync(join(__dirname, "ARCHITECTURE.md"), "utf8");
const [, rooms = "", parts = ""] =
  page
    .split("\n## Rooms\n")[1]
    ?.split(/^```(?:text)?$/m)
    .filter((_, at) => at !== 2) ?? [];

/** Folder below `src` → its parts in order. */
const orders = new Map([
  ["", [...rooms.matchAll(/^ {2}([a-z.-]+)\/? /gm)].map(([, name]) => name)],
  ...[...parts.matchAll(/^([a-z/-]+): (.+)$/gm)].map(([, folder, names]) => [folder, names.split(" ")]),
]);

/** Rooms that import one other room, or none: what the list says after "imports". */
const alone = [...rooms.matchAll(/^ {2}([a-z-]+)\/ .*; imports (nothing|([a-z]+) alone)$/gm)];

if (orders.get("").length < 8 || orders.size < 8 || alone.length < 3) {
  throw new Error('ARCHITECTURE.md, "Rooms", does not state the order of the rooms and of their parts.');
}

/** A regular expression for the paths of a part, a folder or a file. */
function pathOf(folder, part) {
  const path = ["src", folder, part].filter(Boolean).join("/").replaceAll(".", "\\.");
  return part.includes(".") ? `^${path}$` : `^${path}/`;
}

/** A rule for each part: it imports none of the parts after it. */
function rulesOf([folder, order]) {
  return order.slice(0, -1).map((part, at) => ({
    name: `order-${folder || "src"}-${part}`,
    comment: `${join("src", folder, part)} may import the parts before it: ${order.slice(0, at).join(", ") || "none"}.`,
    severity: "error",
    from: { path: pathOf(folder, part) },
    to: { path: order.slice(at + 1).map((later) => pathOf(folder, later)) },
  }));
}

/** Parts of a folder that its line does not name, and folders with parts that have no line. */
function unlisted(folder = "") {
  const root = join(__dirname, "src", folder);
  const entries = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const files = entries.map(({ name }) => name).filter((name) => /(?<!\.d)\.tsx?$/.test(name));
  const order = orders.get(folder);
  const missing = folders.length > 0 ? [...folders, ...files].filter((name) => !order?.includes(name)) : [];
  return [
    ...missing.map((name) => join("src", folder, name)),
    ...folders.flatMap((name) => unlisted(folder === "" ? name : `${folder}/${name}`)),
  ];
}

const missing = unlisted();
if (missing.length > 0) {
  throw new Error(`Add to the lists of ARCHITECTURE.md, "Rooms", at the right place: ${missing.join(", ")}.`);
}

module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    ...[...orders].flatMap(rulesOf),
    ...alone.map(([, room, , only = room]) => ({
      name: `alone-${room}`,
      comment: `${room}/ imports ${only === room ? "no other room" : `${only}/ alone`}.`,
      severity: "error",
      from: { path: `^src/${room}/` },
      to: { path: "^src/", pathNot: `^src/(${room}|${only})/` },
    })),
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "node", "default"] },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^node:|#validators|#plan-validator|#page-assets|#web-assets)" },
  },
};
