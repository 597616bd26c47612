/** Formats a file: its canonical layout, once it is certain that it says the same and that no comment was lost. */

import { canonical, type Json } from "../../core/json.ts";
import { Findings } from "../load/findings.ts";
import type { Limits } from "../source/limits.ts";
import { Source } from "../source/source.ts";
import type { Node } from "../source/tree.ts";
import { comments, concrete, parse } from "../source/yaml.ts";
import { laidOut, NoLayout } from "./layout.ts";

/** The file in its canonical layout; undefined when what is in it could not be laid out without changing it. */
export function formatted(source: Source, node: Node, limits: Limits): string | undefined {
  try {
    const first = again(source.text);
    const text = first === undefined ? undefined : again(first);
    const settled = text === undefined ? undefined : again(text);
    if (text === undefined || settled !== text) return undefined;
    const read = parse(new Source(source.file, source.path, text), limits, new Findings());
    const same = read !== undefined && meaning(read) === meaning(node) && remarks(text) === remarks(source.text);
    return same ? text : undefined;
  } catch (error) {
    if (error instanceof NoLayout) return undefined;
    throw error;
  }
}

function again(text: string): string | undefined {
  const document = concrete(text);
  return document === undefined ? undefined : laidOut(document);
}

function remarks(text: string): string {
  return JSON.stringify(comments(text).map(({ start, end }) => text.slice(start, end).trimEnd()));
}

/** What a tree says, with the order of its keys. */
function meaning(node: Node): string {
  return canonical(value(node));
}

function value(node: Node): Json {
  if (node.type === "list") return node.items.map(value);
  if (node.type === "map") return [...node.members].map(([name, member]) => [name, value(member.value)]);
  return node.value;
}
