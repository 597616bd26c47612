import { describe, expect, it } from "vitest";
import { brief, findings } from "./loading.ts";

/** What is wrong with an input: its title, the input, and every finding it must lead to. */
type Case = readonly [title: string, input: string | Uint8Array, expected: readonly string[]];

const severity = (fields: string): string => `severities:\n  - {slug: serious, ${fields}}\n`;
const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const TEXT: readonly Case[] = [
  ["B02: an empty file", "", ["a.yaml:1:1 E_EMPTY"]],
  ["B03: only comments", "# nothing\n", ["a.yaml:1:1 E_EMPTY"]],
  ["B03: only a document marker", "---\n", ["a.yaml:1:1 E_EMPTY"]],
  ["B03: only a null", "~\n", ["a.yaml:1:1 E_EMPTY"]],
  ["B04: a list at the top", "- severities\n", ["a.yaml:1:1 E_ROOT_TYPE"]],
  ["B04: a text at the top", "# x\nseverities\n", ["a.yaml:2:1 E_ROOT_TYPE"]],
  ["B05: a byte that is not UTF-8", bytes("severities: []\n# x", [0xff], "\n"), ["a.yaml:2:4 E_UTF8"]],
  ["B05: an overlong form", bytes("# ", [0xc0, 0xaf]), ["a.yaml:1:3 E_UTF8"]],
  ["B05: a character cut off by the end", bytes("# é", [0xe2, 0x82]), ["a.yaml:1:4 E_UTF8"]],
  ["B06: UTF-16, little endian", bytes([0xff, 0xfe], "a\0"), ["a.yaml:1:1 E_ENCODING"]],
  ["B06: UTF-16, big endian", bytes([0xfe, 0xff], "\0a"), ["a.yaml:1:1 E_ENCODING"]],
  ["B08: a byte order mark in the middle", "severities: []\n\uFEFFstatuses: []\n", ["a.yaml:2:1 E_INVISIBLE"]],
  ["B09: a raw NUL", "severities: []\u0000\n", ["a.yaml:1:15 E_CONTROL"]],
  ["B09: an escaped NUL", severity('name: "a\\0b"'), ["a.yaml:2:27 E_CONTROL"]],
  ["B10: a raw ESC", severity("name: a\u001b[31m"), ["a.yaml:2:28 E_CONTROL"]],
  ["B10: an escaped ESC, also in free text", severity('description: "\\e[31m"'), ["a.yaml:2:34 E_CONTROL"]],
  ["B10: DEL", severity("name: a\u007f"), ["a.yaml:2:28 E_CONTROL"]],
  ["B11: a directional override in a comment", "severities: [] # \u202e\n", ["a.yaml:1:18 E_BIDI"]],
  ["B11: an escaped directional isolate in a name", severity('name: "a\\u2066b"'), ["a.yaml:2:27 E_BIDI"]],
  ["B12: a zero-width space in a slug", "severities:\n  - slug: se\u200bv\n", ["a.yaml:2:11 E_INVISIBLE"]],
  ["B12: a zero-width joiner in a key", "sever\u200dities: []\n", ["a.yaml:1:1 E_INVISIBLE"]],
  ["B13: a Cyrillic letter in a slug", "severities:\n  - slug: critic\u0430l\n", ["a.yaml:2:11 E_SLUG_CHARS"]],
  ["B14: one key in two spellings", "cafe\u0301: []\ncaf\u00e9: []\n", ["a.yaml:2:1 E_DUP_KEY"]],
  ["B15: half a character", severity('name: "\\ud800"'), ["a.yaml:2:27 E_SURROGATE"]],
  ["B16: carriage returns alone", "severities: []\rstatuses: []\n", ["a.yaml:1:15 E_EOL"]],
  ["B16: a line separator", "severities: []\u2028\n", ["a.yaml:1:15 E_EOL"]],
  ["B17: a tab that indents", "severities:\n\t- slug: a\n", ["a.yaml:2:1 E_SYNTAX"]],
  ["B106: a conflict marker", "<<<<<<< ours\nseverities: []\n", ["a.yaml:1:1 E_CONFLICT_MARKER"]],
];

describe("text and encoding", () => {
  it.each(TEXT)("refuses %s", async (_name, input, expected) => {
    expect((await findings(input)).map(brief)).toEqual(expected);
  });
});
