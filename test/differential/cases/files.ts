/** The files of a document: YAML, in which some values come from variables and from the environment. */

import { stringify } from "yaml";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { oneOf } from "./choice.ts";

/** A value that is to come from elsewhere, by number, and how. */
export interface Borrowing {
  readonly at: number;
  readonly how: number;
}

/** Files, and what they resolve to. */
export interface Files {
  readonly text: string;
  /** The document with all values in place. */
  readonly document: Fields;
  readonly env: Readonly<Record<string, string>>;
}

/** A part of values that nobody may see: never a word of a workspace. */
export const CANARY = "c4n4ry";

/** Members whose text may come from elsewhere. */
const BORROWED = new Set([
  "name",
  "description",
  "summary",
  "content",
  "instruction",
  "title",
  "url",
  "channel_id",
  "notes",
  "value",
]);
/** Members that may hold any text, and so a canary. */
const FREE = new Set(["description", "summary", "content", "instruction", "url"]);

/** Writes a document. */
export function filesOf(document: Fields, borrowings: readonly Borrowing[]): Files {
  let [resolved, written]: readonly [Json, Json] = [document, escaped(document)];
  const env: Record<string, string> = {};
  const paths = texts(document, [], undefined);
  for (const [index, { at, how }] of borrowings.entries()) {
    const path = paths[at % Math.max(1, paths.length)];
    if (path === undefined) continue;
    const name = `VALUE_${index}`;
    const key = String(path.findLast((step) => typeof step === "string"));
    const isUrl = key === "url";
    const isCanary = FREE.has(key) && how % 2 === 0;
    const before = String(value(document, path));
    const word = isCanary ? `${isUrl ? "https://hook.example.com/" : ""}${CANARY}${how}ZqX7` : before;
    const cut = isCanary || isUrl ? 0 : oneOf([0, 0, 1, Math.floor(word.length / 2)], how >> 1);
    const [head, tail] = [word.slice(0, cut), word.slice(cut)];
    if (tail === "") continue;
    env[name] = tail;
    resolved = placed(resolved, path, word);
    const writtenPath = path.map((step) => (typeof step === "string" ? escapedText(step) : step));
    written = placed(written, writtenPath, `${escapedText(head)}\${env:${name}}`);
  }
  return {
    text: stringify(written, { lineWidth: 0, aliasDuplicateObjects: false }),
    document: resolved as Fields,
    env,
  };
}

type Path = readonly (string | number)[];

function texts(held: Json | undefined, path: Path, name: string | undefined): readonly Path[] {
  // Names that are keys of other lists are written out.
  const isKey = name === "name" && ["alert_sources", "webhooks", "api_keys", "routing_rules"].includes(String(path[0]));
  const isDefinition = path.includes("attributes") && path.length === 5;
  if (typeof held === "string")
    return name !== undefined && BORROWED.has(name) && !isKey && !isDefinition && held !== "" ? [path] : [];
  if (isList(held)) return held.flatMap((item, index) => texts(item, [...path, index], name));
  if (!isFields(held)) return [];
  return Object.entries(held).flatMap(([key, item]) => texts(item, [...path, key], key));
}

function value(held: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((part, step) => {
    if (typeof step === "number") return isList(part) ? part[step] : undefined;
    return isFields(part) ? part[step] : undefined;
  }, held);
}

function placed(held: Json, [step, ...rest]: Path, next: Json): Json {
  if (step === undefined) return next;
  if (typeof step === "number") return isList(held) ? held.with(step, placed(held[step] ?? null, rest, next)) : held;
  return isFields(held) ? { ...held, [step]: placed(held[step] ?? null, rest, next) } : held;
}

const escapedText = (text: string): string => text.replaceAll("${", () => "$${");

function escaped(held: Json): Json {
  if (typeof held === "string") return escapedText(held);
  if (isList(held)) return held.map(escaped);
  if (!isFields(held)) return held;
  return Object.fromEntries(Object.entries(held).map(([name, member]) => [escapedText(name), escaped(member)]));
}
