/** B20 to B45: the structure of YAML. */

import { fine, type Row, settings, severity, wrong } from "./row.ts";

const deep = (depth: number): string => `severities: ${"[".repeat(depth)}${"]".repeat(depth)}\n`;
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
  .split("")
  .map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}]`)
  .join("\n")}\n`;
const keys = (count: number, value: string, between = ", "): string =>
  Array.from({ length: count }, (_, at) => `k${at}: ${value}`).join(between);
/** What every object of JavaScript has. */
const OWN = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
const each = (row: (key: string) => Row): readonly Row[] => OWN.map(row);
/** A resource or a slug: what is no word in lower case is refused for that alone. */
const isWord = (key: string): boolean => /^[a-z_]+$/.test(key);

export const STRUCTURE: readonly Row[] = [
  wrong("B20: a quote that is not closed", "severities: 'a\n", "E_SYNTAX"),
  wrong("B20: a double quote that is not closed", 'severities: "a\n', "E_SYNTAX"),
  wrong("B20: a bracket that is not closed", "severities: [\n", "E_SYNTAX"),
  wrong("B20: a brace that is not closed", "severities: [{slug: a\n", "E_SYNTAX"),
  wrong("B20: a brace that a bracket closes", "severities: [{slug: a]\n", "E_SYNTAX"),
  wrong("B20: a bracket that closes nothing", "severities: ]\n", "E_SYNTAX"),
  wrong("B20: a comma with nothing before it", "severities: [,{slug: a}]\n", "E_SYNTAX"),
  wrong("B20: a comma that is missing", "severities:\n  - { slug: a\n      name: A }\n", "E_SYNTAX"),
  wrong("B20: a quote that is not closed before the next key", 'severities:\n  - name: "a\n    slug: b\n', "E_SYNTAX"),
  wrong("B20: a quote in a quoted text", "severities:\n  - name: 'it's'\n", "E_SYNTAX"),
  wrong("B20: an escape that is none", severity('name: "\\q"'), "E_SYNTAX"),
  wrong("B20: an empty line behind a backslash", severity('name: "a\\\n\n    b"'), "E_SYNTAX"),
  fine("B20: a bracket in the column of its key", "severities: [\n  { slug: a, name: A, default: true },\n]\n"),
  wrong("B21: a line without a colon", "severities:\n  - slug: a\n    name\n    color: red\n", "E_SYNTAX"),
  wrong("B21: a text behind the head of a block", "severities:\n  - slug: a\n    name: | b\n", "E_SYNTAX"),
  wrong(
    "B21: a key behind an item in its line",
    settings('protected:\n- "severities/critical"limits: { max_removals: 100% }\n'),
    "E_SYNTAX",
  ),
  wrong("B21: a list behind a key in its line", "severities: - slug: a\n", "E_SYNTAX"),
  wrong("B21: indentation that fits nothing above", "severities:\n  - slug: a\n statuses: []\n", "E_SYNTAX"),
  wrong("B21: a key that is indented too far", "severities:\n  - slug: a\n     name: b\n", "E_SYNTAX"),
  wrong(
    "B22: a substitution without quotes in brackets",
    `webhooks:\n  - {name: a, url: ${"$"}{env:HOOK}, enabled: true}\n`,
    "E_SYNTAX",
  ),
  wrong("B22: a colon in a plain value", "severities: a: b\n", "E_SYNTAX"),
  wrong("B22: a colon in a plain name", "severities:\n  - slug: a\n    name: b: c\n", "E_SYNTAX"),
  wrong("B23: a kind twice", "severities: []\nseverities: []\n", "E_DUP_KEY"),
  wrong("B23: a field twice", severity("name: a, name: b"), "E_DUP_KEY"),
  wrong("B24: a key twice, once in quotes", 'severities: []\n"severities": []\n', "E_DUP_KEY"),
  wrong("B25: an alias as a key", "severities: &k []\n*k : []\n", "E_KEY_TYPE"),
  wrong("B25: a key with an anchor", "&k severities: []\n", "E_KEY_TYPE"),
  wrong("B26: a slug twice in a list", "severities:\n  - slug: a\n  - slug: a\n", "E_DUP_OBJECT"),
  wrong(
    "B26: a slug twice in two files",
    { "a.yaml": "severities:\n  - slug: a\n", "b/c.yml": "severities:\n  - slug: a\n" },
    "E_DUP_OBJECT",
  ),
  wrong("B26: a name twice, where it is the identity", "webhooks:\n  - name: a\n  - name: a\n", "E_DUP_OBJECT"),
  fine("B27: one name, two slugs", "runbooks:\n  - {slug: a, name: Outage}\n  - {slug: b, name: outage}\n", "A009"),
  wrong("B27: slugs that differ in case", "severities:\n  - slug: a\n  - slug: A\n", "E_SLUG"),
  wrong("B28: two documents", "severities: []\n---\nstatuses: []\n", "E_MULTIDOC"),
  wrong("B28: two documents, the second empty", "severities: []\n---\n", "E_MULTIDOC"),
  wrong("B29: something after the end", "severities: []\n...\ngarbage\n", "E_MULTIDOC"),
  wrong("B30: YAML 1.1", "%YAML 1.1\n---\nseverities: []\n", "E_DIRECTIVE"),
  fine("B30: YAML 1.2, said and meant", "%YAML 1.2\n---\nseverities: []\n"),
  wrong("B31: YAML 3.0", "%YAML 3.0\n---\nseverities: []\n", "E_DIRECTIVE"),
  wrong("B31: an unknown directive", "%FOO\n---\nseverities: []\n", "E_DIRECTIVE"),
  wrong("B31: another meaning of tags", "%TAG ! tag:evil.example,2000:\n---\nseverities: []\n", "E_DIRECTIVE"),
  wrong("B32: an alias of nothing", "severities: *nope\n", "E_ALIAS"),
  wrong("B33: a list that holds itself", "severities: &a [*a]\n", "E_CYCLE"),
  wrong("B33: an entry that holds itself", "severities:\n  - &a {slug: a, extra: {x: *a}}\n", "E_CYCLE"),
  wrong("B34: a billion laughs", bomb, "E_ALIAS_LIMIT"),
  wrong("B34: 101 aliases", severity(`extra: {x: &x 1, y: [${"*x,".repeat(101)}]}`), "E_ALIAS_LIMIT"),
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
  wrong("B37: a merge key", "severities:\n  - &x {slug: a}\n  - <<: *x\n", "E_MERGE_KEY"),
  wrong("B37: a merge key in quotes", severity('"<<": {name: b}'), "E_MERGE_KEY"),
  wrong("B38: an unknown tag", "severities: !foo []\n", "E_TAG"),
  wrong("B38: a tag that would run something", severity("name: !!js/function 'x'"), "E_TAG"),
  wrong("B38: a tag that is written whole", severity("name: !<tag:yaml.org,2002:python/object> x"), "E_TAG"),
  ...["!!binary aGk=", "!!set {a}", "!!omap [a: 1]", "!!timestamp 2001-01-01", "!!pairs [a: 1]"].map((value) =>
    wrong(`B39: ${value}`, severity(`name: ${value}`), "E_TAG"),
  ),

  ...each((key) => wrong(`B40: ${key} as a kind`, `${key}: []\n`, "E_UNKNOWN_KEY")),
  ...each((key) => wrong(`B40: ${key} in an entry`, severity(`${key}: {polluted: 1}`), "E_UNKNOWN_KEY")),
  // What has an anchor is read by the thorough reader.
  ...each((key) =>
    wrong(`B40: ${key} in an entry with a substitution`, severity(`${key}: {polluted: "\${var:x}"}`), "E_UNKNOWN_KEY"),
  ),
  ...each((key) => wrong(`B40: ${key} as a form`, `forms:\n  ${key}: []\n`, "E_UNKNOWN_KEY")),
  ...each((key) => wrong(`B40: ${key} as a scope`, `routing_rules:\n  ${key}: []\n`, "E_UNKNOWN_KEY")),
  ...each((key) => wrong(`B40: ${key} in the settings`, settings(`${key}: 1\n`), "E_UNKNOWN_KEY")),
  ...each((key) => wrong(`B40: ${key} among limits`, settings(`limits: {${key}: 1}\n`), "E_UNKNOWN_KEY")),
  ...each((key) => wrong(`B40: ${key} among policies`, settings(`removal: {${key}: keep}\n`), "E_UNKNOWN_KEY")),
  ...each((key) => wrong(`B40: \${var:${key}}`, severity(`name: "\${var:${key}}"`), "E_VAR")),
  ...each((key) => wrong(`B40: \${env:${key}}`, severity(`name: "\${env:${key}}"`), "E_ENV")),
  ...each((key) =>
    wrong(`B40: ${key} as an environment`, settings("environments: {a: {}}\n"), "E_ENVIRONMENT", {
      args: ["plan", "-e", key],
      exit: 64,
    }),
  ),
  // Where keys and names are free they are data like any other.
  ...each((key) => fine(`B40: ${key} in extra`, severity(`default: true, extra: {${key}: {polluted: 1}}`))),
  ...each((key) =>
    isWord(key)
      ? fine(`B40: ${key} as a resource`, `api_keys:\n  - {name: a, permissions: {${key}: [read]}}\n`, "W_PERMISSION")
      : wrong(`B40: ${key} as a resource`, `api_keys:\n  - {name: a, permissions: {${key}: [read]}}\n`, "E_PERMISSION"),
  ),
  ...each((key) => fine(`B40: ${key} as a source`, `routing_rules:\n  sources: {${key}: []}\n`, "A004")),
  ...each((key) => fine(`B40: ${key} as a name`, `webhooks:\n  - {name: ${key}}\n`)),
  ...each((key) =>
    fine(`B40: ${key} as a variable`, {
      "a.yaml": severity(`default: true, name: "\${var:${key}}"`),
      "incidentctl.yaml": `vars: {${key}: Serious}\n`,
    }),
  ),

  ...["1", "1.5", "true", "null", "~", "0x1F", ".nan"].map((key) =>
    wrong(`B41: ${key} as a key`, `${key}: []\n`, "E_KEY_TYPE"),
  ),
  wrong("B41: a list as a key", "? [a]\n: []\n", "E_KEY_TYPE"),
  wrong("B41: a mapping as a key", "? {a: b}\n: []\n", "E_KEY_TYPE"),
  wrong("B42: an empty key", ": []\n", "E_KEY_EMPTY"),
  wrong("B42: an empty key in quotes", '"": []\n', "E_KEY_EMPTY"),
  wrong("B43: a key of more than 1,024 characters", `${"k".repeat(1100)}: []\n`, "E_KEY_TOO_LONG"),
  wrong("B43: the same in quotes", `"${"k".repeat(1100)}": []\n`, "E_KEY_TOO_LONG"),
  wrong("B43: the same behind a question mark", `? ${"k".repeat(1100)}\n: []\n`, "E_KEY_TOO_LONG"),
  ...(
    [
      ["@home", "E_SYNTAX"],
      ["`x`", "E_SYNTAX"],
      ["%x", "E_SYNTAX"],
      ["*x", "E_ALIAS"],
      ["&x", "E_NULL"],
      ["!x", "E_TAG"],
    ] as const
  ).map(([text, code]) =>
    wrong(`B44: a text that begins with ${text[0]}`, `severities:\n  - slug: a\n    name: ${text}\n`, code),
  ),
  wrong(
    "B45: an anchor of another file",
    { "a.yaml": "severities: &all []\n", "b.yaml": "statuses: *all\n" },
    "E_ALIAS",
  ),
];
