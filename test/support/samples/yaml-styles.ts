/** YAML in the styles that people write: every scalar and collection style, comments, any indentation. */

import {
  type Alias,
  Document,
  isCollection,
  isScalar,
  parseDocument,
  parse as parseYaml,
  type Scalar,
  visit,
  type YAMLMap,
  YAMLParseError,
  type YAMLSeq,
} from "yaml";
import { equal, type Json } from "../../../src/core/json.ts";

/** The value of a text as the library `yaml` reads it, with escaped placeholders resolved. */
export const meaning = (text: string): Json =>
  parseYaml(text.replaceAll("$${", "${"), { version: "1.2", schema: "core" });

/** The value as YAML, with a style chosen for each part. Comments stand in flow collections only if `inBrackets`. */
export function styled(value: Json, choices: readonly number[], indent: number, inBrackets = true): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  let at = 0;
  const isFree = (path: readonly unknown[]): boolean =>
    inBrackets || path.every((node) => !isCollection(node) || node.flow !== true);
  const next = (below: number): number => (choices[at++ % choices.length] ?? 0) % below;
  visit(document, {
    Collection: (_, node, path) => {
      node.flow = next(3) === 0;
      if (!node.flow && next(4) === 0 && isFree(path)) node.commentBefore = " about it";
    },
    Scalar: (key, node, path) => {
      if (key === "key") return;
      if (typeof node.value === "string")
        node.type =
          (["PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", "BLOCK_LITERAL", "BLOCK_FOLDED"] as const)[next(5)] ?? "PLAIN";
      if (next(6) === 0 && isFree(path)) node.comment = " why";
    },
  });
  return document.toString({ indent, lineWidth: 0, indentSeq: next(2) === 0 });
}

/** Whether a text is valid YAML of this value. */
export function readsAs(text: string, value: Json): boolean {
  try {
    return equal(meaning(text), value);
  } catch (error) {
    if (error instanceof YAMLParseError) return false;
    throw error;
  }
}

/** The text with some repeated values replaced by aliases. */
export function aliased(text: string, choices: readonly number[]): string {
  const document = parseDocument(text);
  const known = new Map<string, Scalar | YAMLMap | YAMLSeq>();
  let at = 0;
  const shared = (key: unknown, node: Scalar | YAMLMap | YAMLSeq): Alias | undefined => {
    const meant = JSON.stringify(node);
    const first = known.get(meant);
    if (key === "key" || (isCollection(node) && node.items.length === 0)) return undefined;
    if (first === undefined) known.set(meant, node);
    const isChosen = first !== undefined && (choices[at++ % choices.length] ?? 0) % 4 === 0;
    return isChosen ? document.createAlias(first, `shared_${known.size}`) : undefined;
  };
  visit(document, { Scalar: shared, Collection: shared });
  return document.toString({ lineWidth: 0 });
}

/** The text with some values under these names replaced by `${var:…}`, and the variables. */
export function borrowed(
  text: string,
  names: ReadonlySet<string>,
  choices: readonly number[],
): { readonly text: string; readonly vars: Readonly<Record<string, string>> } {
  const document = parseDocument(text);
  const vars: Record<string, string> = {};
  let at = 0;
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !names.has(String(key.value)) || !isScalar(value) || typeof value.value !== "string")
        return;
      if ((choices[at++ % choices.length] ?? 0) % 3 !== 0) return;
      const name = `v${at}`;
      vars[name] = value.value;
      value.value = `\${var:${name}}`;
      value.type = "QUOTE_DOUBLE";
    },
  });
  return { text: document.toString({ lineWidth: 0 }), vars };
}
