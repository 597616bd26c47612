/** The origins of a resource's values. Places are computed on request from what is kept of the file: most runs need few of them. */

import type { Location } from "../../core/diagnostic.ts";
import { escapedStep, stepsOf } from "../../core/json.ts";
import { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { type Found, follow, type Node, placeOf, textOf } from "../source/tree.ts";

/** Where the values of a resource come from. */
export type Origins = FileOrigins | FixedOrigins;

/** Values in a file, its overlays and foreign files. */
interface FileOrigins {
  /** The file of its list. */
  readonly source: Source;
  /** The tree of the resource, or the file that can be read again for it. */
  readonly tree: Node | ParsedFile;
  /** The offset at which the resource starts. */
  readonly start: number;
}

/** Values without places of their own. */
interface FixedOrigins {
  readonly at: Location;
  /** The address of the resource, if its locations name their fields. */
  readonly address?: string;
}

/** A value that an overlay has replaced, as it is written in its file. */
export interface OverriddenValue {
  readonly written: string;
  readonly at: Location;
}

/** A declared resource, as far as its places need it. */
interface Originated {
  readonly origins: Origins;
}

/** The location at which a resource starts. */
export function startOf({ origins }: Originated): Location {
  return "source" in origins ? sourceOf(origins).location(origins.start) : locationOf(origins, "");
}

/** The path of the file that a resource is in. */
export function fileOf({ origins }: Originated): string {
  return "source" in origins ? sourceOf(origins).file : origins.at.file;
}

function sourceOf({ source, tree }: FileOrigins): Source {
  return tree.source ?? source;
}

/** The location of a field, by JSON Pointer into the resource. */
export function locationOf(origins: Origins, pointer: string): Location {
  if ("source" in origins) return placeOf(find(origins, pointer).node, origins.source);
  const { at, address } = origins;
  return address === undefined ? at : { ...at, field: { address, pointer } };
}

/** The values that an overlay's value has replaced, the nearest first. */
export function overriddenValues(origins: Origins, pointer: string): readonly OverriddenValue[] {
  if (!("source" in origins)) return [];
  const { member, whole } = find(origins, pointer);
  const all: OverriddenValue[] = [];
  for (let one = whole ? member?.covers : undefined; one !== undefined; one = one.covers) {
    all.push({ written: textOf(one.value, origins.source).trim(), at: placeOf(one.value, origins.source) });
  }
  return all;
}

/** The text of a value before substitution; undefined if it is no text of a file. */
export function unsubstituted(origins: Origins, pointer: string): string | undefined {
  if (!("source" in origins)) return undefined;
  const { node, whole } = find(origins, pointer);
  return whole && node.type === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The expression that made a value out of its place in a foreign file; undefined if none did. */
export function expressionOf(origins: Origins, pointer: string): string | undefined {
  if (!("source" in origins)) return undefined;
  const { member, whole } = find(origins, pointer);
  return whole ? member?.expression : undefined;
}

/** The text that a foreign file has for a value, where a reference has the key that it means; undefined if none made it. */
export function originalText(origins: Origins, pointer: string): string | undefined {
  if (!("source" in origins)) return undefined;
  const { node, whole } = find(origins, pointer);
  return whole && node.type === "scalar" ? node.computed : undefined;
}

/** The template that made a value out of a foreign file, or the globs of the source that made the resource; undefined if none did. */
export function templateAt(origins: Origins, pointer: string): Location | undefined {
  // What is read again from a file of the configuration was not made.
  if (!("source" in origins) || origins.tree instanceof ParsedFile) return undefined;
  const { node, whole } = find(origins, pointer);
  const made = whole ? node.madeAt : origins.tree.madeAt;
  return made === undefined ? undefined : placeOf(made, origins.source);
}

/** Fields under `extra` are one step deeper in the file than in the resource. */
function find({ tree, start }: FileOrigins, pointer: string): Found {
  const node = tree instanceof ParsedFile ? tree.mappingAt(start) : tree;
  const [first = ""] = stepsOf(pointer);
  return follow(node, follow(node, `/extra/${escapedStep(first)}`).whole ? `/extra${pointer}` : pointer);
}
