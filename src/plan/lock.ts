/** What an apply leaves to remember. Losing it loses no correctness: such a field is then reported, and not sent again. */

import type { Configuration } from "../config/configuration.ts";
import { sendable } from "./compare.ts";
import { hash, heldBack, type Lock, REFUSED, refusals, UNDECLARED, UNSENT } from "./memory.ts";
import type { Plan } from "./plan.ts";

/**
 * What to remember after an apply whose verifying plan is given: the fields that it could not read, as they are declared
 * or left out, and of those that mention others whether any apply has sent them; the lists that the service would not shorten, as long as they are
 * declared as they are now, and the entries that it would not delete.
 */
export function remembered(
  configuration: Configuration,
  applied: Plan["operations"],
  verifying: Plan,
  before: Lock,
): Lock {
  const declared = new Map(configuration.declared.map((entry) => [entry.address, entry]));
  const open = verifying.operations.flatMap(({ address, body, retains }): readonly (readonly [string, string])[] =>
    retains === undefined ? [] : Object.keys(body ?? {}).map((field) => [address, field]),
  );
  const known = Object.keys(refusals(before)).map((name): readonly [string, string] => {
    const at = name.lastIndexOf("#");
    return [name.slice(0, at), name.slice(at + 1, -REFUSED.length)];
  });
  const refused = [...open, ...known].flatMap(([address, field]): readonly (readonly [string, string])[] => {
    const value = declared.get(address)?.fields[field];
    const name = `${address}#${field}${REFUSED}`;
    if (value === undefined) return [];
    const isOpen = open.some(([other, one]) => other === address && one === field);
    return isOpen || before[name] === hash(value) ? [[name, hash(value)]] : [];
  });
  const staying = verifying.warnings.flatMap(({ code, address }) => (code === "W_RETAINED" ? (address ?? []) : []));
  const held = [
    ...verifying.operations.filter(({ method, retains }) => method === "DELETE" && retains !== undefined),
    ...staying.filter((address) => before[heldBack(address)] !== undefined).map((address) => ({ address })),
  ].map(({ address }): readonly [string, string] => [heldBack(address), hash(null)]);
  const sent = new Set(
    applied.flatMap(({ address, body }) => Object.keys(body ?? {}).map((field) => `${address}#${field}`)),
  );
  const pairs = verifying.unreadable.flatMap(({ address, path }): readonly (readonly [string, string])[] => {
    const entry = declared.get(address);
    const field = path.slice(1);
    const value = entry === undefined ? undefined : sendable(entry.kind, entry.fields)[field];
    // A secret is not remembered, not even as a hash: a short one could be guessed from it.
    const secret = entry?.secrets.some((pointer) => pointer === path || pointer.startsWith(`${path}/`)) === true;
    if (entry === undefined || secret) return [];
    const name = `${address}#${field}`;
    if (value === undefined) return [[name, UNDECLARED]];
    if (entry.kind.fields?.[field]?.mentions !== true) return [[name, hash(value)]];
    const isSent = sent.has(name) || (before[name] === hash(value) && before[`${name}${UNSENT}`] === undefined);
    return isSent ? [[name, hash(value)]] : [name, `${name}${UNSENT}`].map((each) => [each, hash(value)]);
  });
  return Object.fromEntries([...pairs, ...refused, ...held].sort(([left], [right]) => (left < right ? -1 : 1)));
}
