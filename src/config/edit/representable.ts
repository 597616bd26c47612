/** What of a live value no file could say: what the loader would refuse of it. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { violations } from "../schema/validator.ts";
import { tokenIn } from "../source/leaked-tokens.ts";
import { textFlaw } from "../source/text.ts";
import { escaped } from "../source/tree.ts";

/** A part of an entry that no file can hold. */
export interface Unsayable {
  /** JSON Pointer into the entry. */
  readonly pointer: string;
  /** Why, without the value. */
  readonly reason: string;
}

/** Every part of an entry of a kind that the loader would refuse. */
export function unsayable(kind: Kind, entry: Fields): readonly Unsayable[] {
  const schema = violations(kind.name, entry).map(({ pointer }) => ({
    pointer,
    reason: "the configuration language has no such value",
  }));
  return [...flaws(entry, "", ""), ...schema];
}

function flaws(value: Json, pointer: string, name: string): readonly Unsayable[] {
  if (isList(value)) return value.flatMap((item, at) => flaws(item, `${pointer}/${at}`, name));
  if (isFields(value)) {
    return Object.entries(value).flatMap(([key, item]) => flaws(item, `${pointer}/${escaped(key)}`, key));
  }
  if (typeof value !== "string") return [];
  const token = tokenIn(value);
  if (token !== undefined)
    return [{ pointer, reason: `it holds what looks like ${token}, which has no place in a file` }];
  const [, message] = textFlaw(value, name) ?? [];
  return message === undefined ? [] : [{ pointer, reason: message }];
}
