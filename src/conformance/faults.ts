/** The planted faults: services that each break one rule, for showing that the suite can fail. */

import type { Fault } from "./fault.ts";
import { configurationFaults } from "./faults/configuration.ts";
import { generalFaults } from "./faults/general.ts";
import { incidentFaults } from "./faults/incidents.ts";
import { tokenFaults } from "./faults/tokens.ts";

/** Every planted fault. */
export const faults: readonly Fault[] = [...configurationFaults, ...tokenFaults, ...incidentFaults, ...generalFaults];
