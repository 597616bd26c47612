/** An emulator in this process, every request of which passes through a wrapper. */

import { emulatorTarget } from "../../src/app/conformance/conformance-command.ts";
import type { OpenedTarget } from "../../src/conformance/check.ts";
import type { FetchFunction } from "../../src/conformance/client.ts";
import type { EmulatorOptions } from "../../src/emulator/emulator.ts";

/** The target of a fresh emulator behind the wrapper. */
export function wrapEmulatorTarget(
  wrap: (fetch: FetchFunction, adminToken: string) => FetchFunction,
  options: Pick<EmulatorOptions, "dialects"> = {},
): OpenedTarget {
  const { target, emulator, close } = emulatorTarget(options);
  return { target: { ...target, fetch: wrap(emulator.fetch, emulator.adminToken) }, close };
}
