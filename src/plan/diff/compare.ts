/** Which stated fields of an entry differ from the live ones. What the files leave out does not exist here. */

import { equal, type Fields, isList, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { optionLabel } from "../../kinds/option-label.ts";
import type { Declared, Live } from "../../kinds/resource.ts";
import { differsFromMemory, type Memory } from "../../match/last-applied.ts";
import type { FieldChange, Unreadable } from "../plan.ts";
import { isSameValue } from "../ranked/rule.ts";

/** How a declared entry differs from the live one it meets. */
export interface Comparison {
  /** Names of the fields that differ, in declared order. */
  readonly names: readonly string[];
  readonly changes: readonly FieldChange[];
  /** Fields whose live value the service does not tell: the stated ones, where the memory is noting the others too. */
  readonly unreadable: readonly Unreadable[];
}

/** What is shown instead of a live value that the service does not tell. */
const UNTOLD = "(not returned)";

const NOT_RETURNED = "the service does not return this field";

/** What is shown instead of a secret value. */
export const MASK = "(secret)";

/** Compares the stated fields; `fields` are the declared ones, completed with what must be resent. */
export function compare(declared: Declared, fields: Fields, live: Live, memory: Memory): Comparison {
  const kind = declared.kind;
  const names: string[] = [];
  const changes: FieldChange[] = [];
  const unreadable: Unreadable[] = [];
  for (const name of Object.keys(fields)) {
    if (isIdentityOrLabel(kind, name)) continue;
    const wanted = labels(kind, name, fields[name] ?? null);
    const found = declared.extra.includes(name) ? live.row[name] : live.fields[name];
    if (found === undefined) {
      unreadable.push({
        address: declared.address,
        path: `/${name}`,
        reason: NOT_RETURNED,
      });
      if (differsFromMemory(memory, declared.address, name, wanted) !== true) continue;
      names.push(name);
      changes.push(fieldChange(declared, name, UNTOLD, wanted));
    } else if (found !== wanted && !same(kind, name, found, wanted)) {
      names.push(name);
      const change = fieldChange(declared, name, alike(kind, name, found, wanted), wanted);
      const renamed = change.secret === true ? [] : renamedChoices(kind, name, found, fields[name]);
      changes.push(renamed.length === 0 ? change : { ...change, renamed });
    }
  }
  if (memory.noting === true) unreadable.push(...leftOut(declared, fields, live));
  if (declared.key !== live.key) {
    names.unshift(declared.keyField);
    changes.unshift(fieldChange(declared, declared.keyField, live.key, declared.key));
  }
  return { names, changes, unreadable };
}

/** Fields that the files leave out and the service does not return; an entry without choices returns none either. */
function leftOut({ kind, address }: Declared, fields: Fields, live: Live): readonly Unreadable[] {
  const silent = Object.entries(kind.fields ?? {}).filter(
    ([name, { optionList: choices }]) => choices !== true && !(name in fields) && live.fields[name] === undefined,
  );
  return silent.map(([name]) => ({ address, path: `/${name}`, reason: NOT_RETURNED }));
}

/** Every stated field of a new entry, as a change from nothing. */
export function creation(declared: Declared): readonly FieldChange[] {
  const shown = Object.entries({ [declared.keyField]: declared.key, ...declared.fields });
  return shown.map(([name, value]) => fieldChange(declared, name, null, labels(declared.kind, name, value)));
}

/** The fields that go to the wire: without the identity and without what is for people only. */
export function sendable(kind: Kind, fields: Fields): Fields {
  const kept = Object.entries(fields).filter(([name]) => !isIdentityOrLabel(kind, name));
  return Object.fromEntries(kept.map(([name, value]) => [name, labels(kind, name, value)]));
}

function isIdentityOrLabel(kind: Kind, name: string): boolean {
  return kind.identity.keys.includes(name) || kind.identity.labels?.includes(name) === true;
}

/** Whether a live value is what the declared one asks for. Entries that are their place are compared as their transition does. */
export function same(kind: Kind, field: string, live: Json, declared: Json): boolean {
  if (kind.lifecycle.order === "rank") return isSameValue(live, declared);
  return (kind.fields?.[field]?.equals ?? equal)(live, declared);
}

/**
 * A live value, its items written as the declared ones that mean the same: what is shown as a difference then is one. Where
 * the service's order carries nothing, they come in the declared order too.
 */
function alike(kind: Kind, field: string, told: Json, declared: Json): Json {
  const { canonical: inOrder } = kind.fields?.[field] ?? {};
  const live = inOrder?.(told) ?? told;
  if (!isList(live) || !isList(declared)) return live;
  const free = [...declared.entries()];
  const shown = live.map((item) => {
    const found = free.findIndex(([, wanted]) => same(kind, field, [item], [wanted]));
    const [place, meant] = (found < 0 ? undefined : free.splice(found, 1)[0]) ?? [declared.length, item];
    return { place, meant };
  });
  const listed = inOrder === undefined ? shown : shown.toSorted((left, right) => left.place - right.place);
  return listed.map(({ meant }) => meant);
}

/** Choices by their labels, whatever each was called before. */
function labels(kind: Kind, field: string, value: Json): Json {
  if (kind.fields?.[field]?.optionList !== true || !Array.isArray(value)) return value;
  return value.map((choice: Json) => optionLabel(choice));
}

/** Declared renames that are still to be made: the old label is there, the new one is not. */
export function renames(live: readonly string[], declared: readonly Json[]): readonly (readonly [string, string])[] {
  const wanted = new Set(declared.map(optionLabel));
  return declared.flatMap((choice): readonly (readonly [string, string])[] => {
    if (typeof choice !== "object" || choice === null || !("renamed_from" in choice)) return [];
    const from = String(choice.renamed_from);
    const to = optionLabel(choice);
    return live.includes(from) && !live.includes(to) && !wanted.has(from) ? [[from, to]] : [];
  });
}

function renamedChoices(
  kind: Kind,
  field: string,
  live: Json,
  declared: Json | undefined,
): NonNullable<FieldChange["renamed"]> {
  if (kind.fields?.[field]?.optionList !== true || !isList(live) || !isList(declared)) return [];
  return renames(live.map(String), declared).map(([from, to]) => ({ from, to }));
}

function fieldChange(declared: Declared, name: string, before: Json, after: Json): FieldChange {
  const path = `/${name}`;
  const secret = declared.secrets.some((pointer) => pointer === path || pointer.startsWith(`${path}/`));
  return secret ? { path, before: before === null ? null : MASK, after: MASK, secret: true } : { path, before, after };
}
