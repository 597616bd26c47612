/** The second net under secrets: whatever leaves the program passes here, and known secret values are taken out of it. */

import { quoted, sanitised } from "../../core/sanitise.ts";
import { jsonText } from "./json.ts";
import { escaped } from "./xml.ts";

/** What stands in place of a secret. */
export const MASK = "(secret)";

/** Shorter values would take ordinary words out of the text; fields that hold them are masked by their path instead. */
const SHORTEST = 4;
/** The same for a JSON document: a program reads it, and a slug or a path in it may happen to be such a word. */
const SHORTEST_IN_JSON = 8;
/** The same for what a value becomes in base64 or hexadecimal, and for a part of it. */
const SHORTEST_FORM = 8;
/** Where a text was cut, a secret may have been cut with it. */
const CUT = "…";

/** Text on its way out, in pieces. */
export interface MaskedStream {
  write(text: string): void;
  /** Lets go of what was kept back because it could have been the beginning of a secret. */
  end(): void;
}

/** The secrets of a run. */
export class Secrets {
  /** Each with what it looks like in the encodings. */
  readonly #values = new Map<string, readonly string[]>();
  /** Every form of every value, the longest first: one may be part of another. */
  #forms: readonly string[] = [];
  /** Those of the values that are taken out of JSON. */
  #formsInJson: readonly string[] = [];

  constructor(values: readonly string[] = []) {
    this.add(values);
  }

  /** From now on these are taken out as well. */
  add(values: readonly string[]): void {
    const unknown = values.filter((value) => value.length >= SHORTEST && !this.#values.has(value));
    if (unknown.length === 0) return;
    for (const value of unknown) this.#values.set(value, spellings(value));
    const known = [...this.#values];
    this.#forms = longestFirst(known);
    this.#formsInJson = longestFirst(known.filter(([value]) => value.length >= SHORTEST_IN_JSON));
  }

  /** A whole text without the secrets; a JSON document stays one, and so does each of several lines of JSON. */
  mask(text: string): string {
    if (isDocument(text)) return this.#maskDocument(text);
    const lines = text.split("\n");
    const isLog = lines.length > 2 && lines.every((line) => line === "" || isDocument(line));
    return isLog ? lines.map((line) => this.#maskDocument(line)).join("\n") : this.#mask(text, this.#forms);
  }

  /** Masks what is written piece by piece, wherever the pieces begin and end; a JSON document is a piece by itself. */
  stream(write: (text: string) => void): MaskedStream {
    let kept = "";
    const emit = (text: string, upTo: (from: number) => number): void => {
      const pattern = patternOf(this.#forms.filter((form) => text.includes(form)));
      let out = "";
      let at = 0;
      for (;;) {
        const end = upTo(at);
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (match === null || match.index >= end) {
          kept = text.slice(end);
          out += text.slice(at, end);
          if (out !== "") write(this.#maskCut(out));
          return;
        }
        out += text.slice(at, match.index) + MASK;
        at = match.index + match[0].length;
      }
    };
    const end = (): void => emit(kept, () => kept.length);
    return {
      write: (piece) => {
        if (isDocument(piece)) {
          end();
          write(this.#maskDocument(piece));
          return;
        }
        const text = kept + piece;
        const beginnings = this.#beginnings(text);
        emit(text, (from) => beginnings.find((index) => index >= from) ?? text.length);
      },
      end,
    };
  }

  /** Where something begins that the next piece may make a secret of. */
  #beginnings(text: string): readonly number[] {
    const longest = this.#forms[0]?.length ?? 0;
    const from = Math.max(0, text.length - longest + 1);
    return Array.from({ length: text.length - from }, (_, at) => from + at).filter((index) => {
      const rest = text.slice(index);
      return this.#forms.some((form) => form.length > rest.length && form.startsWith(rest));
    });
  }

  #mask(text: string, forms: readonly string[]): string {
    const present = forms.filter((form) => text.includes(form));
    const whole = present.length === 0 ? text : text.replace(patternOf(present), () => MASK);
    return this.#maskCut(whole);
  }

  /** Takes out what is left of a secret next to a place where the text was cut. */
  #maskCut(text: string): string {
    if (!text.includes(CUT)) return text;
    const long = this.#forms.filter((form) => form.length > SHORTEST_FORM);
    const heads = long.filter((form) => text.includes(form.slice(0, SHORTEST_FORM)));
    const tails = long.filter((form) => text.includes(form.slice(-SHORTEST_FORM)));
    if (heads.length + tails.length === 0) return text;
    const parts = text.split(CUT);
    return parts
      .map((part, at) => (at === 0 ? part : withoutTail(part, tails)))
      .map((part, at) => (at === parts.length - 1 ? part : withoutHead(part, heads)))
      .join(CUT);
  }

  #maskDocument(text: string): string {
    const forms = this.#formsInJson;
    if (!text.includes(CUT) && !forms.some((form) => text.includes(form))) return text;
    return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
      if (!token.startsWith('"')) return this.#mask(token, forms) === token ? token : `"${MASK}"`;
      const value = String(JSON.parse(token));
      const safe = this.#mask(value, forms);
      return safe === value ? token : jsonText(safe);
    });
  }
}

/** The text without the secrets, in any of the forms they are usually written in; a JSON document stays one. */
export function masked(text: string, secrets: readonly string[]): string {
  return new Secrets(secrets).mask(text);
}

function longestFirst(values: readonly (readonly [value: string, forms: readonly string[]])[]): readonly string[] {
  const forms = new Set(values.flatMap(([, spelled]) => spelled));
  return [...forms].sort((left, right) => right.length - left.length);
}

function isDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Without the beginning of a secret at the end of the text. */
function withoutHead(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    const from = text.lastIndexOf(form.slice(0, SHORTEST_FORM));
    if (from >= 0 && form.startsWith(text.slice(from))) return text.slice(0, from) + MASK;
  }
  return text;
}

/** Without the end of a secret at the beginning of the text. */
function withoutTail(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    const to = text.indexOf(form.slice(-SHORTEST_FORM));
    if (to >= 0 && form.endsWith(text.slice(0, to + SHORTEST_FORM))) return MASK + text.slice(to + SHORTEST_FORM);
  }
  return text;
}

/** Finds the forms, the longest where several begin; without any it finds nothing. */
function patternOf(forms: readonly string[]): RegExp {
  return forms.length === 0 ? /(?!)/g : new RegExp(forms.map(literal).join("|"), "g");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** A value as it is, and as it stands in JSON, in our reports, in pages, URLs, base64 and hexadecimal. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const inUrl = encodeURIComponent(bytes.toString("utf8"));
  const inJson = jsonText(secret).slice(1, -1);
  const encoded = [bytes, Buffer.from(inJson, "utf8")].flatMap((each) => [
    each.toString("hex"),
    each.toString("hex").toUpperCase(),
    each.toString("base64"),
    each.toString("base64url"),
    ...[0, 1, 2].flatMap((offset) => base64At(each, offset)),
  ]);
  return [
    secret,
    inJson,
    jsonText(inJson).slice(1, -1),
    JSON.stringify(secret).slice(1, -1),
    sanitised(secret),
    quoted(secret).slice(1, -1),
    escaped(secret),
    inUrl,
    encodeURIComponent(inUrl),
    new URLSearchParams({ "": secret }).toString().slice(1),
    ...encoded.filter((form) => form.length >= SHORTEST_FORM),
  ];
}

/** What of the base64 of a longer text tells these bytes alone, when `offset` bytes modulo three stand before them. */
function base64At(bytes: Buffer, offset: number): readonly string[] {
  const before = Buffer.alloc(offset);
  const first = offset === 0 ? 0 : offset + 1;
  return (["base64", "base64url"] as const).map((encoding) => {
    const text = Buffer.concat([before, bytes]).toString(encoding).replace(/=+$/, "");
    const whole = (offset + bytes.length) % 3 === 0;
    return text.slice(first, whole ? text.length : -1);
  });
}
