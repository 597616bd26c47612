/** Live values that a file cannot have, because the loader would refuse them. */

import { escapedStep, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { violations } from "../schema/validator.ts";
import { describeToken } from "../source/leaked-tokens.ts";
import { textFlaw } from "../source/text.ts";
import { keyError } from "../source/yaml/core-schema.ts";

/** A value of a resource that a file cannot have. */
export interface UnrepresentableValue {
  /** JSON Pointer into the resource. */
  readonly pointer: string;
  /** The reason, without the value. */
  readonly reason: string;
}

/** Returns every value of a resource that the loader would refuse. */
export function unrepresentable(kind: Kind, entry: Fields): readonly UnrepresentableValue[] {
  const schema = violations(kind.name, entry).map(({ pointer }) => ({
    pointer,
    reason: "the configuration cannot have this value",
  }));
  return [...flaws(entry, "", ""), ...schema];
}

function flaws(value: Json, pointer: string, name: string): readonly UnrepresentableValue[] {
  if (isList(value)) return value.flatMap((item, at) => flaws(item, `${pointer}/${at}`, name));
  if (isFields(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      const at = `${pointer}/${escapedStep(key)}`;
      const flaw = keyError(key, true)?.message;
      return flaw === undefined
        ? flaws(item, at, key)
        : [{ pointer: at, reason: `it has a key that no file can have: ${flaw}` }];
    });
  }
  if (typeof value !== "string") return [];
  const token = describeToken(value);
  if (token !== undefined)
    return [{ pointer, reason: `it has text that looks like ${token}, which does not belong in a file` }];
  const [, message] = textFlaw(value, name) ?? [];
  return message === undefined ? [] : [{ pointer, reason: message }];
}
