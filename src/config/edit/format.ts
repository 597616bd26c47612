/** Formats a file, and checks that its values and comments are unchanged. */

import { Findings } from "../../core/findings.ts";
import { canonical, equal, type Json } from "../../core/json.ts";
import type { Limits } from "../source/limits.ts";
import { Source } from "../source/source.ts";
import type { Node } from "../source/tree.ts";
import { readYaml, type YamlFile } from "../source/yaml/read-yaml.ts";
import { layOut, NoCanonicalLayout } from "./layout.ts";
import { commentsOf, parseCst, parseValue } from "./yaml-cst.ts";

/** Returns the file in its canonical layout; undefined if its values or comments would change. */
export function formatText(source: Source, file: YamlFile, limits: Limits): string | undefined {
  const value = parseValue(source.text);
  // The layout is that of another parser than the loader's, so both must read the same values.
  if (value === undefined || !equal(value, file.value)) return undefined;
  try {
    const first = layOutOnce(source.text);
    const text = first === undefined ? undefined : layOutOnce(first);
    const settled = text === undefined ? undefined : layOutOnce(text);
    if (text === undefined || settled !== text) return undefined;
    const read = readYaml(new Source(source.file, source.path, text), limits, new Findings());
    const isSame =
      read !== undefined && meaning(read.node) === meaning(file.node) && comments(text) === comments(source.text);
    return isSame ? text : undefined;
  } catch (error) {
    if (error instanceof NoCanonicalLayout) return undefined;
    throw error;
  }
}

function layOutOnce(text: string): string | undefined {
  const document = parseCst(text);
  return document === undefined ? undefined : layOut(document);
}

function comments(text: string): string {
  return JSON.stringify(commentsOf(text).map(({ start, end }) => text.slice(start, end).trimEnd()));
}

/** The value of a tree, with the order of its keys. */
function meaning(node: Node): string {
  return canonical(value(node));
}

function value(node: Node): Json {
  if (node.type === "list") return node.items.map(value);
  if (node.type === "map") return [...node.members].map(([name, member]) => [name, value(member.value)]);
  return node.value;
}
