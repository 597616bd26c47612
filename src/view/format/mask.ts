/** Masks known secrets in all output, also those in JSON, URLs, base64 or hexadecimal, and those that were cut. */

import { quoted, sanitised } from "../../core/sanitise.ts";
import { MASK } from "../../core/value-text.ts";
import { escaped } from "./html.ts";
import { jsonText } from "./json.ts";

/** Characters of the shortest secret to mask. Shorter ones are ordinary words; their fields are masked by path. */
const SHORTEST = 4;
/** The same in a JSON document, whose slugs and paths are more likely to equal a short secret. */
const SHORTEST_IN_JSON = 8;
/** The same for encoded secrets and parts of secrets. */
const SHORTEST_FORM = 8;
/** Characters of the shortest beginning of a cut secret: those of a token that are public, and more than can be guessed one by one. */
const SHORTEST_PART = 20;
/** The mark of a cut text, which may contain a part of a secret. */
const CUT = "…";

/** An output stream that masks secrets. */
export interface MaskedStream {
  write(text: string): void;
  /** Writes the text that was held back because it could be the beginning of a secret. */
  end(): void;
}

/** The known secrets. */
export class Secrets {
  /** Each secret with its encoded forms. */
  readonly #values = new Map<string, readonly string[]>();
  /** The forms of all secrets, the longest first, since one may be part of another. */
  #forms: readonly string[] = [];
  /** The forms to mask in JSON documents. */
  #formsInJson: readonly string[] = [];
  /** The forms that are masked beside a cut, with the characters of the shortest part to mask. */
  #parts: readonly Part[] = [];

  constructor(values: readonly string[] = []) {
    this.add(values);
  }

  /** Masks more values from now on; those that nobody can guess in part, where a text was cut, too. */
  add(values: readonly string[], isInParts: boolean = true): void {
    const unknown = values.filter((value) => value.length >= SHORTEST && !this.#values.has(value));
    if (unknown.length === 0) return;
    for (const value of unknown) this.#values.set(value, spellings(value));
    if (isInParts) this.#parts = [...this.#parts, ...unknown.flatMap(partsOf)];
    const known = [...this.#values];
    this.#forms = longestFirst(known);
    this.#formsInJson = longestFirst(known.filter(([value]) => value.length >= SHORTEST_IN_JSON));
  }

  /** The text with secrets masked. A JSON document, or each of several lines of JSON, stays valid. */
  mask(text: string): string {
    if (isDocument(text)) return this.#maskDocument(text);
    const lines = text.split("\n");
    const isLog = lines.length > 2 && lines.every((line) => line === "" || isDocument(line));
    return isLog ? lines.map((line) => this.#maskDocument(line)).join("\n") : this.#mask(text, this.#forms);
  }

  /** A stream that masks secrets across its writes. A JSON document must be one write. */
  stream(write: (text: string) => void): MaskedStream {
    let held = "";
    const emit = (text: string, upTo: (from: number) => number): void => {
      const pattern = patternOf(this.#forms.filter((form) => text.includes(form)));
      let out = "";
      let at = 0;
      for (;;) {
        const end = upTo(at);
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (match === null || match.index >= end) {
          held = text.slice(end);
          out += text.slice(at, end);
          if (out !== "") write(this.#maskCut(out));
          return;
        }
        out += text.slice(at, match.index) + MASK;
        at = match.index + match[0].length;
      }
    };
    const end = (): void => emit(held, () => held.length);
    return {
      write: (piece) => {
        if (isDocument(piece)) {
          end();
          write(this.#maskDocument(piece));
          return;
        }
        const text = held + piece;
        const beginnings = this.#beginnings(text);
        emit(text, (from) => beginnings.find((index) => index >= from) ?? text.length);
      },
      end,
    };
  }

  /** Positions near the end of the text where a secret may begin. */
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

  /** Masks the parts of secrets next to the places where the text was cut. */
  #maskCut(text: string): string {
    if (!text.includes(CUT)) return text;
    const heads = this.#parts.filter(({ form, length }) => text.includes(form.slice(0, length)));
    const tails = this.#parts.filter(({ form, length }) => text.includes(form.slice(-length)));
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

/** The text with these secrets masked. A JSON document stays valid. */
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

/** A form of a secret, and the characters of its shortest part to mask. */
interface Part {
  readonly form: string;
  readonly length: number;
}

/** The forms of a secret that is long enough to be masked in part. */
function partsOf(secret: string): readonly Part[] {
  if (secret.length <= SHORTEST_PART) return [];
  return spellings(secret).map((form) => ({ form, length: Math.ceil((form.length * SHORTEST_PART) / secret.length) }));
}

/** The text without the beginning of a secret at its end. */
function withoutHead(text: string, parts: readonly Part[]): string {
  for (const { form, length } of parts) {
    const from = text.lastIndexOf(form.slice(0, length));
    if (from >= 0 && form.startsWith(text.slice(from))) return text.slice(0, from) + MASK;
  }
  return text;
}

/** The text without the end of a secret at its beginning. */
function withoutTail(text: string, parts: readonly Part[]): string {
  for (const { form, length } of parts) {
    const to = text.indexOf(form.slice(-length));
    if (to >= 0 && form.endsWith(text.slice(0, to + length))) return MASK + text.slice(to + length);
  }
  return text;
}

/** An expression for the forms, the longest first; without forms it matches nothing. */
function patternOf(forms: readonly string[]): RegExp {
  return forms.length === 0 ? /(?!)/g : new RegExp(forms.map(literal).join("|"), "g");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The forms of a secret: as it is, in JSON, in reports, in HTML, in URLs, in base64 and in hexadecimal. */
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

/** The part of a longer text's base64 that depends on these bytes alone, if `offset` bytes (modulo 3) come before them. */
function base64At(bytes: Buffer, offset: number): readonly string[] {
  const before = Buffer.alloc(offset);
  const first = offset === 0 ? 0 : offset + 1;
  return (["base64", "base64url"] as const).map((encoding) => {
    const text = Buffer.concat([before, bytes]).toString(encoding).replace(/=+$/, "");
    const whole = (offset + bytes.length) % 3 === 0;
    return text.slice(first, whole ? text.length : -1);
  });
}
