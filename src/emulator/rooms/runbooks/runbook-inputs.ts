/** What a runbook has besides text and steps: the inputs it asks for, its other names, and what it watches. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { ValueOf } from "../../http/body-schema.ts";
import { invalid } from "../../http/http-error.ts";
import type { RunbookInput, RunbookRow } from "./runbook-tables.ts";

/** The shape of the inputs in a body. */
export const inputsShape = {
  type: ["array", "null"],
  maxItems: 10,
  description: "The questions asked when it is run.",
  items: {
    type: "object",
    properties: {
      key: { type: "string", pattern: "^\\s*[a-z][a-z0-9_]*\\s*$" },
      question: { type: "string", minLength: 1 },
      default: { type: ["string", "null"] },
    },
    required: ["key", "question"],
  },
} as const;

type SentInputs = Extract<ValueOf<typeof inputsShape>, readonly unknown[]>;

/** The inputs, trimmed. Throws 422 for a key that is there twice. */
export function inputsOf(sent: SentInputs): readonly RunbookInput[] {
  const inputs = sent.map((input) => ({
    key: input.key.trim(),
    question: input.question.trim(),
    default: input.default?.trim() || null,
  }));
  const twice = inputs.find(({ key }, index) => inputs.findIndex((other) => other.key === key) !== index);
  if (twice !== undefined) throw invalid({ field: "inputs", message: `"${twice.key}" is there twice` });
  return inputs;
}

/** The other names with their white space squeezed, each once whatever its case. */
export function aliasesOf(sent: readonly string[]): readonly string[] {
  const names = sent.map((name) => name.trim().replace(/\s+/g, " ")).filter((name) => name !== "");
  const folded = names.map((name) => name.toLowerCase());
  return names.filter((_name, index) => folded.indexOf(folded[index] ?? "") === index);
}

/** What it watches; null for anything that is no object. */
export function watchOf(sent: Json): Fields | null {
  return isFields(sent) ? sent : null;
}

/** Throws 422 when what it watches has a placeholder `{{key}}` that is none of its inputs. */
export function checkPlaceholders({ watch, inputs }: Pick<RunbookRow, "watch" | "inputs">): void {
  const keys = new Set(inputs.map(({ key }) => key));
  const unknown = placeholders(watch).filter((key) => !keys.has(key));
  if (unknown.length > 0) {
    throw invalid(
      ...unknown.map((key) => ({ field: "watch", message: `has {{${key}}}, which is none of the inputs` })),
    );
  }
}

function placeholders(value: Json): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, key = ""]) => key.trim());
  if (isList(value)) return value.flatMap(placeholders);
  return isFields(value) ? Object.values(value).flatMap(placeholders) : [];
}
