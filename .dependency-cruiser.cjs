/**
 * The layers of `src`, as the table "Folders" in ARCHITECTURE.md states them: a folder imports itself, `core/`, and what its row names.
 * No file is part of an import circle, types included.
 */

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** Rows of the table: folder → the folders that it may import. */
function folders() {
  const text = readFileSync(join(__dirname, "ARCHITECTURE.md"), "utf8");
  const [, section = ""] = text.split("\n## Folders\n");
  const rows = section.split("\n## ")[0].matchAll(/^\| `([a-z-]+)\/` \|[^|]*\|([^|]*)\|/gm);
  return [...rows].map(([, name, may]) => ({ name, may: [...may.matchAll(/`([a-z-]+)`/g)].map(([, other]) => other) }));
}

const layers = folders();
if (layers.length < 10) throw new Error("ARCHITECTURE.md has no table of folders");

module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    ...layers.map(({ name, may }) => ({
      name: `layers-${name}`,
      comment: `${name}/ may import ${["core", ...may].join(", ")} (ARCHITECTURE.md, "Folders").`,
      severity: "error",
      from: { path: `^src/${name}/` },
      to: { path: "^src/", pathNot: `^src/(${[name, "core", ...may].join("|")})/` },
    })),
    {
      name: "every-folder-has-a-row",
      severity: "error",
      from: { path: "^src/[^/]+/", pathNot: `^src/(${layers.map(({ name }) => name).join("|")})/` },
      to: {},
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "node", "default"] },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^node:|#validators|#plan-validator|#web-assets)" },
  },
};
