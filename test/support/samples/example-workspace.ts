/** The example workspace, one file for each module of kinds. Changed copies are written to a temporary folder. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { load } from "../../../src/config/load/load.ts";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";

export const folder: string = fileURLToPath(new URL("../../../examples", import.meta.url));

/** All modules of kinds, in the order of the registry. */
export const modules: readonly string[] = [...new Set(kinds.map(({ module }) => module))];

/** A module and all modules that its resources may refer to, directly or indirectly. */
export function withReferenced(module: string): readonly string[] {
  const visited = new Set<string>();
  const visit = (name: string) => {
    if (visited.has(name)) return;
    visited.add(name);
    const referenced = kinds
      .filter((kind) => kind.module === name)
      .flatMap(({ references: { dependsOn = [] } = {} }) => dependsOn);
    for (const kind of kinds) if (referenced.includes(kind.name)) visit(kind.module);
  };
  visit(module);
  return modules.filter((name) => visited.has(name));
}

/** The parsed example of a module, with its variables as written. */
export function exampleOf(module: string): Fields {
  return parse(readFileSync(join(folder, `${module}.yaml`), "utf8"));
}

/** Loads the examples of some modules, with the contents of some replaced. */
export async function loadExamples(
  chosen: readonly string[],
  changed: ReadonlyMap<string, Fields> = new Map(),
): Promise<Configuration> {
  const copy = mkdtempSync(join(tmpdir(), "incidentctl-examples-"));
  try {
    cpSync(folder, copy, { recursive: true });
    const isOther = (file: string): boolean =>
      file.endsWith(".yaml") && file !== "incidentctl.yaml" && !chosen.includes(file.slice(0, -".yaml".length));
    for (const file of readdirSync(copy).filter(isOther)) rmSync(join(copy, file));
    // JSON is valid YAML.
    for (const [module, document] of changed)
      writeFileSync(join(copy, `${module}.yaml`), JSON.stringify(document, null, 2));
    return await load([copy], { kinds, env: {}, cwd: copy });
  } finally {
    rmSync(copy, { recursive: true });
  }
}
