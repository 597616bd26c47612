/** Every planted mutant. */

import { custodyMutants } from "./list/custody.ts";
import { driftMutants } from "./list/drift.ts";
import { environmentMutants } from "./list/environment.ts";
import { inputMutants } from "./list/input.ts";
import { meetingMutants } from "./list/meeting.ts";
import { removalMutants } from "./list/removal.ts";
import { requestMutants } from "./list/requests.ts";
import { routingMutants } from "./list/routing.ts";
import { sequenceMutants } from "./list/sequence.ts";
import { speedMutants } from "./list/speed.ts";
import type { Mutant } from "./mutant.ts";

/** The list, room by room. */
export const mutants: readonly Mutant[] = [
  ...requestMutants,
  ...custodyMutants,
  ...inputMutants,
  ...meetingMutants,
  ...routingMutants,
  ...removalMutants,
  ...sequenceMutants,
  ...driftMutants,
  ...environmentMutants,
  ...speedMutants,
];
