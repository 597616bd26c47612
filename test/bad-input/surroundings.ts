/** B109 to B116: the address, the token, the command line, and files beside the configuration. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fine, type Row, refused, SEVERITIES as S, settings, wrong } from "./row.ts";

const here = "https://incidents.example.com";
const evil = "https://evil.example";
const token = `ff_${"3".repeat(36)}`;
const NOT_A_BASE: readonly string[] = [
  "http://incidents.example.com",
  "https://api@evil.example",
  "https://user:hunter2@a.example",
  "https://a.example?x=1",
  "https://a.example#x",
  "https://a.example/../x",
  "https://a.example/path",
  "https://ex\u00e4mple.com",
  "https://a.example.",
  "https://a.example:0",
  "http://127.1",
  "http://0x7f.1",
  "http://2130706433",
  "http://localhost.evil.example",
  "http://127.0.0.1.evil.example",
  "https:a.example",
  "https:/\\\\a.example",
  " https://a.example",
  "//a.example",
  "a.example",
  "ftp://a.example",
  "file:///etc/passwd",
];
const usage = (row: string, title: string, ...args: string[]): Row => refused(`${row}: ${title}`, 64, args);

export const SURROUNDINGS: readonly Row[] = [
  // A wrong host is exit code 1 in the contract.
  refused("B109: --url beside another base_url", 1, ["plan", "--url", evil], {
    files: settings(`base_url: ${here}\n`),
  }),
  refused("B109: INCIDENTCTL_URL beside another base_url", 1, ["plan"], {
    files: settings(`base_url: ${evil}\n`),
    env: { INCIDENTCTL_URL: here },
  }),
  refused("B109: another port", 1, ["plan"], {
    files: settings(`base_url: ${here}:8443\n`),
    env: { INCIDENTCTL_URL: here },
  }),
  refused("B109: an environment with another base_url", 1, ["plan", "-e", "evil"], {
    files: settings(`base_url: ${here}\nenvironments: {evil: {base_url: "${evil}"}}\n`),
    env: { INCIDENTCTL_URL: here },
  }),
  ...NOT_A_BASE.flatMap((url) => [
    wrong(`B110: base_url ${url}`, settings(`version: 1\nbase_url: "${url}"\n`), "E_BASE_URL", {
      env: { INCIDENTCTL_URL: undefined },
    }),
    refused(`B110: --url ${url}`, 1, ["plan", "--url", url]),
  ]),
  refused("B110: INCIDENTCTL_URL http://0x7f.1", 1, ["plan"], { env: { INCIDENTCTL_URL: "http://0x7f.1" } }),
  // No token is exit code 6 in the contract, and an empty one is none.
  refused("B111: an empty token", 6, ["plan"], { env: { INCIDENTCTL_TOKEN: "" } }),
  ...[
    "ff_hushhush\nb",
    "ff_hushhush\r\n",
    " ff_hushhush",
    "ff_hush hush",
    "ff_hushhush\u00e4",
    '"ff_hushhush"',
    "Bearer ff_hushhush",
    "hushhush".repeat(600),
  ].map((value, at) =>
    refused(`B111: a token that is none, case ${at + 1}`, 1, ["plan"], { env: { INCIDENTCTL_TOKEN: value } }),
  ),
  refused("B111: an admin token that is none", 1, ["plan"], { env: { INCIDENTCTL_ADMIN_TOKEN: "Bearer ff_hushhush" } }),
  // There is no flag for a token, nor a file: the contract has the environment only.
  usage("B112", "--token and a token", "plan", "--token", token),
  usage("B112", "--token=token", "plan", `--token=${token}`),
  usage("B112", "--admin-token with anything", "plan", "--admin-token=hushhush"),
  usage("B112", "a token as a path", "plan", token),
  usage("B112", "a token as a command", token),
  usage("B112", "a token as a variable", "plan", "--var", `a=${token}`),
  usage("B112", "a token in the address", "plan", "--url", `https://${token}@a.example`),
  usage("B112", "a token in a command", "apply", "--secrets-exec", `store ${token}`),
  // The one in the environment, whatever it looks like; "canary" is in every row's.
  usage("B112", "the token of the environment", "plan", "--var", "a=sk_canary_token_in_no_output"),

  usage("B113", "no command"),
  usage("B113", "a command with a slip", "aply"),
  usage("B113", "a flag with a slip", "apply", "--alow-delete"),
  usage("B113", "a flag of another command", "validate", "--yes"),
  usage("B113", "too many arguments", "show", "a", "b"),
  usage("B113", "a flag without its value", "plan", "--out"),
  usage("B113", "a flag with an empty value", "plan", "--out", ""),
  usage("B113", "a flag for a value", "plan", "--out", "--detailed-exitcode"),
  usage("B113", "a format that there is none of", "plan", "--format", "yaml"),
  usage("B113", "a number that is none", "plan", "--rate", "1e3"),
  usage("B113", "--url twice", "plan", "--url", here, "--url", evil),
  usage("B113", "--yes twice", "apply", "--yes", "--yes"),
  usage("B113", "--plan twice", "apply", "--plan", "a", "--plan", "b"),
  usage("B113", "-o and --out", "plan", "-o", "a", "--out", "b"),
  usage("B113", "-e and --env", "plan", "-e", "a", "--env", "b"),
  usage("B113", "--max-removals twice", "apply", "--max-removals", "1", "--max-removals", "100%"),
  usage("B113", "--emulator twice", "plan", "--emulator", "--emulator=x.db"),
  usage("B113", "a variable twice", "plan", "--var", "a=1", "--var", "a=2"),
  usage("B113", "--url and --emulator", "plan", "--url", here, "--emulator"),
  usage("B113", "two places for tokens", "apply", "--secrets-out", "a", "--secrets-exec", "b"),
  usage("B113", "a saved plan that is narrowed", "apply", "--plan", "a", "--kinds", "severities"),
  usage("B113", "faults without a rehearsal", "apply", "--faults"),
  usage("B113", "a target outside of the kinds", "plan", "--kinds", "severities", "--target", "statuses/x"),
  usage(
    "B113",
    "a target that is excluded",
    "plan",
    "--target",
    "severities/critical",
    "--exclude",
    "severities/critical",
  ),
  usage("B113", "a target that is no address", "plan", "--target", "severities"),
  usage("B113", "one file for two reports", "plan", "--report", "text=x", "--report", "json=./x"),
  usage("B113", "one file for the plan and a report", "plan", "--out", "x", "--report", "json=x"),
  usage("B113", "two ways to test", "test", "--live", "--compare"),
  refused("B113: a target with a slip", 1, ["plan", "--target", "severities/critcal"], { live: true }),
  refused("B113: an exclusion with a slip", 1, ["plan", "--exclude", "severities/critcal"], { live: true }),
  // The contract's --yes answers the prompt of a plan that is made here; it consents to nothing else.
  refused("B113: --yes where a consent is due", 3, ["apply", "--yes"], { live: true }),
  refused("B114: nobody to ask", 3, ["apply"], {
    files: {
      "a.yaml": "incident_types:\n  - { slug: new_one, name: New one }\n",
      "incidentctl.yaml": "removal: { default: keep }\n",
    },
    live: true,
  }),
  // Files of other names are nobody's settings.
  fine("B115: settings by other names", {
    "a.yaml": S,
    ...Object.fromEntries(
      [".incidentctlrc", "incidentctl.json", ".incidentctl.yaml", ".env"].map((name) => [name, "yes: true\n"]),
    ),
  }),
  ...[
    "url: x",
    "insecure: true",
    "yes: true",
    "allow_delete: true",
    "secrets_out: x",
    "secrets_exec: id",
    "plugins: [x]",
    "hooks: {before: id}",
    "proxy: x",
    "ca: x",
    "env: {A: b}",
  ].map((line) => wrong(`B115: ${line}`, settings(`${line}\n`), "E_UNKNOWN_KEY")),
  ...["a.yaml", "new.yaml", "deep/new.yml", "incidentctl.yaml", "new.test.yaml", "incidentctl.lock"].map((name) =>
    refused(`B116: --out ${name}`, 64, ["plan", "--out", name], {
      files: { "a.yaml": S, "deep/b.yaml": "statuses: []\n" },
    }),
  ),
  // Plans that are none, in whatever way: a seal that does not hold is exit code 5 for apply, and a wrong file for show.
  ...(
    [
      ["a device", "/dev/zero", 1, ""],
      ["nothing", "saved.plan", 1, undefined],
      ["an empty file", "saved.plan", 5, ""],
      ["half a plan", "saved.plan", 5, '{"format_version": 1, "tool": {'],
      ["another document", "saved.plan", 5, '{"format_version": 2}'],
      ["a plan that is too deep", "saved.plan", 5, `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ] as const
  ).flatMap(([title, name, exit, plan]) => {
    const files = { "a.yaml": S, ...(plan === undefined ? {} : { "saved.plan": plan }) };
    return [
      refused(`B116: apply --plan of ${title}`, exit, ["apply", "--plan", name, "--yes"], { files }),
      refused(`B116: show of ${title}`, 1, ["show", name], { files }),
    ];
  }),
  usage("B116", "--report over the configuration", "plan", "--report", "json=a.yaml"),
  usage("B116", "--report of findings over the configuration", "validate", "--report", "json=a.yaml"),
  usage("B116", "tokens among the configuration", "apply", "--secrets-out", "tokens.yaml"),
  usage("B116", "a database among the configuration", "plan", "--emulator=db.yaml"),
  refused("B116: a database in a folder that is not there", 1, ["plan", "--emulator=deep/er/x.db"]),
  refused("B116: a served database in a folder that is not there", 1, ["emulator", "--file", "deep/er/x.db"]),
  wrong("B116: our own folder as a configuration", settings("config: [., .incidentctl]\n"), "E_OVERLAP", {
    prepare: (folder) => void mkdirSync(join(folder, ".incidentctl")),
  }),
];
