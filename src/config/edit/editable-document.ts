/** A file that can be edited in place: its text, its values with their places, its comments. */

import { Findings } from "../../core/findings.ts";
import { equal } from "../../core/json.ts";
import type { Limits } from "../source/limits.ts";
import type { Source } from "../source/source.ts";
import { readYaml } from "../source/yaml/read-yaml.ts";
import { aliasesOf, type SyntaxNode, syntaxNodeOf } from "./cst.ts";
import { commentsOf, parseCst, parseValue } from "./yaml-cst.ts";

export interface EditableDocument {
  readonly text: string;
  readonly root: SyntaxNode;
  /** The offsets of its comments, in order. */
  readonly comments: readonly number[];
  /** The names of anchors with an alias. */
  readonly aliased: ReadonlySet<string>;
}

/** The parser for editing does not read the same values as the loader, so the file cannot be edited. */
export class NotEditable extends Error {}

/**
 * Reads a file for editing; undefined if it has errors. Throws {@link NotEditable} if the two parsers do not read the same values:
 * the places of edits are those of the other parser.
 */
export function editableDocument(source: Source, limits: Limits): EditableDocument | undefined {
  const { text } = source;
  const file = readYaml(source, limits, new Findings());
  if (file === undefined) return undefined;
  const value = parseValue(text);
  const document = value !== undefined && equal(value, file.value) ? parseCst(text) : undefined;
  const root = document === undefined ? undefined : syntaxNodeOf(document, file.node, text);
  if (root === undefined) throw new NotEditable();
  return { text, root, comments: commentsOf(text).map(({ start }) => start), aliased: new Set(aliasesOf(root, text)) };
}
