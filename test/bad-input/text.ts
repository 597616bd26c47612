/** B01 to B19: files, text and encoding. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fine, type Row, SEVERITIES as S, settings, severity, wrong } from "./row.ts";

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const link = (target: string, name: string) => (folder: string) => symlinkSync(target, join(folder, name));
const pipe = (name: string) => (folder: string) => void execFileSync("mkfifo", [join(folder, name)]);
const folder = (name: string) => (parent: string) => void mkdirSync(join(parent, name));
const large = `# ${"x".repeat(4_200_000)}`;

export const TEXT: readonly Row[] = [
  wrong("B01: a path that does not exist", S, "E_FILE", { args: ["plan", "nowhere"] }),
  wrong("B01: a link to nothing", S, "E_FILE", { prepare: link("nowhere.yaml", "b.yaml") }),
  wrong("B01: links in a circle", S, "E_FILE", { prepare: link("b.yaml", "b.yaml") }),
  wrong("B01: a named pipe", S, "E_FILE", { prepare: pipe("b.yaml") }),
  wrong("B01: a named pipe that is asked for", S, "E_FILE", { args: ["plan", "b.yaml"], prepare: pipe("b.yaml") }),
  wrong("B01: a link to a device", S, "E_INCLUDE_ROOT", { prepare: link("/dev/zero", "b.yaml") }),
  wrong("B01: a device that is asked for", S, "E_FILE", { args: ["plan", "/dev/zero"] }),
  wrong("B01: an empty directory that is named like a file", S, "E_EMPTY", {
    args: ["plan", "b.yaml"],
    prepare: folder("b.yaml"),
  }),
  // Settings that cannot be read must not count as none: they say where the token may go.
  wrong("B01: settings that are a named pipe", S, "E_FILE", { prepare: pipe("incidentctl.yaml") }),
  wrong("B01: settings that are a directory", S, "E_FILE", { prepare: folder("incidentctl.yaml") }),
  wrong("B01: settings that are a link to nothing", S, "E_FILE", { prepare: link("nowhere", "incidentctl.yaml") }),
  wrong("B01: settings that are a device", S, "E_FILE", { prepare: link("/dev/zero", "incidentctl.yaml") }),
  wrong("B01: a lock that is a named pipe", S, "", { prepare: pipe("incidentctl.lock") }),
  wrong("B01: a lock that is a device", S, "", { prepare: link("/dev/zero", "incidentctl.lock") }),

  wrong("B02: an empty file", "", "E_EMPTY"),
  wrong("B02: settings that are empty", settings(""), "E_EMPTY"),
  wrong("B03: only comments", "# nothing\n", "E_EMPTY"),
  wrong("B03: only blanks", "  \n\n", "E_EMPTY"),
  wrong("B03: only a document marker", "---\n", "E_EMPTY"),
  wrong("B03: only a null", "~\n", "E_EMPTY"),
  wrong("B03: only the word null", "null\n", "E_EMPTY"),
  wrong("B04: a list at the top", "- severities\n", "E_ROOT_TYPE"),
  wrong("B04: a text at the top", "# x\nseverities\n", "E_ROOT_TYPE"),
  wrong("B04: a number at the top", "12\n", "E_ROOT_TYPE"),
  wrong("B04: settings that are a list", settings("- version: 1\n"), "E_TYPE"),

  wrong("B05: a byte that is not UTF-8", bytes("severities: []\n# x", [0xff], "\n"), "E_UTF8"),
  wrong("B05: an overlong form", bytes("# ", [0xc0, 0xaf]), "E_UTF8"),
  wrong("B05: half a character in UTF-8", bytes("# ", [0xed, 0xa0, 0x80]), "E_UTF8"),
  wrong("B05: a character cut off by the end", bytes("# é", [0xe2, 0x82]), "E_UTF8"),
  wrong("B05: a character cut off by the next", bytes("# é", [0xe2, 0x82], "a\n"), "E_UTF8"),
  wrong("B06: UTF-16, little endian", bytes([0xff, 0xfe], "a\0"), "E_ENCODING"),
  wrong("B06: UTF-16, big endian", bytes([0xfe, 0xff], "\0a"), "E_ENCODING"),
  wrong("B06: UTF-16 without its mark", bytes("s\0e\0"), "E_CONTROL"),
  // Allowed, and it moves no place: the key that is wrong stands in column 24 with it and without.
  wrong("B07: a byte order mark at the start", "\uFEFFseverities: [{slug: a, nmae: x}]\n", "E_UNKNOWN_KEY"),
  wrong("B08: a byte order mark in the middle", "severities: []\n\uFEFFstatuses: []\n", "E_INVISIBLE"),
  wrong("B08: a byte order mark that is escaped", 'severities: []\n"\\uFEFFstatuses": []\n', "E_INVISIBLE"),
  wrong("B09: a raw NUL", "severities: []\u0000\n", "E_CONTROL"),
  wrong("B09: an escaped NUL", severity('name: "a\\0b"'), "E_CONTROL"),
  wrong("B10: a raw ESC", severity("name: a\u001b[31m"), "E_CONTROL"),
  wrong("B10: an escaped ESC, also in free text", severity('description: "\\e[31m"'), "E_CONTROL"),
  wrong("B10: an escaped ESC in a key", severity('"na\\eme": a'), "E_CONTROL"),
  wrong("B10: a character of C1", severity("name: a\u009b31m"), "E_CONTROL"),
  wrong("B10: DEL", severity("name: a\u007f"), "E_CONTROL"),
  wrong("B10: BEL in a field that is passed through", severity('extra: {a: ["\\x07"]}'), "E_CONTROL"),
  wrong("B10: a tab in a name", severity('name: "a\\tb"'), "E_CONTROL"),
  wrong("B11: an override in a comment", "severities: [] # \u202e\n", "E_BIDI"),
  wrong("B11: an override in a slug", "severities:\n  - slug: a\u202eb\n", "E_BIDI"),
  wrong("B11: an escaped override in a slug", 'severities:\n  - slug: "a\\u202eb"\n', "E_BIDI"),
  wrong("B11: an escaped override in a key", severity('"na\\u202eme": b'), "E_BIDI"),
  wrong("B11: an escaped isolate in a name", severity('name: "a\\u2066b"'), "E_BIDI"),
  wrong("B12: a zero-width space in a slug", "severities:\n  - slug: se\u200bv\n", "E_INVISIBLE"),
  wrong("B12: a zero-width joiner in a slug", "severities:\n  - slug: se\u200dv\n", "E_SLUG_CHARS"),
  wrong("B12: a zero-width joiner in a key", "sever\u200dities: []\n", "E_INVISIBLE"),
  wrong("B12: a soft hyphen in a name that is an identity", "webhooks:\n  - {name: a\u00adb}\n", "E_INVISIBLE"),
  wrong("B13: a Cyrillic letter in a slug", "severities:\n  - slug: critic\u0430l\n", "E_SLUG_CHARS"),
  wrong(
    "B13: a Cyrillic letter in a mention",
    "routing_rules:\n  workspace:\n    - outcome: {action: auto_create_incident, severity: critic\u0430l}\n",
    "E_SLUG_CHARS",
  ),
  wrong("B14: one key in two spellings", "cafe\u0301: []\ncaf\u00e9: []\n", "E_DUP_KEY"),
  wrong("B15: half a character", severity('name: "\\ud800"'), "E_SURROGATE"),
  wrong("B15: half a character in a key", severity('"\\udc00": a'), "E_SURROGATE"),
  wrong("B16: carriage returns alone", "severities: []\rstatuses: []\n", "E_EOL"),
  wrong("B16: NEL", "severities: []\u0085\n", "E_EOL"),
  wrong("B16: a line separator", "severities: []\u2028\n", "E_EOL"),
  wrong("B16: a paragraph separator", "severities: []\u2029\n", "E_EOL"),
  // Allowed, mixed as well: what is wrong stands in line 3.
  wrong("B16: lines that end in CRLF and in LF", "severities:\r\n  - slug: a\n    nmae: x\r\n", "E_UNKNOWN_KEY"),
  wrong("B17: a tab that indents an item", "severities:\n\t- slug: a\n", "E_SYNTAX"),
  wrong("B17: a tab before an item among others", "severities:\n  - slug: a\n    name: b\n\t- slug: c\n", "E_SYNTAX"),
  wrong("B17: a tab that indents a key", "severities:\n  - slug: a\n\tname: b\n", "E_SYNTAX"),

  // No flag raises the limits, since the command line's contract has none; the library's `limits` does.
  wrong("B18: a large file", large, "E_TOO_LARGE"),
  wrong("B18: large settings", settings(large), "E_TOO_LARGE"),
  wrong("B18: many values", `severities: [${"1,".repeat(300_000)}]`, "E_TOO_LARGE"),
  wrong(
    "B18: many files",
    Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}.yaml`, S])),
    "E_TOO_LARGE",
  ),
  wrong(
    "B18: files that are large together",
    Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`f${at}.yaml`, `severities: [{slug: a${at}}]\n# ${"x".repeat(4_000_000)}`]),
    ),
    "E_TOO_LARGE",
  ),
  wrong(
    "B19: a long line, with its end cut",
    severity(`nmae: x, description: "${"x".repeat(1_000_000)}"`),
    "E_UNKNOWN_KEY",
  ),
  wrong(
    "B19: a long line, with its start cut",
    severity(`description: "${"x".repeat(1_000_000)}", nmae: x`),
    "E_UNKNOWN_KEY",
  ),
  fine("B19: a long line", severity(`name: A, default: true, description: "${"x".repeat(1_000_000)}"`)),
];
