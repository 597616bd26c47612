/** Judges a run of another test as those of the random cases. */

import { expect } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Emulator } from "../../../src/emulator/emulator.ts";
import { DifferentialService, type Snapshot } from "../service.ts";
import { faultsOf } from "./judge.ts";

/** What a service with a control surface has. */
export function snapshotOf(emulator: Emulator): Promise<Snapshot> {
  return new DifferentialService(emulator).snapshot();
}

/** Fails unless the run left the workspace as declared, and everything else as it was. */
export async function expectRun(emulator: Emulator, document: Fields, before: Snapshot): Promise<void> {
  const isFullyReadable = emulator.dialects.readable === "full";
  const judging = { isFullyReadable, isWhole: true, mayStay: true };
  expect(faultsOf(document, before, await snapshotOf(emulator), judging)).toEqual([]);
}
