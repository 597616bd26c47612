/** Help for violations: how to correct the value. */

import type { FindingDetails } from "../../core/findings.ts";
import { type Fields, fieldsIn, isFields, isList, type Json, stepsOf } from "../../core/json.ts";
import { allowedSentence } from "../../core/suggest.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { optionSlug } from "../../kinds/values/slug.ts";
import type { Source } from "../source/source.ts";
import { hasSubstitution } from "../source/text.ts";
import { type Member, memberOf, type Node, textOf } from "../source/tree.ts";
import type { SchemaRule } from "./schema-rule.ts";
import { fieldWith, type ViolatedValue, type ViolationContext } from "./violation.ts";

/** Help for a key that is missing: the allowed values, or a slug made from the name. */
export function requiredHelp(key: string, { violation, found, subject }: ViolationContext): string | undefined {
  const { enum: values } = fieldsIn(fieldsIn(violation.schema.properties)[key]);
  if (isList(values)) return allowedSentence(values.map(String));
  const name = memberOf(found.node, "name")?.value;
  if (key !== subject.key || found.node !== subject.node || name?.type !== "scalar") return undefined;
  const slug = exampleSlug(name.value);
  return slug === undefined ? undefined : `For example: ${key}: ${slug}.`;
}

/** Help for a field that does not exist: the file or the field where it belongs, a similar one, or all. */
export function unknownKeyHelp(
  key: string,
  names: readonly string[],
  { violation, subject, findings }: ViolationContext,
): string {
  const elsewhere = subject.elsewhere?.(key) ?? findings.guess(key, names);
  if (elsewhere !== undefined) return elsewhere;
  const parent = fieldWith(key, violation.schema);
  return parent === undefined ? `Its fields are: ${names.join(", ")}.` : `Write it under ${parent}.`;
}

/** Help for an id where the key of the resource is missing. */
export function keyInsteadOfId(name: string, { subject, found }: ViolationContext): string | undefined {
  const { key, node } = subject;
  if (name !== "id" || key === undefined || found.node !== node || memberOf(node, key) !== undefined) return undefined;
  return `Write ${key} instead: resources are known by it, never by their ids.`;
}

/** Help for a key without a value within brackets: most likely the end of an unquoted text with a comma. */
export function brokenText({ start, end, value }: Member, { text }: Source): FindingDetails | undefined {
  if (value.start !== value.end || !/^\s*[,}]/.test(text.slice(end, end + 80))) return undefined;
  const lineStart = text.lastIndexOf("\n", start) + 1;
  const lineEnd = text.indexOf("\n", end) < 0 ? text.length : text.indexOf("\n", end);
  const [, head, broken] = /^(.*:\s+)([^\s"'{}[\],:][^"{}[\],:]*,\s*)$/.exec(text.slice(lineStart, start)) ?? [];
  if (head === undefined) return undefined;
  return {
    help: "If the comma belongs to the text before it, quote the text.",
    correction: `${head}"${broken}${text.slice(start, end)}"${text.slice(end, lineEnd)}`,
  };
}

/** Help for a key without a value that cannot be emptied. */
const KEPT = "To keep the live value, delete the key.";

const IN_ITEM = "Write a value. Items of a list are written whole: leaving the key out keeps no live value.";

/** The help for a key without a value, where another one is wrong: a rule is written in full, and an option list keeps an option. */
export function absenceAt(pointer: string, { rule, title, fields }: Kind): Pick<ViolatedValue, "absence"> {
  if (rule !== undefined)
    return { absence: `Write a value, or delete the key: without it, the ${title} has the default.` };
  const [field = "", item = "", ...members] = stepsOf(pointer);
  const { optionList, keyedItems, members: known } = fields?.[field] ?? {};
  if (optionList === true) return { absence: KEPT };
  // A watch: the service keeps no null.
  if (known !== undefined && item === "") return { absence: `To empty it, write {}. ${KEPT}` };
  const isWhole = fields?.[field] !== undefined && keyedItems === undefined && members.length > 0 && /^\d+$/.test(item);
  return isWhole ? { absence: IN_ITEM } : {};
}

/** Help for a key or an item without a value. */
export function nullHelp({ subject, found: { node, member }, violation: { schema } }: ViolationContext): string {
  if (member === undefined) return "Write a value, or delete the item.";
  const rest = /^[^\n]*/.exec((member.source ?? subject.source).text.slice(member.end))?.[0] ?? "";
  const color = /^\s*:\s+(#[0-9a-f]{3,8})\b/i.exec(rest)?.[1];
  if (color !== undefined) return `Quote the color, because # begins a comment: "${color}".`;
  const [, mark, meaning] = /^\s*:\s+(?:(&)\S|(#)\S)/.exec(rest) ?? [];
  if (mark !== undefined) return "Quote the text, because & begins an anchor.";
  if (meaning !== undefined) return "Quote the text, because # begins a comment.";
  if (node.type === "scalar" && node.removes === false) return "To take the made value away, write null.";
  if ([schema.type].flat().includes("null")) return `To empty it, write null. ${subject.absence ?? KEPT}`;
  if (subject.absence !== undefined) return subject.absence;
  return `${schema.type === "array" ? "To empty it, write []. " : ""}${KEPT}`;
}

/** Help for a value of another type than the schema allows. */
export function typeHelp(
  types: readonly string[],
  { found: { node }, subject, violation }: ViolationContext,
): string | undefined {
  const value = scalarOf(node);
  const text = textOf(node, subject.source);
  if (types.includes("object") && node === subject.node && typeof value === "string" && subject.key !== undefined) {
    return `Write its fields: { ${subject.key}: ${text} }.`;
  }
  if (types.includes("boolean") && typeof value === "string") {
    if (/^(?:yes|on|y|true)$/i.test(value)) return "Write true, without quotes.";
    if (/^(?:no|off|n|false)$/i.test(value)) return "Write false, without quotes.";
  }
  if (types.includes("integer")) {
    return typeof value === "string" && /^-?\d+$/.test(value) ? `Write ${value}, without quotes.` : undefined;
  }
  if (types.includes("string") && (typeof value === "number" || typeof value === "boolean")) {
    return `Quote it: "${text}".`;
  }
  if (types.includes("object")) return keysHelp(violation.schema);
  if (!types.includes("array") || node.type !== "scalar") return undefined;
  const items = fieldsIn(violation.schema.items);
  // Items that schemas share are mappings.
  return items.type === "object" || items.$ref !== undefined
    ? "Write a list of mappings: begin each with a hyphen."
    : `Write a list: [${text}].`;
}

/** The keys of a mapping, as a sentence. */
function keysHelp({ properties, additionalProperties }: Fields): string | undefined {
  if (isFields(properties)) return `Its keys are: ${Object.keys(properties).join(", ")}.`;
  return isFields(additionalProperties) ? "Its keys are names that you choose." : undefined;
}

/** The sentence of a rule, with the known values of the field if there are any. */
export function ruleHelp(
  { code, sentence }: SchemaRule,
  value: Json,
  { violation, subject, findings }: ViolationContext,
): string {
  const known = subject.knownValues?.(violation.pointer) ?? [];
  if (known.length > 0) return `${sentence} ${findings.allowed(String(value), known)}`;
  const slug = code === "E_SLUG" ? exampleSlug(value) : undefined;
  return slug === undefined ? sentence : `${sentence} For example: ${slug}.`;
}

/** A valid slug made from a text; of a path, from its last part. Undefined if nothing is left of it. */
function exampleSlug(value: Json): string | undefined {
  if (typeof value !== "string" || hasSubstitution(value)) return undefined;
  return optionSlug(value.split("/").at(-1) ?? "") || undefined;
}

/** The value of a scalar; an empty mapping for other values. */
export function scalarOf(node: Node): Json {
  return node.type === "scalar" ? node.value : {};
}
