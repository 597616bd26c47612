/** Rows of many numbers, whose files are made here: too long for a file of rows, of bytes, or tokens that nobody should find in a file. */

import { fine, type Row, refused, SEVERITIES as S, settings, severity, wrong } from "./row.ts";

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const large = `# ${"x".repeat(4_200_000)}`;
const files = (count: number, text: (at: number) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.yaml`, text(at)]));
const deep = (depth: number): string => `severities: ${"[".repeat(depth)}${"]".repeat(depth)}\n`;
const keys = (count: number, value: string, between = ", "): string =>
  Array.from({ length: count }, (_, at) => `k${at}: ${value}`).join(between);
const tooDeep = { "a.yaml": S, "saved.plan": `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}` };

export const MADE: readonly Row[] = [
  wrong("B05: a byte that is not UTF-8", bytes("severities: []\n# x", [0xff], "\n"), "E_UTF8"),
  wrong("B05: an overlong form", bytes("# ", [0xc0, 0xaf]), "E_UTF8"),
  wrong("B05: half a character in UTF-8", bytes("# ", [0xed, 0xa0, 0x80]), "E_UTF8"),
  wrong("B05: a character cut off by the end", bytes("# é", [0xe2, 0x82]), "E_UTF8"),
  wrong("B05: a character cut off by the next", bytes("# é", [0xe2, 0x82], "a\n"), "E_UTF8"),
  wrong("B06: UTF-16, little endian", bytes([0xff, 0xfe], "a\0"), "E_ENCODING"),
  wrong("B06: UTF-16, big endian", bytes([0xfe, 0xff], "\0a"), "E_ENCODING"),
  wrong("B06: UTF-16 without its mark", bytes("s\0e\0"), "E_CONTROL"),

  // No flag raises the limits, since the command line's contract has none; the library's `limits` does.
  wrong("B18: a large file", large, "E_TOO_LARGE"),
  wrong("B18: large settings", settings(large), "E_TOO_LARGE"),
  wrong("B18: many values", `severities: [${"1,".repeat(300_000)}]`, "E_TOO_LARGE"),
  wrong(
    "B18: many files",
    files(1001, () => S),
    "E_TOO_LARGE",
  ),
  wrong(
    "B18: files that are large together",
    files(5, (at) => `severities: [{slug: a${at}}]\n# ${"x".repeat(4_000_000)}`),
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

  wrong(
    "B34: few aliases of much",
    severity(`extra: {x: &x [${"1,".repeat(900)}], y: [${"*x,".repeat(20)}]}`),
    "E_ALIAS_LIMIT",
  ),
  wrong("B35: 32,000 keys in a free mapping", severity(`extra: {${keys(32_000, "1")}}`), "E_TOO_MANY_KEYS"),
  wrong("B35: 32,000 unknown fields", severity(keys(32_000, "1")), "E_TOO_MANY_KEYS"),
  wrong("B35: 6,000 unknown kinds", `${keys(6000, "[]", "\n")}\n`, "E_TOO_MANY_KEYS"),
  wrong("B35: 6,000 unknown settings", settings(`${keys(6000, "1", "\n")}\n`), "E_TOO_MANY_KEYS"),
  wrong("B35: 6,000 permissions", `api_keys: [{name: a, permissions: {${keys(6000, "[read]")}}}]\n`, "E_TOO_MANY_KEYS"),
  wrong("B35: 8,000 times one key", severity("name: a, ".repeat(8000)), "E_DUP_KEY"),
  wrong("B35: 8,000 entries that are wrong and alike", `severities: [${"{slug: A}, ".repeat(8000)}]\n`, "E_SLUG"),
  wrong("B36: too deep, in brackets", deep(10_000), "E_DEPTH"),
  wrong("B36: too deep, in braces", `severities: ${"{a: ".repeat(10_000)}`, "E_DEPTH"),
  wrong(
    "B36: too deep, in mappings",
    `severities:\n${Array.from({ length: 2000 }, (_, at) => `${" ".repeat(at + 1)}a:`).join("\n")}`,
    "E_DEPTH",
  ),
  wrong("B36: too deep, in hyphens", `severities:\n  ${"- ".repeat(2000)}a\n`, "E_DEPTH"),
  wrong("B43: a key of more than 1,024 characters", `${"k".repeat(1100)}: []\n`, "E_KEY_TOO_LONG"),
  wrong("B43: the same in quotes", `"${"k".repeat(1100)}": []\n`, "E_KEY_TOO_LONG"),
  wrong("B43: the same behind a question mark", `? ${"k".repeat(1100)}\n: []\n`, "E_KEY_TOO_LONG"),
  fine(
    "B60: a name of 10,000 characters",
    `incident_types:\n  - {slug: a, name: ${"x".repeat(10_000)}}\n`,
    "W_TOO_LONG",
  ),

  // Known shapes only: a text that merely looks random is an id more often than a secret, and nothing could waive it.
  ...[
    `ghp_${"a".repeat(36)}`,
    `AKIA${"A".repeat(16)}`,
    `xoxb-${"1".repeat(24)}`,
    `glpat-${"a".repeat(20)}`,
    "-----BEGIN RSA PRIVATE KEY-----",
  ].map((secret) => wrong(`B93: ${secret.slice(0, 6)}…`, severity(`description: "${secret}"`), "E_SECRET_IN_CONFIG")),
  wrong("B95: a URL of 10 kB", `webhooks:\n  - {name: a, url: "https://a.example/${"x".repeat(10_000)}"}\n`, "E_URL"),
  refused("B111: a token that is none, case 8", 1, ["plan"], { env: { INCIDENTCTL_TOKEN: "hushhush".repeat(600) } }),
  refused("B116: apply --plan of a plan that is too deep", 5, ["apply", "--plan", "saved.plan", "--yes"], {
    files: tooDeep,
  }),
  refused("B116: show of a plan that is too deep", 1, ["show", "saved.plan"], { files: tooDeep }),
];
