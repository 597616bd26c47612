/**
 * The values that the texts of a row refer to: `{made.slug}` is a member of what the row made or kept, and
 * `{key.token.prefix}` what can be read of a text.
 */

import { isFields, isList, type Json } from "../core/json.ts";
import { formatValue } from "./client.ts";
import type { RuleContext } from "./rule.ts";
import { Deviation } from "./rule.ts";
import { at } from "./value-shape.ts";

/** The named values of one row. */
export interface Scope {
  readonly context: RuleContext;
  keep(name: string, value: Json): void;
  /** The value that a text such as `{made.slug}` stands for, or the text; undefined if the service returned no such value. */
  read(text: string): Promise<Json | undefined>;
  /** The value with each reference replaced. Throws a deviation if the service returned no such value. */
  fill<T extends Json>(value: T): Promise<T>;
  /** The value that a reference names; undefined if what it is part of does not have it. */
  find(path: string): Promise<Json | undefined>;
  /** The path with each reference replaced by its encoded value. */
  path(text: string): Promise<string>;
}

/** Makes something before the first request, and returns it for references. */
export type Given = (scope: Scope) => Promise<Json>;

/** Finds a value that a row need not make. The second word of the reference says which one, where there are several. */
export type KnownValue = (context: RuleContext, word: string) => Json | Promise<Json>;

/** `{new.name}` is a name nothing else bears, the same one wherever the row says so. */
const newName: KnownValue = (context, word) => context.name(word);

/** Values derived from a text. */
const derived: Readonly<Record<string, (text: string) => string>> = {
  prefix: (token) => token.slice(0, 12),
  slug: (name) => name.toLowerCase().replaceAll(" ", "_"),
};

/** The names whose second word says which value is meant. */
const families = ["new", "status"];

const reference = /\{(\w+(?:\.\w+)*)\}/g;
const wholeReference = /^\{(\w+(?:\.\w+)*)\}$/;

function valueIn(value: Json | undefined, step: string): Json | undefined {
  return typeof value === "string" ? derived[step]?.(value) : at(value, /^\d+$/.test(step) ? Number(step) : step);
}

/** A scope of these values, and of what is kept in it. */
export function openScope(context: RuleContext, known: Readonly<Record<string, KnownValue>> = {}): Scope {
  const values = new Map<string, Json>();

  async function lookUp(path: string): Promise<Json | undefined> {
    const words = path.split(".");
    const [root = "", word = ""] = words;
    const name = families.includes(root) ? `${root}.${word}` : root;
    if (!values.has(name)) {
      const find = root === "new" ? newName : known[root];
      if (find === undefined) throw new Error(`the row makes and keeps no "${name}"`);
      values.set(name, await find(context, word));
    }
    return words.slice(name.split(".").length).reduce(valueIn, values.get(name));
  }

  async function resolvePath(path: string): Promise<Json> {
    const value = await lookUp(path);
    if (value === undefined) throw new Deviation(`${path} in what the service returned`, formatValue(value));
    return value;
  }

  async function replaced(text: string, write: (value: Json) => string): Promise<string> {
    const parts: string[] = [];
    let end = 0;
    for (const match of text.matchAll(reference)) {
      parts.push(text.slice(end, match.index), write(await resolvePath(match[1] ?? "")));
      end = match.index + match[0].length;
    }
    return parts.join("") + text.slice(end);
  }

  async function filled(value: Json): Promise<Json> {
    if (typeof value === "string") {
      const whole = wholeReference.exec(value)?.[1];
      return whole === undefined ? replaced(value, String) : resolvePath(whole);
    }
    if (isList(value)) return Promise.all(value.map(filled));
    if (!isFields(value)) return value;
    const members = Object.entries(value).map(async ([name, held]) => [
      await replaced(name, String),
      await filled(held),
    ]);
    return Object.fromEntries(await Promise.all(members));
  }

  return {
    context,
    keep: (name, value) => values.set(name, value),
    async read(text) {
      const whole = wholeReference.exec(text)?.[1];
      return whole === undefined ? replaced(text, String) : resolvePath(whole);
    },
    find: lookUp,
    fill: async <T extends Json>(value: T) => (await filled(value)) as T,
    path: (text) => replaced(text, (value) => encodeURIComponent(String(value))),
  };
}
