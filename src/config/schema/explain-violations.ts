/** Turns schema violations into findings at the place in the file to change. */

import type { FindingDetails, Findings } from "../../core/findings.ts";
import { type Fields, fieldsIn, isFields, isList, type Json } from "../../core/json.ts";
import { allowedSentence } from "../../core/suggest.ts";
import { optionSlug } from "../../kinds/values/slug.ts";
import { isOverlayKey } from "../resolve/overlay.ts";
import type { Source } from "../source/source.ts";
import { codePoint, hasSubstitution } from "../source/text.ts";
import { type Found, follow, type Member, type Node, placeOf, type Span, textOf } from "../source/tree.ts";
import { READ_ONLY, SECRET_KEYS } from "./read-only-fields.ts";
import { fieldWith, type Violation } from "./violation.ts";

/** The value that was checked: its tree and its name. */
export interface ViolatedValue {
  readonly source: Source;
  readonly node: Node;
  /** In messages, like "severity". */
  readonly title: string;
  /** The key field of a resource, if it has one. */
  readonly key?: string | undefined;
  /** Help for a key that holds a secret, other than that for resources. */
  readonly secretHelp?: string;
  /** The known values of the field at a JSON Pointer. */
  readonly knownValues?: (pointer: string) => readonly string[];
  /** Help for a key without a value, other than that for resources. */
  readonly absence?: string;
  /** Help for a key that belongs in another file. */
  readonly elsewhere?: (key: string) => string | undefined;
}

/** Records the finding for a violation. */
export function explainViolation(violation: Violation, subject: ViolatedValue, findings: Findings): void {
  const found = follow(subject.node, violation.pointer);
  const name = nameOf(violation.pointer) ?? subject.title;
  const context: ViolationContext = { violation, subject, found, name, findings };
  const { code, message, at = found.node, ...details } = messageOf(context);
  const madeAt = at.madeAt === undefined ? undefined : placeOf(at.madeAt, subject.source);
  findings.error(code, message, placeOf(at, subject.source), { ...details, madeAt });
}

interface ViolationContext {
  readonly violation: Violation;
  readonly subject: ViolatedValue;
  /** The invalid value. */
  readonly found: Found;
  /** Its key. */
  readonly name: string;
  readonly findings: Findings;
}

/** The finding of a violation. Without `at`, its place is the value. */
interface ViolationMessage extends FindingDetails {
  readonly code: string;
  readonly message: string;
  readonly at?: Span | undefined;
}

function messageOf(context: ViolationContext): ViolationMessage {
  const { violation } = context;
  const rule = ruleOf(violation);
  if (violation.key !== undefined) return wrongKey(violation.key, rule, context);
  if (rule === undefined || violation.keyword === "type") return keywordMessage(context);
  return ruleMessage(rule, context);
}

interface Rule {
  readonly code: string;
  readonly sentence: string;
}

/** The code and sentence of a rule in the `$comment` of a schema. */
function ruleOf({ schema }: Violation): Rule | undefined {
  const match = typeof schema.$comment === "string" ? /^(E_[A-Z_]+): (.+)$/.exec(schema.$comment) : null;
  return match === null ? undefined : { code: match[1] ?? "", sentence: match[2] ?? "" };
}

/** The message of a keyword. */
function keywordMessage(context: ViolationContext): ViolationMessage {
  const { violation, found, name } = context;
  const { params, schema } = violation;
  switch (violation.keyword) {
    case "additionalProperties":
      return unknownKey(String(params.additionalProperty), context);
    case "required":
      return {
        code: "E_REQUIRED",
        message: `${owner(context)} needs "${params.missingProperty}"`,
        help: requiredHelp(String(params.missingProperty), context),
      };
    case "type":
      return wrongType(context);
    case "enum":
      return {
        code: "E_ENUM",
        message: `"${name}" cannot be ${valueText(context)}`,
        help: choices(scalarOf(found.node), isList(schema.enum) ? schema.enum : [], context),
      };
    case "const":
      return { code: "E_VALUE", message: `"${name}" must be ${JSON.stringify(params.allowedValue)}` };
    case "oneOf":
      return exactlyOne(context);
    case "uniqueItems":
      return repeatedItem(Number(params.i), Number(params.j), context);
    case "pattern":
      return notOneLine(context);
    case "minLength":
      return { code: "E_EMPTY_STRING", message: `"${name}" is empty` };
    case "maxLength":
      return { code: "E_TOO_LONG", message: `"${name}" has more than ${params.limit} characters` };
    case "minItems":
      return { code: "E_EMPTY_LIST", message: `"${name}" is an empty list` };
    case "maxItems":
      return { code: "E_TOO_MANY", message: `"${name}" has more than ${params.limit} items` };
    case "minimum":
    case "maximum":
      return { code: "E_RANGE", message: `"${name}" must be ${params.comparison} ${params.limit}` };
    default:
      return { code: "E_VALUE", message: `"${name}" breaks the rule ${violation.keyword} of the schema` };
  }
}

/** The message of a rule with a `$comment`. */
function ruleMessage(rule: Rule, context: ViolationContext): ViolationMessage {
  const { violation, found, name } = context;
  const { not } = violation.schema;
  if (violation.keyword === "not") {
    const [unwanted] = isFields(not) && isList(not.required) ? not.required : [];
    return { code: rule.code, message: clause(rule.sentence), at: memberOf(found.node, String(unwanted)) };
  }
  if (violation.keyword === "const") return { code: rule.code, message: clause(rule.sentence) };
  if (violation.keyword === "maxLength") return { ...keywordMessage(context), code: rule.code };
  const value = scalarOf(found.node);
  const foreign = typeof value === "string" && rule.code === "E_SLUG" ? /[^\p{ASCII}]/u.exec(value) : null;
  if (foreign !== null) {
    const message = `"${name}" has ${codePoint(foreign[0])}, which is not allowed in a slug`;
    return { code: "E_SLUG_CHARS", message, help: rule.sentence };
  }
  return {
    code: rule.code,
    message: `"${name}" cannot be ${valueText(context)}`,
    help: ruleHelp(rule, value, context),
  };
}

function wrongKey(key: string, rule: Rule | undefined, context: ViolationContext): ViolationMessage {
  const { found, name } = context;
  const message = `"${key}" cannot be a key of "${name}"`;
  return {
    code: rule?.code ?? "E_KEY",
    message,
    at: memberOf(found.node, key),
    help: rule === undefined ? undefined : ruleHelp(rule, key, context),
  };
}

function unknownKey(key: string, context: ViolationContext): ViolationMessage {
  const at = memberOf(context.found.node, key);
  if (SECRET_KEYS.has(key)) {
    return {
      code: "E_SECRET_IN_CONFIG",
      message: `"${key}" holds a secret, which does not belong in a configuration`,
      at,
      help: context.subject.secretHelp ?? "The service creates tokens and reports each once, at creation.",
    };
  }
  const instead = READ_ONLY.get(key);
  if (instead !== undefined) {
    return { code: "E_READONLY", message: `"${key}" is read-only`, at, help: keyInsteadOfId(key, context) ?? instead };
  }
  if (isOverlayKey(key)) {
    const help = "It is only allowed in a resource of an overlay.";
    return { code: "E_UNKNOWN_KEY", message: `"${key}" is not allowed here`, at, help };
  }
  const { properties } = context.violation.schema;
  const names = Object.keys(fieldsIn(properties));
  const [, before = "", after = ""] = /^([^:]+):(.+)$/.exec(key) ?? [];
  const broken = at === undefined ? undefined : brokenText(at, at.source ?? context.subject.source);
  return {
    code: "E_UNKNOWN_KEY",
    message: `${owner(context)} has no field "${key}"`,
    at,
    ...(names.includes(before)
      ? { help: `Write a blank after the colon: ${before}: ${after}.` }
      : (broken ?? { help: unknownKeyHelp(key, names, context) })),
  };
}

function unknownKeyHelp(
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
function keyInsteadOfId(name: string, { subject, found }: ViolationContext): string | undefined {
  const { key, node } = subject;
  if (name !== "id" || key === undefined || found.node !== node || memberOf(node, key) !== undefined) return undefined;
  return `Write ${key} instead: resources are known by it, never by their ids.`;
}

/** Help for a key that is missing: the allowed values, or a slug made from the name. */
function requiredHelp(key: string, { violation, found, subject }: ViolationContext): string | undefined {
  const { properties } = violation.schema;
  const field = isFields(properties) && isFields(properties[key]) ? properties[key] : {};
  if (isList(field.enum)) return allowedSentence(field.enum.map(String));
  const name = memberOf(found.node, "name")?.value;
  if (key !== subject.key || found.node !== subject.node || name?.type !== "scalar") return undefined;
  const slug = exampleSlug(name.value);
  return slug === undefined ? undefined : `For example: ${key}: ${slug}.`;
}

/** A valid slug made from a text; of a path, from its last part. Undefined if nothing is left of it. */
function exampleSlug(value: Json): string | undefined {
  if (typeof value !== "string" || hasSubstitution(value)) return undefined;
  return optionSlug(value.split("/").at(-1) ?? "") || undefined;
}

/** The help for a key without a value within brackets: the end of an unquoted text with a comma, most likely. */
function brokenText(
  { start, end, value }: Member,
  { text }: Source,
): Pick<ViolationMessage, "help" | "correction"> | undefined {
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

const TYPES: Readonly<Record<string, string>> = {
  boolean: "true or false",
  string: "a text",
  number: "a number",
  integer: "a whole number",
  array: "a list",
  object: "a mapping",
};

function wrongType(context: ViolationContext): ViolationMessage {
  const { node, member } = context.found;
  const types = [context.violation.params.type].flat().map(String);
  if (scalarOf(node) === null) {
    const at = node.start === node.end ? (member ?? node) : node;
    return { code: "E_NULL", message: `"${context.name}" has no value`, at, help: nullHelp(context) };
  }
  const expected = types.filter((type) => type !== "null").map((type) => TYPES[type] ?? type);
  const isItem = /\/\d+$/.test(context.violation.pointer);
  return {
    code: "E_TYPE",
    message: `${isItem ? "an item of " : ""}"${context.name}" must be ${expected.join(" or ")}, not ${valueText(context)}`,
    help: typeHelp(types, context),
  };
}

function nullHelp({ subject, found: { node, member } }: ViolationContext): string {
  if (member === undefined) return "Write a value, or delete the item.";
  const rest = /^[^\n]*/.exec((member.source ?? subject.source).text.slice(member.end))?.[0] ?? "";
  const color = /^\s*:\s+(#[0-9a-f]{3,8})\b/i.exec(rest)?.[1];
  if (color !== undefined) return `Quote the color, because # begins a comment: "${color}".`;
  const [, mark, meaning] = /^\s*:\s+(?:(&)\S|(#)\S)/.exec(rest) ?? [];
  if (mark !== undefined) return "Quote the text, because & begins an anchor.";
  if (meaning !== undefined) return "Quote the text, because # begins a comment.";
  if (node.type === "scalar" && node.removes === false) return "To take the made value away, write null.";
  return subject.absence ?? "To keep the live value, delete the key.";
}

function typeHelp(
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
  const { items } = violation.schema;
  // Items that schemas share are mappings.
  const holdsMappings = isFields(items) && (items.type === "object" || items.$ref !== undefined);
  if (types.includes("object")) return keysHelp(violation.schema);
  if (!types.includes("array") || node.type !== "scalar") return undefined;
  return holdsMappings ? "Write a list of mappings: begin each with a hyphen." : `Write a list: [${text}].`;
}

/** The keys of a mapping, as a sentence. */
function keysHelp({ properties, additionalProperties }: Fields): string | undefined {
  if (isFields(properties)) return `Its keys are: ${Object.keys(properties).join(", ")}.`;
  return isFields(additionalProperties) ? "Its keys are names that you choose." : undefined;
}

function exactlyOne(context: ViolationContext): ViolationMessage {
  const { oneOf } = context.violation.schema;
  const names = (isList(oneOf) ? oneOf : []).flatMap((branch) =>
    isFields(branch) && isList(branch.required) ? branch.required.map(String) : [],
  );
  const [, second] = names.flatMap((name) => memberOf(context.found.node, name) ?? []);
  const listed = names.map((name) => `"${name}"`).join(" or ");
  return second === undefined
    ? { code: "E_XOR", message: `${owner(context)} needs ${listed}` }
    : { code: "E_XOR", message: `${owner(context)} can have only one of ${listed}`, at: second };
}

function repeatedItem(
  i: number,
  j: number,
  { found: { node }, name, subject: { source } }: ViolationContext,
): ViolationMessage {
  const items = node.type === "list" ? node.items : [];
  const first = items[Math.min(i, j)] ?? node;
  const second = items[Math.max(i, j)] ?? node;
  return {
    code: "E_DUP",
    message: `"${name}" has ${nodeText(second, source)} twice`,
    at: second,
    related: [{ message: "first here", at: placeOf(first, source) }],
  };
}

/** The message of the only pattern without a `$comment`: one line that is not blank. */
function notOneLine({ violation, name }: ViolationContext): ViolationMessage {
  if (violation.isBlank) return { code: "E_EMPTY_STRING", message: `"${name}" is empty` };
  return {
    code: "E_CONTROL",
    message: `"${name}" must be one line`,
    help: "A text after | ends with a line break; after |- it does not.",
  };
}

function choices(value: Json, allowed: readonly Json[], { findings }: ViolationContext): string {
  return findings.allowed(String(value), allowed.map(String));
}

/** The sentence of a rule, with the known values of the field if there are any. */
function ruleHelp({ code, sentence }: Rule, value: Json, { violation, subject, findings }: ViolationContext): string {
  const known = subject.knownValues?.(violation.pointer) ?? [];
  if (known.length > 0) return `${sentence} ${findings.allowed(String(value), known)}`;
  const slug = code === "E_SLUG" ? exampleSlug(value) : undefined;
  return slug === undefined ? sentence : `${sentence} For example: ${slug}.`;
}

/** The mapping that has the keys, as the subject of a sentence. */
function owner({ found, subject, name, violation }: ViolationContext): string {
  if (found.node === subject.node) return `the ${subject.title}`;
  const { title } = violation.schema;
  return typeof title === "string" ? `the ${title.toLowerCase()}` : `"${name}"`;
}

function valueText({ found, subject }: ViolationContext): string {
  return nodeText(found.node, subject.source);
}

/** The text of a value in the file, so that values from the environment are not printed. */
function nodeText(node: Node, source: Source): string {
  if (node.type === "list") return "a list";
  if (node.type === "map") return "a mapping";
  const text = textOf(node, source);
  if (typeof node.value !== "string") return text;
  const plain = /^(["'])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
  return `the text "${plain.length > 60 ? `${plain.slice(0, 60)}…` : plain}"`;
}

function scalarOf(node: Node): Json {
  return node.type === "scalar" ? node.value : {};
}

function memberOf(node: Node, key: string): Member | undefined {
  return node.type === "map" ? node.members.get(key) : undefined;
}

/** The last key in a pointer. */
function nameOf(pointer: string): string | undefined {
  return pointer
    .split("/")
    .slice(1)
    .findLast((step) => !/^\d+$/.test(step));
}

/** A sentence as a message: without its capital and full stop. */
function clause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");
}
