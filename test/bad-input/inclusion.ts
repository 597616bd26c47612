/** B100 to B108: files that are named, and values that are put in. There are no includes: what names files is told. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../config/loading.ts";
import { fine, type Row, SEVERITIES as S, settings, severity, wrong } from "./row.ts";

const content = (name: string): string => `runbooks:\n  - slug: a\n    content: "\${file:${name}}"\n`;
const below = (name: string, more: Files = {}): Files => ({ "root/a.yaml": content(name), ...more });
const described = (value: string): string => severity(`description: "${value}"`);
const env = { TOKEN: "hushhush-token", AWS_SECRET_ACCESS_KEY: "hushhush-aws", A: "a", B: "b", EMPTY: "" };

export const INCLUSION: readonly Row[] = [
  wrong("B100: a key that would include", "include: ../../../etc/passwd\n", "E_UNKNOWN_KEY"),
  ...[
    "../../../etc/passwd",
    "/etc/passwd",
    "~/x",
    "~root/x",
    "file:///etc/passwd",
    "\\\\\\\\host\\\\share",
    "C:\\\\x",
  ].map((name) => wrong(`B100: the file ${name}`, content(name), "E_INCLUDE_ROOT")),
  ...["../..", "/etc", "~", "file:///etc", "\\\\\\\\host\\\\share", "C:\\\\x", "../x.yaml", "a/../../x"].map((name) =>
    wrong(`B100: the configuration ${name}`, settings(`version: 1\nconfig: [".", "${name}"]\n`), "E_INCLUDE_ROOT"),
  ),
  wrong("B100: overlays", settings("environments:\n  s: {overlays: [../x.yaml]}\n"), "E_INCLUDE_ROOT", {
    args: ["plan", "-e", "s"],
  }),
  wrong("B101: a file through a link that leaves the root", below("link.md", { "outside.md": "x" }), "E_INCLUDE_ROOT", {
    args: ["plan", "root"],
    prepare: (folder) => symlinkSync(join(folder, "outside.md"), join(folder, "root/link.md")),
  }),
  wrong(
    "B101: a file through a directory that leaves the root",
    below("up/outside.md", { "outside.md": "x" }),
    "E_INCLUDE_ROOT",
    {
      args: ["plan", "root"],
      prepare: (folder) => symlinkSync("..", join(folder, "root/up")),
    },
  ),
  wrong("B101: a configuration through a link", { "root/a.yaml": S, "b.yaml": S }, "E_INCLUDE_ROOT", {
    args: ["plan", "root"],
    prepare: (folder) => symlinkSync("../b.yaml", join(folder, "root/b.yaml")),
  }),
  wrong("B101: a configuration through a directory", { "root/a.yaml": S, "other/b.yaml": S }, "E_INCLUDE_ROOT", {
    args: ["plan", "root"],
    prepare: (folder) => symlinkSync("../other", join(folder, "root/other")),
  }),
  wrong("B101: settings through a link", { "root/a.yaml": S, "b.yaml": "version: 1\n" }, "E_INCLUDE_ROOT", {
    args: ["plan", "root"],
    prepare: (folder) => symlinkSync("../b.yaml", join(folder, "root/incidentctl.yaml")),
  }),
  // Inside the root, and yet nobody's to show: a checkout keeps credentials in there.
  wrong("B101: a hidden file", { "a.yaml": content(".git/config"), ".git/config": "hushhush" }, "E_INCLUDE_ROOT"),
  wrong(
    "B101: a hidden file through a link",
    { "a.yaml": content("a.md"), ".git/config": "hushhush" },
    "E_INCLUDE_ROOT",
    {
      prepare: (folder) => symlinkSync(".git/config", join(folder, "a.md")),
    },
  ),
  wrong("B101: a hidden file as a configuration", { "a.yaml": S, ".git/config": "[core]\n  hushhush: 1\n" }, "E_FILE", {
    prepare: (folder) => symlinkSync(".git/config", join(folder, "b.yaml")),
  }),
  wrong(
    "B101: a hidden file among the settings",
    settings("config: [.git/config]\n", { ".git/config": "[core]\n  hushhush\n" }),
    "E_FILE",
  ),
  ...["/proc/self/environ", "/dev/stdin"].map((name) => wrong(`B102: ${name}`, content(name), "E_INCLUDE_ROOT")),
  wrong("B102: the environment of the process through a link", content("a.md"), "E_INCLUDE_ROOT", {
    prepare: (folder) => symlinkSync("/proc/self/environ", join(folder, "a.md")),
  }),
  wrong("B102: the environment of the process as a configuration", S, "E_FILE", {
    args: ["plan", "/proc/self/environ"],
  }),
  wrong("B102: a named pipe", content("a.md"), "E_FILE", {
    prepare: (folder) => void execFileSync("mkfifo", [join(folder, "a.md")]),
  }),
  wrong("B102: a directory", content("a"), "E_FILE", { prepare: (folder) => void mkdirSync(join(folder, "a")) }),
  // Files are put in as text and never read as configuration, so only directories can form a circle: each is read once.
  fine("B103: a directory that holds itself", S, "", { prepare: (folder) => symlinkSync(".", join(folder, "again")) }),
  fine("B103: a file that is put into itself", content("a.yaml")),
  // 10,000 files are B18's.
  wrong(
    "B104: a configuration directory without a configuration",
    settings("config: [empty]\n", { "empty/x": "" }),
    "E_EMPTY",
  ),
  wrong(
    "B104: one of two without a configuration",
    settings("config: [a.yaml, empty]\n", { "empty/x": "" }),
    "E_EMPTY",
  ),
  wrong("B104: one of two that is not there", settings("config: [a.yaml, gone]\n"), "E_FILE"),
  wrong("B104: no configuration at all", settings("config: []\n"), "E_EMPTY_LIST"),
  wrong("B104: a path without a configuration", { "a/a.yaml": S, "empty/x": "" }, "E_EMPTY", {
    args: ["plan", "a", "empty"],
  }),
  wrong("B105: a key that would include an address", "include: https://example.com/x.yaml\n", "E_UNKNOWN_KEY"),
  wrong("B105: a file at an address", content("https://example.com/x.md"), "E_INCLUDE_ROOT"),
  wrong("B105: a configuration at an address", settings('config: ["https://example.com/x"]\n'), "E_INCLUDE_ROOT"),
  fine("B106: what editors leave behind", {
    "a.yaml": S,
    ...Object.fromEntries(
      [".a.yaml.swp", "a.yaml~", "a.yaml.orig", "#a.yaml#", ".#b.yaml", "b.yaml.bak"].map((name) => [name, "]"]),
    ),
  }),
  ...["<<<<<<< ours", ">>>>>>> theirs", "||||||| base"].map((marker) =>
    wrong(`B106: ${marker}`, `severities: []\n${marker}\nstatuses: []\n`, "E_CONFLICT_MARKER"),
  ),
  wrong(
    "B106: both sides",
    "<<<<<<< ours\nseverities: []\n=======\nstatuses: []\n>>>>>>> theirs\n",
    "E_CONFLICT_MARKER",
  ),

  // The contract's ${env:NAME} takes any name but our own; a bare ${NAME} is none of its forms, and $NAME is plain text.
  ...["TOKEN", "AWS_SECRET_ACCESS_KEY", "exec:id"].map((name) =>
    wrong(`B107: \${${name}}`, described(`\${${name}}`), "E_SUBSTITUTION", { env }),
  ),
  fine("B107: $HOME", "incident_types:\n  - {slug: a, description: $HOME}\n"),
  ...["TOKEN", "ADMIN_TOKEN", "CONTROL_KEY", "URL"].map((name) =>
    wrong(`B107: \${env:INCIDENTCTL_${name}}`, described(`\${env:INCIDENTCTL_${name}}`), "E_ENV"),
  ),
  wrong("B107: our token in lower case", described(`\${env:incidentctl_token}`), "E_ENV"),
  wrong("B107: our token behind a blank", described(`\${env: INCIDENTCTL_TOKEN}`), "E_ENV"),
  wrong("B107: our token in the settings", settings(`vars: {a: "\${env:INCIDENTCTL_TOKEN}"}\n`), "E_ENV"),
  wrong("B107: a value in the place of the base URL", settings(`base_url: "https://\${env:A}"\n`), "E_SUBSTITUTION", {
    env,
  }),
  wrong(
    "B107: our token in a routing test",
    {
      "a.yaml": S,
      "a.test.yaml": `routing_tests:\n  - {name: "\${env:INCIDENTCTL_TOKEN}", fields: {a: b}, expect: {action: drop}}\n`,
    },
    "E_ENV",
    { args: ["test"] },
  ),
  ...[`\${env:UNSET}`, `\${env:UNSET:-x}`, `\${env:A\${env:B}}`].map((value) =>
    wrong(`B108: ${value}`, described(value), "E_ENV", { env }),
  ),
  ...[`\${VAR:-x}`, `\${env:`, `\${}`, `\${env:}`].map((value) =>
    wrong(`B108: ${value}`, described(value), "E_SUBSTITUTION", { env }),
  ),
  wrong(`B108: \${var:unset}`, described(`\${var:unset}`), "E_VAR"),
  wrong("B108: an empty variable", severity(`name: "\${env:EMPTY}"`), "E_EMPTY_STRING", { env }),
  wrong("B108: a variable of two lines", severity(`name: "\${env:TWO}"`), "E_CONTROL", {
    env: { TWO: "hushhush\nname: x" },
  }),
  wrong("B108: a variable with an escape", described(`\${env:ESC}`), "E_CONTROL", {
    env: { ESC: "hushhush\u001b[0m" },
  }),
  wrong("B108: a variable for a key", `routing_rules:\n  sources:\n    "\${env:A}": []\n`, "E_SUBSTITUTION", { env }),
  // Put in after parsing: YAML in a value stays a text, and what is escaped stays as it is.
  fine("B108: YAML in a variable", `incident_types:\n  - {slug: a, name: "\${env:YAML}"}\n`, "", {
    env: { YAML: "x, color: red" },
  }),
  fine("B108: what is escaped", `incident_types:\n  - {slug: a, name: "$\${x}"}\n`),
];
