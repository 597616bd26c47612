/** A file as a page that can be edited: its text, its values with their places, its comments. */

import type { Findings } from "../load/findings.ts";
import type { Limits } from "../source/limits.ts";
import type { Source } from "../source/source.ts";
import { comments, concrete, parse } from "../source/yaml.ts";
import { aliasesOf, writtenOf } from "./cst.ts";
import type { Page } from "./edit.ts";

/** The page of a file; undefined when something in it was refused. */
export function pageOf(source: Source, limits: Limits, findings: Findings): Page | undefined {
  const node = parse(source, limits, findings);
  const document = node === undefined ? undefined : concrete(source.text);
  const root = node === undefined || document === undefined ? undefined : writtenOf(document, node, source.text);
  if (root === undefined) return undefined;
  const { text } = source;
  return { text, root, comments: comments(text).map(({ start }) => start), aliased: new Set(aliasesOf(root, text)) };
}
