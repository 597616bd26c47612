/** The values that the texts of a row refer to: `{made.slug}` is a member of what the row made or kept. */

import { isFields, isList, type Json } from "../core/json.ts";
import { formatValue } from "./client.ts";
import { firstOf, type IncidentStage, memberId, sharedIncident, statusIn } from "./fixtures/incidents.ts";
import { Deviation } from "./rule.ts";
import type { RuleContext } from "./rule-context.ts";
import { at } from "./value-shape.ts";

/** The named values of one row. */
export interface Scope {
  readonly context: RuleContext;
  keep(name: string, value: Json): void;
  /** The value that a text such as `{made.slug}` stands for, or the text; undefined if the service returned no such value. */
  read(text: string): Promise<Json | undefined>;
  /** The value with each reference replaced. Throws a deviation if the service returned no such value. */
  fill<T extends Json>(value: T): Promise<T>;
  /** The path with each reference replaced by its encoded value. */
  path(text: string): Promise<string>;
}

/** Values that a row need not make. Of `new` and `status`, the next word says which one. */
const known: Readonly<Record<string, (context: RuleContext, word: string) => Json | Promise<Json>>> = {
  /** `{new.name}`: a name nothing else bears, the same one wherever the row says so. */
  new: (context, word) => context.name(word),
  /** `{status.closed.id}`: the first enabled status of the stage. */
  status: (context, stage) => statusIn(context, stage as IncidentStage),
  /** The first enabled severity. */
  severity: (context) => firstOf(context, "severities"),
  /** The first enabled incident type. */
  type: (context) => firstOf(context, "incident_types"),
  /** An incident that rows may read but not change. */
  shared: sharedIncident,
  /** The id that the service itself gives to a person. */
  memberId,
  person: ({ person }) => person,
  otherPerson: ({ otherPerson }) => otherPerson,
  chatId: ({ chatId }) => chatId,
};

const reference = /\{([a-zA-Z]+(?:\.\w+)*)\}/g;
const wholeReference = /^\{([a-zA-Z]+(?:\.\w+)*)\}$/;

/** An empty scope. */
export function openScope(context: RuleContext): Scope {
  const values = new Map<string, Json>();

  async function lookUp(path: string): Promise<Json | undefined> {
    const words = path.split(".");
    const root = words.slice(0, words[0] === "new" || words[0] === "status" ? 2 : 1);
    const name = root.join(".");
    if (!values.has(name)) {
      const find = known[root[0] ?? ""];
      if (find === undefined) throw new Error(`the row makes and keeps no "${name}"`);
      values.set(name, await find(context, root[1] ?? ""));
    }
    const steps = words.slice(root.length).map((word) => (/^\d+$/.test(word) ? Number(word) : word));
    return at(values.get(name), ...steps);
  }

  async function require(path: string): Promise<Json> {
    const value = await lookUp(path);
    if (value === undefined) throw new Deviation(`${path} in what the service returned`, formatValue(value));
    return value;
  }

  async function replaced(text: string, write: (value: Json) => string): Promise<string> {
    const parts: string[] = [];
    let end = 0;
    for (const match of text.matchAll(reference)) {
      parts.push(text.slice(end, match.index), write(await require(match[1] ?? "")));
      end = match.index + match[0].length;
    }
    return parts.join("") + text.slice(end);
  }

  async function filled(value: Json): Promise<Json> {
    if (typeof value === "string") {
      const whole = wholeReference.exec(value)?.[1];
      return whole === undefined ? replaced(value, String) : require(whole);
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
      return whole === undefined ? replaced(text, String) : lookUp(whole);
    },
    fill: async <T extends Json>(value: T) => (await filled(value)) as T,
    path: (text) => replaced(text, (value) => encodeURIComponent(String(value))),
  };
}
