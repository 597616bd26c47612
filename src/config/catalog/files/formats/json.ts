/**
 * A JSON file, which is one document, or a file of JSON lines, each of which is one. `JSON.parse` knows no places, and reads the last of two equal keys. With jsonc-parser, this file
 * would be 20 lines shorter, but reading takes a third longer (2 MiB in 115 ms instead of 88 ms), and the program would hold one more
 * package.
 */

import { bare } from "../../../../core/json.ts";
import type { FileErrors } from "../../../source/file-errors.ts";
import type { Limits } from "../../../source/limits.ts";
import type { Source } from "../../../source/source.ts";
import { exactValue, type ScalarValue } from "../../../source/text.ts";
import type { ListNode, MapNode, Member, Node, ScalarNode } from "../../../source/tree.ts";
import { refuseTokens } from "../../../source/yaml/read-yaml.ts";
import { depthError } from "../../../source/yaml/syntax-error.ts";
import type { ReadFormat } from "../document.ts";

/** Reads the only document. */
export const readJsonDocument: ReadFormat = (source, limits, errors) => {
  refuseTokens(source.text, limits, errors);
  return [new JsonReader(source, limits, errors).document()];
};

/** Reads a document of each line. */
export const readJsonLines: ReadFormat = (source, limits, errors) => {
  refuseTokens(source.text, limits, errors);
  return new JsonReader(source, limits, errors).lines();
};

const BLANKS = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /[\w$]+/y;
const WORDS = new Map<string, ScalarValue>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

class JsonReader {
  readonly #source: Source;
  readonly #text: string;
  readonly #limits: Limits;
  readonly #errors: FileErrors;
  #at = 0;
  #depth = 0;

  constructor(source: Source, limits: Limits, errors: FileErrors) {
    this.#source = source;
    this.#text = source.text;
    this.#limits = limits;
    this.#errors = errors;
  }

  document(): Node {
    const node = this.#value();
    this.#skipBlanks();
    const help = "Put the values into a list: [ ], or name a file with a value in each line *.jsonl.";
    if (this.#at < this.#text.length) this.#refuse("a JSON file has one value", help);
    return node;
  }

  lines(): readonly Node[] {
    const nodes: Node[] = [];
    for (this.#skipBlanks(); this.#at < this.#text.length; this.#skipBlanks()) {
      const previous = nodes.at(-1);
      if (previous !== undefined && !this.#text.slice(previous.end, this.#at).includes("\n")) {
        this.#refuse("a line has one value", "Begin a new line, or put the values into a list: [ ].");
      }
      nodes.push(this.#value());
    }
    return nodes;
  }

  #value(): Node {
    this.#skipBlanks();
    const start = this.#at;
    const here = this.#text[start];
    if (here === "{") return this.#nested(() => this.#object());
    if (here === "[") return this.#nested(() => this.#list());
    if (here === '"') return this.#scalar(this.#string(), start);
    const number = this.#match(NUMBER);
    if (number !== "") return this.#scalar(exactValue(Number(number), number), start);
    const word = this.#match(WORD);
    const value = WORDS.get(word);
    if (value !== undefined) return this.#scalar(value, start);
    this.#at = start;
    if (word !== "") this.#refuse("a text has no quotes", 'Write it in double quotes: "text".');
    return this.#refuse(
      "a value is expected here",
      "Write a text in double quotes, a number, true, false, null, [ ] or { }.",
    );
  }

  #scalar(value: ScalarValue, start: number): ScalarNode {
    return { type: "scalar", value, start, end: this.#at, source: this.#source };
  }

  #nested(read: () => Node): Node {
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) this.#errors.refuse(depthError(this.#at, this.#limits));
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #list(): ListNode {
    const start = this.#at;
    const items: Node[] = [];
    this.#at += 1;
    for (let isFirst = true; !this.#closes("]", isFirst); isFirst = false) items.push(this.#value());
    const value = items.map((item) => item.value ?? null);
    return { type: "list", items, value, start, end: this.#at, source: this.#source };
  }

  #object(): MapNode {
    const start = this.#at;
    const value = bare();
    const members = new Map<string, Member>();
    this.#at += 1;
    for (let isFirst = true; !this.#closes("}", isFirst); isFirst = false) {
      const key = this.#at;
      if (this.#text[key] !== '"') this.#refuse("a key in double quotes is expected here", 'Write "key": value.');
      const name = this.#string();
      const end = this.#at;
      this.#skipBlanks();
      if (this.#text[this.#at] !== ":") this.#refuse("a colon is missing behind the key", 'Write "key": value.');
      this.#at += 1;
      const node = this.#value();
      const first = members.get(name);
      if (first === undefined) {
        value[name] = node.value ?? null;
        members.set(name, { start: key, end, source: this.#source, value: node });
      } else {
        const related = { message: "first here", start: first.start, end: first.end };
        const message = `the object has the key "${name}" twice`;
        this.#errors.add({ code: "E_DUP_KEY", message, help: "Keep one of the two.", start: key, end, related });
      }
    }
    return { type: "map", members, value, start, end: this.#at, source: this.#source };
  }

  /** Moves to the next item, or behind the closing bracket; returns whether that was here. */
  #closes(bracket: string, isFirst: boolean): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] === bracket) {
      this.#at += 1;
      return true;
    }
    if (isFirst) return false;
    if (this.#text[this.#at] !== ",")
      this.#refuse(`a comma or ${bracket} is expected here`, "Close what is open, or separate the items.");
    const comma = this.#at;
    this.#at += 1;
    this.#skipBlanks();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at = comma;
    return this.#refuse(`a comma stands before the ${bracket}`, "Remove it: JSON allows none there.");
  }

  /** A text in quotes; moves behind it. */
  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start + 1;
    for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(at)) {
      if (Number.isNaN(code) || code === 0x0a) this.#refuse("a text is not closed", 'End it with ".');
      at += code === 0x5c ? 2 : 1;
    }
    this.#at = at + 1;
    try {
      return String(JSON.parse(text.slice(start, at + 1)));
    } catch {
      this.#at = start;
      const help = "Write a control character as an escape, such as \\t, and a backslash as \\\\.";
      return this.#refuse("a text has an escape or a character that JSON does not have", help);
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #skipBlanks(): void {
    this.#match(BLANKS);
    if (this.#text[this.#at] === "/") this.#refuse("JSON has no comments", "Remove it.");
  }

  #refuse(message: string, help: string): never {
    return this.#errors.refuse({ code: "E_SYNTAX", message, help, start: this.#at });
  }
}
