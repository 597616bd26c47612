/** Formats a file: its canonical layout, once it is certain that it says the same and that no comment was lost. */

import { Findings } from "../../core/findings.ts";
import { canonical, equal, type Json } from "../../core/json.ts";
import type { Limits } from "../source/limits.ts";
import { Source } from "../source/source.ts";
import type { Node } from "../source/tree.ts";
import { readYaml, type YamlFile } from "../source/yaml/read-yaml.ts";
import { laidOut, NoLayout } from "./layout.ts";
import { commentsOf, concrete, parseValue } from "./yaml-cst.ts";

/** The file in its canonical layout; undefined if it cannot be laid out without changing what it means. */
export function formatted(source: Source, file: YamlFile, limits: Limits): string | undefined {
  const value = parseValue(source.text);
  // The layout is found by another parser than the loader's, so both have to see the same values.
  if (value === undefined || !equal(value, file.value)) return undefined;
  try {
    const first = again(source.text);
    const text = first === undefined ? undefined : again(first);
    const settled = text === undefined ? undefined : again(text);
    if (text === undefined || settled !== text) return undefined;
    const read = readYaml(new Source(source.file, source.path, text), limits, new Findings());
    const isSame =
      read !== undefined && meaning(read.node) === meaning(file.node) && comments(text) === comments(source.text);
    return isSame ? text : undefined;
  } catch (error) {
    if (error instanceof NoLayout) return undefined;
    throw error;
  }
}

function again(text: string): string | undefined {
  const document = concrete(text);
  return document === undefined ? undefined : laidOut(document);
}

function comments(text: string): string {
  return JSON.stringify(commentsOf(text).map(({ start, end }) => text.slice(start, end).trimEnd()));
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
