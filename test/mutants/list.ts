/** Every planted mutant. */

import { catalogSourceMutants } from "./list/catalog-sources.ts";
import { driftMutants } from "./list/drift.ts";
import { environmentMutants } from "./list/environment.ts";
import { inputMutants } from "./list/input.ts";
import { journalMutants } from "./list/journal.ts";
import { tokenMutants } from "./list/one-time-tokens.ts";
import { plannerMutants } from "./list/planner.ts";
import { rehearsalMutants } from "./list/rehearsal.ts";
import { requestMutants } from "./list/requests.ts";
import { writeMutants } from "./list/writes.ts";
import type { Mutant } from "./mutant.ts";

/** The list, one file for each subject. */
export const mutants: readonly Mutant[] = [
  ...requestMutants,
  ...writeMutants,
  ...journalMutants,
  ...tokenMutants,
  ...inputMutants,
  ...plannerMutants,
  ...driftMutants,
  ...environmentMutants,
  ...rehearsalMutants,
  ...catalogSourceMutants,
];
