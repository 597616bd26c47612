/** The differences since a plan was made, in lines: files, live resources with their fields, and changes. */

import type { Json } from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import { cut, fieldPath, valueText } from "../../core/value-text.ts";
import type { FieldChange, Plan, SealedPlan } from "../../plan/model/plan.ts";

/** Characters of a value. */
const MAX_VALUE = 80;

type Digests = Readonly<Record<string, string>>;

/** The files that differ from those of the plan. Empty if the plan does not name its files. */
export function changedFiles(before: Digests | undefined, after: Digests): readonly string[] {
  if (before === undefined) return [];
  const lines = namesOf(before, after)
    .filter((file) => before[file] !== after[file])
    .map(
      (file) =>
        `${sanitised(file)} ${before[file] === undefined ? "is new" : after[file] === undefined ? "is gone" : "changed"}`,
    );
  if (lines.length > 0) return lines;
  return ["no file has changed: the environment, a variable or a name in a substitution is another one"];
}

/** Whether a resource with its id is in both states, so that they are of one workspace. */
export function sharesResources(before: Digests | undefined, after: Digests): boolean {
  return Object.entries(before ?? {}).some(([address, digests]) => {
    const [id] = digests.split(" ").filter((pair) => pair.startsWith("id:"));
    return id !== undefined && after[address]?.split(" ").includes(id) === true;
  });
}

/**
 * The live resources that differ from those that the saved plan was made from, each field with its values before and now where one of
 * the two plans shows them. `now` has the digests of the live rows; a plan without digests is compared by its changes.
 */
export function changedResources(saved: SealedPlan, fresh: Plan, now: Digests | undefined): readonly string[] {
  const [savedFields, freshFields] = [fieldsByAddress(saved), fieldsByAddress(fresh)];
  const { rows } = saved.seal;
  const addresses = namesOf(rows ?? {}, now ?? {}, savedFields, freshFields);
  const lines = addresses.flatMap((address) => {
    const [was, is] = [savedFields[address] ?? {}, freshFields[address] ?? {}];
    const paths = namesOf(was, is);
    if (rows === undefined || now === undefined) {
      return paths.flatMap((path) => valuesLine(address, path, was[path], is[path]) ?? []);
    }
    const [before, after] = [rows[address], now[address]];
    // The digests leave out values that may be secret.
    const secrets = paths
      .filter((path) => (was[path] === undefined) !== (is[path] === undefined))
      .filter((path) => was[path]?.secret === true || is[path]?.secret === true)
      .map((path) => `${sanitised(address)}  ${fieldPath(path)}  changed`);
    if (before === undefined && after === undefined) return secrets;
    const undigested = paths
      .filter((path) => before?.split(" ").some((pair) => pair.startsWith(`${path.split("/")[1]}:`)) === false)
      .flatMap((path) => valuesLine(address, path, was[path], is[path]) ?? []);
    if (before === after) return [...secrets, ...undigested];
    if (before === undefined) return [`${sanitised(address)} is new`];
    if (after === undefined) return [`${sanitised(address)} no longer exists`];
    const others = changedNames(before, after).flatMap((name) => {
      const own = paths.filter((path) => path.split("/")[1] === name);
      const shown = own.flatMap((path) => valuesLine(address, path, was[path], is[path]) ?? []);
      return shown.length > 0 ? shown : [`${sanitised(address)}  ${sanitised(name)}  changed`];
    });
    return [...new Set([...secrets, ...undigested, ...others])];
  });
  return lines;
}

/** The planned values of fields before the write, and their live values, where the plan shows them. */
export function changedValues(
  plan: Plan,
  address: string,
  live: Readonly<Record<string, Json | undefined>>,
): readonly string[] {
  const fields = fieldsByAddress(plan)[address] ?? {};
  return Object.entries(live).flatMap(([wire, value]) => {
    const planned = fields[`/${wire}`];
    if (planned === undefined || planned.secret === true) return [];
    const [before, now] = [planned.before, value ?? null].map((each) => cut(valueText(each), MAX_VALUE));
    return [`${sanitised(wire)}: ${before} → ${now}`];
  });
}

/** The changes of a plan, each by its address and its action. */
export function changeActions({ changes }: Plan): readonly string[] {
  return changes.map(({ address, action }) => `${sanitised(address)}  ${action}`);
}

/** Address → path → the change of the field. */
function fieldsByAddress({ changes }: Plan): Readonly<Record<string, Readonly<Record<string, FieldChange>>>> {
  const all: Record<string, Record<string, FieldChange>> = {};
  for (const { address, fields } of changes) {
    all[address] = { ...all[address], ...Object.fromEntries(fields.map((field) => [field.path, field])) };
  }
  return all;
}

/**
 * The live value of a field before and now. A field without a change is as declared: the value that the other plan changes it to.
 * Undefined if both are the same, or secret.
 */
function valuesLine(
  address: string,
  path: string,
  was: FieldChange | undefined,
  is: FieldChange | undefined,
): string | undefined {
  if (was?.secret === true || is?.secret === true) return undefined;
  const before = valueText((was === undefined ? is?.after : was.before) ?? null);
  const now = valueText((is === undefined ? was?.after : is.before) ?? null);
  if (before === now) return undefined;
  return `${sanitised(address)}  ${fieldPath(path)}  ${cut(before, MAX_VALUE)} → ${cut(now, MAX_VALUE)}`;
}

/** The names whose digests differ, in `name:digest name:digest`. */
function changedNames(before: string, after: string): readonly string[] {
  const [was, is] = [before, after].map((text) => new Set(text.split(" ")));
  const pairs = [
    ...before.split(" ").filter((pair) => is?.has(pair) !== true),
    ...after.split(" ").filter((pair) => was?.has(pair) !== true),
  ];
  return [...new Set(pairs.map((pair) => pair.slice(0, pair.lastIndexOf(":"))))];
}

function namesOf(...records: readonly object[]): readonly string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].sort();
}
