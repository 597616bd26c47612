/** A file that can be changed in place: its text, its values with their places, its comments. */

import { Findings } from "../../core/findings.ts";
import { equal } from "../../core/json.ts";
import type { Limits } from "../source/limits.ts";
import type { Source } from "../source/source.ts";
import { readYaml } from "../source/yaml/read-yaml.ts";
import { aliasesOf, type Written, writtenOf } from "./cst.ts";
import { commentsOf, concrete, parseValue } from "./yaml-cst.ts";

export interface EditableDocument {
  readonly text: string;
  readonly root: Written;
  /** Where its comments begin, from the top. */
  readonly comments: readonly number[];
  /** The names of anchors that an alias stands for. */
  readonly aliased: ReadonlySet<string>;
}

/** A file that the parser for editing reads otherwise than the loader does, or not at all: it is left as it is. */
export class NotEditable extends Error {}

/**
 * The file for editing; undefined if it cannot be read. Throws {@link NotEditable}: what is changed in place is found by another
 * parser than the loader's, so both have to see the same values.
 */
export function editableDocument(source: Source, limits: Limits): EditableDocument | undefined {
  const { text } = source;
  const file = readYaml(source, limits, new Findings());
  if (file === undefined) return undefined;
  const value = parseValue(text);
  const document = value !== undefined && equal(value, file.value) ? concrete(text) : undefined;
  const root = document === undefined ? undefined : writtenOf(document, file.node, text);
  if (root === undefined) throw new NotEditable();
  return { text, root, comments: commentsOf(text).map(({ start }) => start), aliased: new Set(aliasesOf(root, text)) };
}
