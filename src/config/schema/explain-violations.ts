/** Turns schema violations into findings at the place in the file to change. */

import type { FindingDetails, Findings } from "../../core/findings.ts";
import { fieldsIn, listIn, stepsOf, textsIn } from "../../core/json.ts";
import type { Source } from "../source/source.ts";
import { codePoint } from "../source/text.ts";
import { follow, memberOf, type Node, placeOf, type Span, textOf } from "../source/tree.ts";
import { isOverlayKey } from "./overlay-schema.ts";
import { READ_ONLY, SECRET_KEYS } from "./read-only-fields.ts";
import { ruleOf, type SchemaRule } from "./schema-rule.ts";
import { requiredByBranches, type ViolatedValue, type Violation, type ViolationContext } from "./violation.ts";
import {
  brokenText,
  keyInsteadOfId,
  nullHelp,
  requiredHelp,
  ruleHelp,
  scalarOf,
  typeHelp,
  unknownKeyHelp,
} from "./violation-help.ts";

/** Records the finding for a violation. */
export function explainViolation(violation: Violation, subject: ViolatedValue, findings: Findings): void {
  const found = follow(subject.node, violation.pointer);
  const name = nameOf(violation.pointer) ?? subject.title;
  const context: ViolationContext = { violation, subject, found, name, findings };
  const { code, message, at = found.node, ...details } = messageOf(context);
  const madeAt = at.madeAt === undefined ? undefined : placeOf(at.madeAt, subject.source);
  findings.error(code, message, placeOf(at, subject.source), { ...details, madeAt });
}

/** The finding of a violation. Without `at`, its place is the value. */
interface ViolationMessage extends FindingDetails {
  readonly code: string;
  readonly message: string;
  readonly at?: Span | undefined;
}

function messageOf(context: ViolationContext): ViolationMessage {
  const { violation } = context;
  const rule = ruleOf(violation.schema);
  if (violation.key !== undefined) return wrongKey(violation.key, rule, context);
  if (rule === undefined || violation.keyword === "type") return keywordMessage(context);
  return ruleMessage(rule, context);
}

/** The message of a keyword. */
function keywordMessage(context: ViolationContext): ViolationMessage {
  const { violation, found, name, findings } = context;
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
        help: findings.allowed(String(scalarOf(found.node)), listIn(schema.enum).map(String)),
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
function ruleMessage(rule: SchemaRule, context: ViolationContext): ViolationMessage {
  const { violation, found, name } = context;
  if (violation.keyword === "not") {
    const [unwanted = ""] = textsIn(fieldsIn(violation.schema.not).required);
    return { code: rule.code, message: clause(rule.sentence), at: memberOf(found.node, unwanted) };
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

function wrongKey(key: string, rule: SchemaRule | undefined, context: ViolationContext): ViolationMessage {
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

function exactlyOne(context: ViolationContext): ViolationMessage {
  const names = requiredByBranches(context.violation.schema);
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

/** The last key in a pointer. */
function nameOf(pointer: string): string | undefined {
  return stepsOf(pointer).findLast((step) => !/^\d+$/.test(step));
}

/** A sentence as a message: without its capital and full stop. */
function clause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");
}
