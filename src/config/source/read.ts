/** Reads a file for what it says: by the quick reader where that takes it, by the thorough one otherwise. */

import type { Findings } from "../load/findings.ts";
import type { Limits } from "./limits.ts";
import type { Source } from "./source.ts";
import { readAgainBy } from "./spot.ts";
import type { Node } from "./tree.ts";
import { quickTree } from "./yaml-events.ts";

/**
 * The only document of the file; undefined when it holds none or anything in it was refused. Where nothing is `laidOver` it,
 * and reading it is quick, the tree need not be kept. `known` holds texts that recur in the files.
 */
export async function readTree(
  source: Source,
  limits: Limits,
  findings: Findings,
  laidOver: boolean,
  known: Map<string, string>,
): Promise<Node | undefined> {
  const quick = quickTree(source.text, limits, known);
  if (quick !== undefined) {
    if (!laidOver) readAgainBy(source, () => quickTree(source.text, limits));
    return quick;
  }
  const { parse } = await import("./yaml.ts");
  return parse(source, limits, findings);
}
