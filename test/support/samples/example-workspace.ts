/** The example workspace, room by room; changed copies of it are written to a folder of their own. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Configuration } from "../../../src/config/load/configuration.ts";
import { load } from "../../../src/config/load/load.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";

/** Where the examples lie. */
export const folder: string = fileURLToPath(new URL("../../../examples", import.meta.url));

/** Every room, in the order of the registry. */
export const rooms: readonly string[] = [...new Set(kinds.map(({ module: room }) => room))];

/** The room and every room that its entries may mention, directly or not. */
export function withMentioned(room: string): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const mentioned = kinds
      .filter((kind) => kind.module === name)
      .flatMap(({ references: { dependsOn: after = [] } = {} }) => after);
    for (const kind of kinds) if (mentioned.includes(kind.name)) visit(kind.module);
  };
  visit(room);
  return rooms.filter((name) => found.has(name));
}

/** What a room's example says, before anything is put in for its variables. */
export function exampleOf(room: string): Fields {
  return parse(readFileSync(join(folder, `${room}.yaml`), "utf8"));
}

/** Loads the examples of some rooms, with the contents of some replaced. */
export async function loadExamples(
  chosen: readonly string[],
  changed: ReadonlyMap<string, Fields> = new Map(),
): Promise<Configuration> {
  const options = { kinds, env: {}, cwd: folder };
  const paths = (at: string) => chosen.map((room) => join(at, `${room}.yaml`));
  if (changed.size === 0) return load(paths(folder), options);
  const copy = mkdtempSync(join(tmpdir(), "incidentctl-examples-"));
  try {
    cpSync(folder, copy, { recursive: true });
    // Every JSON text is a YAML text.
    for (const [room, document] of changed)
      writeFileSync(join(copy, `${room}.yaml`), JSON.stringify(document, null, 2));
    return await load(paths(copy), options);
  } finally {
    rmSync(copy, { recursive: true });
  }
}
