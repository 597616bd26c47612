/** What things mean, and where values come from, as text. */

import type { Json } from "../core/json.ts";
import { sanitised } from "../core/sanitise.ts";
import type { Paint } from "./format/ansi.ts";
import { shown } from "./format/value.ts";

/** A kind or a field, explained; see `config/meaning.ts`. */
interface Explained {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly notes: readonly string[];
  readonly values?: readonly Json[];
  readonly fields: readonly { readonly name: string; readonly type: string; readonly description: string }[];
  readonly mentions: readonly string[];
  readonly mentionedBy: readonly string[];
  readonly example?: string;
}

/** A value of an entry, and where it stands. */
export interface Origin {
  /** JSON Pointer into the entry. */
  readonly path: string;
  /** Null where it came from the environment, which is never shown. */
  readonly value: Json;
  readonly secret: boolean;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The file is an overlay of the chosen environment. */
  readonly overlay: boolean;
  /** What stands there, where something is put in. */
  readonly written?: string;
  /** What an overlay has replaced, as it is written there, the nearest first; null for a secret. */
  readonly covers?: readonly {
    readonly written: string | null;
    readonly file: string;
    readonly line: number;
    readonly column: number;
  }[];
}

const WIDTH = 100;

/** An explanation for a terminal. */
export function meaningText(meaning: Explained, paint: Paint): string {
  const { values = [], fields, mentions, mentionedBy, example } = meaning;
  const width = Math.max(0, ...fields.map(({ name }) => name.length));
  const sections = [
    [`${paint("heading", meaning.name)}  ${paint("quiet", meaning.type)}`, ...wrapped(meaning.description, "  ")],
    meaning.notes.flatMap((note) => wrapped(note, "  ")),
    values.length === 0 ? [] : ["Values:", ...wrapped(values.map(String).join(", "), "  ")],
    fields.length === 0
      ? []
      : [
          "Fields:",
          ...fields.flatMap(({ name, type, description }) => [
            `  ${paint("heading", name.padEnd(width))}  ${paint("quiet", type)}`,
            ...wrapped(description, " ".repeat(width + 4)),
          ]),
        ],
    mentions.length === 0 ? [] : wrapped(`May mention: ${mentions.join(", ")}.`, ""),
    mentionedBy.length === 0 ? [] : wrapped(`May be mentioned by: ${mentionedBy.join(", ")}.`, ""),
    example === undefined ? [] : ["Example:", ...example.split("\n").map((line) => `  ${line}`.trimEnd())],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** The values of an entry with their places, a line each. */
export function originsText(address: string, origins: readonly Origin[], paint: Paint): string {
  const rows = origins.map(({ path, value, secret, file, line, column, overlay, written, covers = [] }) => ({
    name: sanitised(path.slice(1).replaceAll("~1", "/").replaceAll("~0", "~")),
    value: secret ? "(secret)" : short(shown(value)),
    place: sanitised(`${file}:${line}:${column}`),
    note: [
      ...(overlay ? ["overlay"] : []),
      ...(written === undefined ? [] : [`from ${sanitised(short(written))}`]),
      ...covers.map((one) => {
        const what = one.written === null ? "(secret)" : sanitised(short(one.written));
        return `over ${sanitised(`${one.file}:${one.line}:${one.column}`)} (${what})`;
      }),
    ].join(", "),
  }));
  const widths = (["name", "value", "place"] as const).map((name) =>
    Math.max(0, ...rows.map((row) => row[name].length)),
  );
  const [names = 0, values = 0, places = 0] = widths;
  const lines = rows.map(({ name, value, place, note }) =>
    `  ${name.padEnd(names)}  ${value.padEnd(values)}  ${paint("quiet", place.padEnd(places))}  ${note}`.trimEnd(),
  );
  return `${[paint("heading", sanitised(address)), ...lines].join("\n")}\n`;
}

const SHORT = 40;

function short(text: string): string {
  const [line = "", ...more] = text.split("\n");
  const characters = [...line];
  return characters.length > SHORT || more.length > 0 ? `${characters.slice(0, SHORT).join("")}…` : line;
}

/** A paragraph in lines. */
function wrapped(text: string, margin: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${margin}${word}`);
  }
  return lines;
}
