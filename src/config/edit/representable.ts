/** Live values that a file cannot have, because the loader would refuse them. */

import { escapedStep, type Fields, isFields, isList, type Json, stepsOf, valueAt } from "../../core/json.ts";
import { cut, valueText } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { violations } from "../schema/validator.ts";
import { describeToken } from "../source/leaked-tokens.ts";
import { textFlaw } from "../source/text.ts";
import { keyError } from "../source/yaml/core-schema.ts";

/** A value of a resource that a file cannot have. */
export interface UnrepresentableValue {
  /** JSON Pointer into the resource. */
  readonly pointer: string;
  /** The reason, without a value that may be a secret. */
  readonly reason: string;
}

/** Returns every value of a resource that the loader would refuse. */
export function unrepresentable(kind: Kind, entry: Fields): readonly UnrepresentableValue[] {
  const schema = violations(kind.name, entry).map(({ pointer }) => ({
    pointer,
    reason: `the configuration cannot have this value,${shown(kind, entry, pointer)} so it is not written; change it in the workspace, or use a version of incidentctl that knows it`,
  }));
  return [...flaws(entry, "", ""), ...schema];
}

/** A single value, cut; empty for a list or a mapping, and for what may be a secret. */
function shown(kind: Kind, entry: Fields, pointer: string): string {
  const steps = stepsOf(pointer);
  const value = valueAt(entry, steps);
  const [field = ""] = steps;
  if (value === undefined || isList(value) || isFields(value) || kind.fields?.[field]?.mayBeSecret === true) return "";
  if (typeof value === "string" && describeToken(value) !== undefined) return "";
  return ` ${cut(valueText(value))},`;
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
