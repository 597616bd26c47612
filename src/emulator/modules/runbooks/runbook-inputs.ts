/** Inputs, aliases and watch of a runbook. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { validationError } from "../../http/http-error.ts";
import type { BodyOf } from "../../resource/field.ts";
import type { RunbookRow, runbookFields } from "./runbook-tables.ts";

type SentInputs = NonNullable<BodyOf<typeof runbookFields>["inputs"]>;

/** The inputs, trimmed. Throws 422 for a duplicate key. */
export function readInputs(input: SentInputs): RunbookRow["inputs"] {
  const inputs = input.map((input) => ({
    key: input.key.trim(),
    question: input.question.trim(),
    default: input.default?.trim() || null,
  }));
  const duplicate = inputs.find(({ key }, index) => inputs.findIndex((other) => other.key === key) !== index);
  if (duplicate !== undefined) throw validationError({ field: "inputs", message: `"${duplicate.key}" is there twice` });
  return inputs;
}

/** The aliases with single spaces, without duplicates in any case. */
export function readAliases(input: readonly string[]): readonly string[] {
  const names = input.map((name) => name.trim().replace(/\s+/g, " ")).filter((name) => name !== "");
  const lowerCased = names.map((name) => name.toLowerCase());
  return names.filter((_name, index) => lowerCased.indexOf(lowerCased[index] ?? "") === index);
}

/** The watch; null for anything but an object. */
export function readWatch(input: Json): Fields | null {
  return isFields(input) ? input : null;
}

/** Throws 422 for a placeholder `{{key}}` in the watch that names no input. */
export function checkPlaceholders({ watch, inputs }: Pick<RunbookRow, "watch" | "inputs">): void {
  const keys = new Set(inputs.map(({ key }) => key));
  const unknown = placeholders(watch).filter((key) => !keys.has(key));
  if (unknown.length > 0) {
    throw validationError(
      ...unknown.map((key) => ({ field: "watch", message: `has {{${key}}}, which is none of the inputs` })),
    );
  }
}

function placeholders(value: Json): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, key = ""]) => key.trim());
  if (isList(value)) return value.flatMap(placeholders);
  return isFields(value) ? Object.values(value).flatMap(placeholders) : [];
}
