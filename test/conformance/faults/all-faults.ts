/** The planted faults: services that each break one rule, for showing that the suite can fail. */

import { configurationFaults } from "./configuration.ts";
import { generalFaults } from "./general.ts";
import { incidentFaults } from "./incidents.ts";
import type { PlantedFault } from "./planted-fault.ts";
import { tokenFaults } from "./tokens.ts";

export const allFaults: readonly PlantedFault[] = [
  ...configurationFaults,
  ...tokenFaults,
  ...incidentFaults,
  ...generalFaults,
];
