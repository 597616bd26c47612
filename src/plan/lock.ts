/** What an apply leaves to remember. Losing it loses no correctness: such a field is then reported, and not sent again. */

import type { Configuration } from "../config/configuration.ts";
import { sendable } from "./compare.ts";
import { hash, type Lock, UNDECLARED } from "./memory.ts";
import type { Plan } from "./plan.ts";

/** What to remember after an apply whose verifying plan is given: the fields that it could not read, as they are declared or left out. */
export function remembered(configuration: Configuration, verifying: Plan): Lock {
  const declared = new Map(configuration.declared.map((entry) => [entry.address, entry]));
  const pairs = verifying.unreadable.flatMap(({ address, path }): readonly (readonly [string, string])[] => {
    const entry = declared.get(address);
    const field = path.slice(1);
    const value = entry === undefined ? undefined : sendable(entry.kind, entry.fields)[field];
    // A secret is not remembered, not even as a hash: a short one could be guessed from it.
    const secret = entry?.secrets.some((pointer) => pointer === path || pointer.startsWith(`${path}/`)) === true;
    if (entry === undefined || secret) return [];
    return [[`${address}#${field}`, value === undefined ? UNDECLARED : hash(value)]];
  });
  return Object.fromEntries([...pairs].sort(([left], [right]) => (left < right ? -1 : 1)));
}
