/** The desired content of files after a pull, computed in memory. */

import { DesiredFiles } from "../../../src/app/pull/desired-files.ts";
import type { DesiredList } from "../../../src/app/pull/desired-list.ts";
import { declarableFields } from "../../../src/config/edit/declarable.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { type PlanInput, resolvedOf } from "./make-plan.ts";

/** The desired content of one list of a document. */
export function listOf(document: Fields, given: PlanInput, name: string, scope = ""): DesiredList {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  const { state, graph } = resolvedOf(document, given);
  return new DesiredFiles(state, graph, (live) => declarableFields(live, kinds)).list(kind, scope);
}
