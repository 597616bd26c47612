/** YAML as people write it: values in every style, with comments, at any indentation. */

import { Document, isCollection, parse as parseYaml, visit, YAMLParseError } from "yaml";
import { equal, type Json } from "../../src/json.ts";

/** What a text means to another reader of YAML, once nothing more is put in. */
export const meaning = (text: string): Json =>
  parseYaml(text.replaceAll("$${", "${"), { version: "1.2", schema: "core" });

/** A value in a style that somebody might have chosen for each of its parts; with comments in brackets as well, or without. */
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

/** Whether a text means a value. */
export function readsAs(text: string, value: Json): boolean {
  try {
    return equal(meaning(text), value);
  } catch (error) {
    if (error instanceof YAMLParseError) return false;
    throw error;
  }
}
