/** What an apply leaves to remember. Losing it loses no correctness: such a field is then reported, and not sent again. */

import type { Configuration } from "../../config/load/configuration.ts";
import {
  CONCEALED,
  concealments,
  hash,
  heldBack,
  type Lock,
  REFUSED,
  refusals,
  UNDECLARED,
  UNSENT,
} from "../../match/last-applied.ts";
import { sendable } from "../diff/compare.ts";
import type { Plan } from "../plan.ts";

/**
 * What to remember after an apply whose verifying plan is given: the fields that it could not read, as they are declared
 * or left out, and of those that mention others whether any apply has sent them; the lists that the service would not shorten, as long as they are
 * declared as they are now, and the entries that it would not delete; and which fields hold values from the environment, until
 * something else is declared of them or their entry is gone.
 */
export function remembered(
  configuration: Configuration,
  applied: Plan["operations"],
  verifying: Plan,
  before: Lock,
): Lock {
  const declared = new Map(configuration.declared.map((entry) => [entry.address, entry]));
  const open = new Set(
    verifying.operations
      .filter(({ retains }) => retains !== undefined)
      .flatMap(({ address, body }) => Object.keys(body ?? {}).map((field) => `${address}#${field}${REFUSED}`)),
  );
  const refused = [...open, ...Object.keys(refusals(before))].flatMap(
    (name): readonly (readonly [string, string])[] => {
      const at = name.lastIndexOf("#");
      const value = declared.get(name.slice(0, at))?.fields[name.slice(at + 1, -REFUSED.length)];
      if (value === undefined) return [];
      return open.has(name) || before[name] === hash(value) ? [[name, hash(value)]] : [];
    },
  );
  // The apply is verified, so what it meant to delete and what stays was refused, whatever the plan after it sees pointing there.
  const tried = new Set(applied.filter(isRetainingDeletion).map(({ address }) => address));
  const staying = verifying.warnings.flatMap(({ code, address }) => (code === "W_RETAINED" ? (address ?? []) : []));
  const held = [
    ...verifying.operations.filter(isRetainingDeletion),
    ...staying
      .filter((address) => tried.has(address) || before[heldBack(address)] !== undefined)
      .map((address) => ({ address })),
  ].map(({ address }): readonly [string, string] => [heldBack(address), hash(null)]);
  const sent = new Set(
    applied.flatMap(({ address, body }) => Object.keys(body ?? {}).map((field) => `${address}#${field}`)),
  );
  const pairs = verifying.unreadable.flatMap(({ address, path }): readonly (readonly [string, string])[] => {
    const entry = declared.get(address);
    if (entry === undefined) return [];
    // A secret is not remembered, not even as a hash: a short one could be guessed from it.
    if (entry.secrets.some((pointer) => pointer === path || pointer.startsWith(`${path}/`))) return [];
    const field = path.slice(1);
    const value = sendable(entry.kind, entry.fields)[field];
    const name = `${address}#${field}`;
    if (value === undefined) return [[name, UNDECLARED]];
    if (entry.kind.fields?.[field]?.holdsReferences !== true) return [[name, hash(value)]];
    const isSent = sent.has(name) || (before[name] === hash(value) && before[`${name}${UNSENT}`] === undefined);
    return isSent ? [[name, hash(value)]] : [name, `${name}${UNSENT}`].map((each) => [each, hash(value)]);
  });
  const concealed = concealedNow(configuration, applied, before);
  return Object.fromEntries(
    [...pairs, ...refused, ...held, ...concealed].sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function isRetainingDeletion({ method, retains }: Plan["operations"][number]): boolean {
  return method === "DELETE" && retains !== undefined;
}

/** The names of fields that an apply, this one or an earlier one, has set from the environment. */
function concealedNow(
  { declared }: Configuration,
  applied: Plan["operations"],
  before: Lock,
): readonly (readonly [string, string])[] {
  const own = declared.flatMap(({ address, secrets }) =>
    secrets.map((pointer) => `${address}#${pointer.split("/")[1] ?? ""}${CONCEALED}`),
  );
  const stated = new Set(
    declared.flatMap(({ address, fields }) => Object.keys(fields).map((field) => `${address}#${field}${CONCEALED}`)),
  );
  // What could only be disabled is there, and holds what it held.
  const gone = applied
    .filter(({ method, fallback, retains }) => method === "DELETE" && fallback === undefined && retains === undefined)
    .map(({ address }) => `${address}#`);
  const former = Object.keys(concealments(before)).filter(
    (name) => !stated.has(name) && !gone.some((start) => name.startsWith(start)),
  );
  return [...new Set([...own, ...former])].map((name) => [name, hash(null)]);
}
