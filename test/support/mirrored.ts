/** What files would have to say, from what is declared and what was read, in memory. */

import { declarable } from "../../src/config/edit/declarable.ts";
import type { Fields } from "../../src/core/json.ts";
import { kinds } from "../../src/kinds/index.ts";
import { type MirroredList, mirrored } from "../../src/pull/desired-files.ts";
import { configured } from "./configured.ts";
import { type Given, stateOf } from "./planned.ts";

/** A list of a document as it would have to be. */
export function listOf(document: Fields, given: Given, name: string, scope = ""): MirroredList {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  const configuration = configured(document, given.settings);
  return mirrored(configuration, stateOf(document, given), kind, scope, (entry) => declarable(entry, kinds));
}
