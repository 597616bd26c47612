/** More mistakes of a first hour, with habits of other tools among them: the message of each, and that what it says to do is enough. */

import { SERVICE } from "../bad-input/run.ts";
import { describeMistakes, inFile, type Mistake } from "./mistake.ts";

const MAJOR = "severities:\n  - { slug: major, name: Major, default: true }\n";
const LIVE =
  "severities:\n  - { slug: critical, name: Critical }\n  - { slug: major, name: Big, default: true }\n  - { slug: minor, name: Minor }\n";
const FILES = { "config.yaml": LIVE };
const SETTINGS = `version: 1\nbase_url: ${SERVICE}\n`;
const TWO = `version: 1\nconfig: [config]\nenvironments:\n  staging: { base_url: ${SERVICE} }\n  production: { base_url: https://p.example.com }\n`;

function hook(url: string): string {
  return `webhooks:\n  - name: status page\n    url: ${url}\n    subscribed_events: [incident.created]\n`;
}

function rule(body: string): string {
  return `${MAJOR}routing_rules:\n  workspace:\n    - name: all\n${body}`;
}

/** A mistake on the command line, beside a good configuration. */
function typed(title: string, wrong: readonly string[], right: readonly string[], says: string): Mistake {
  return { title, mistake: { args: wrong, files: FILES }, exit: 64, says, mend: [{ args: right }] };
}

const MISTAKES: readonly Mistake[] = [
  inFile(
    "a glob where a mapping belongs",
    "catalog_types:\n  - { slug: app, name: App, entries_from: apps/*.yaml }\n",
    "catalog_types:\n  - { slug: app, name: App, entries_from: { files: apps/*.yaml, slug: { jsonata: name } } }\n",
    "Its keys are: files, ",
  ),
  inFile(
    "a text where mappings belong",
    "catalog_types:\n  - slug: app\n    name: App\n    entries: checkout\n",
    "catalog_types:\n  - slug: app\n    name: App\n    entries:\n      - { slug: checkout, name: Checkout }\n",
    "begin each with a hyphen",
  ),
  inFile(
    "a field beside its kind",
    "severities:\n- slug: major\nname: Major\n",
    "severities:\n- slug: major\n  name: Major\n",
    'If "name" is a field, indent it like the other fields of its resource.',
  ),
  inFile(
    "a document of Kubernetes",
    "apiVersion: v1\nkind: Severity\nmetadata:\n  name: major\n",
    "severities:\n  - { slug: major, name: Major }\n",
    'there is no kind "apiVersion", "kind" or "metadata"',
  ),
  inFile("an id for a slug", "severities:\n  - { id: major, name: Major }\n", MAJOR, "Write slug instead"),
  inFile("no slug", "severities:\n  - name: Big outage\n", MAJOR, "For example: slug: big_outage."),
  inFile("a name for a slug", "severities:\n  - { slug: Big Outage, name: Big }\n", MAJOR, "For example: big_outage."),
  inFile(
    "an address for a reference",
    rule("      outcome: { action: auto_create_incident, severity: severities/major }\n"),
    rule("      outcome: { action: auto_create_incident, severity: major }\n"),
    "For example: major.",
  ),
  inFile(
    "a field of the outcome beside it",
    rule("      action: drop\n"),
    rule("      outcome: { action: drop }\n"),
    "Write it under outcome.",
  ),
  inFile(
    "a short key",
    rule("      conditions: [{ field: title, op: contains, value: x }]\n      outcome: { action: drop }\n"),
    rule("      conditions: [{ field: title, operator: contains, value: x }]\n      outcome: { action: drop }\n"),
    'Did you mean "operator"?',
  ),
  inFile(
    "a condition as a sentence",
    rule("      conditions: [title contains x]\n      outcome: { action: drop }\n"),
    rule("      conditions: [{ field: title, operator: contains, value: x }]\n      outcome: { action: drop }\n"),
    "Its keys are: field, operator, value.",
  ),
  inFile(
    "a missing key with few values",
    rule("      conditions: [{ field: title, value: x }]\n      outcome: { action: drop }\n"),
    rule("      conditions: [{ field: title, operator: contains, value: x }]\n      outcome: { action: drop }\n"),
    "Allowed: is_one_of, contains, starts_with, matches_regex and is_empty.",
  ),
  inFile(
    "no comma in braces",
    "severities:\n  - { slug: major name: Major }\n",
    "severities:\n  - { slug: major, name: Major }\n",
    "{ slug: major, name: Major }",
  ),
  inFile(
    "indentation with blanks that are no spaces",
    "severities:\n\u00a0\u00a0- slug: major\n",
    MAJOR,
    "a blank that is not a space stands here, U+00A0",
  ),
  inFile("only a comment", "# to do\n", MAJOR, "the file declares nothing"),
  inFile("a variable of a shell", hook("$HOOK_URL"), hook("https://hooks.example.com/x"), "Write ${env:HOOK_URL}"),
  inFile(
    "a variable of Terraform",
    `${MAJOR.replace("Major", '"${var.name}"')}`,
    MAJOR,
    "Write ${var:name}; write $${ for the characters themselves.",
  ),
  {
    title: "an environment variable that is not set",
    mistake: { args: ["validate"], files: { "config.yaml": hook('"${env:HOOK_URL}"') } },
    exit: 1,
    says: "Set it: export HOOK_URL=…",
    mend: [{ args: ["validate"], env: { HOOK_URL: "https://hooks.example.com/x" } }],
  },
  {
    title: "settings in a file with another name",
    mistake: { args: ["validate"], files: { "config.yaml": MAJOR, "incidentctl.yml": SETTINGS } },
    exit: 1,
    says: "The settings file must be named incidentctl.yaml: rename incidentctl.yml.",
    mend: [
      {
        args: ["validate"],
        files: { "incidentctl.yml": MAJOR.replace(/.*/s, "webhooks: []\n"), "incidentctl.yaml": SETTINGS },
      },
    ],
  },
  {
    title: "resources in the settings",
    mistake: { args: ["validate"], files: { "incidentctl.yaml": `${SETTINGS}${MAJOR}` } },
    exit: 1,
    says: "It is a kind: write it in a file of the configuration",
    mend: [{ args: ["validate"], files: { "incidentctl.yaml": SETTINGS, "config/severities.yaml": MAJOR } }],
  },
  {
    title: "another word for a setting",
    mistake: { args: ["validate"], files: { ...FILES, "incidentctl.yaml": `version: 1\nurl: ${SERVICE}\n` } },
    exit: 1,
    says: 'Did you mean "base_url"?',
    mend: [{ args: ["validate"], files: { "incidentctl.yaml": SETTINGS } }],
  },
  {
    title: "a version in quotes",
    mistake: { args: ["validate"], files: { ...FILES, "incidentctl.yaml": 'version: "1"\n' } },
    exit: 1,
    says: "Write 1, without quotes.",
    mend: [{ args: ["validate"], files: { "incidentctl.yaml": "version: 1\n" } }],
  },
  {
    title: "a list of environments",
    mistake: {
      args: ["validate"],
      files: { ...FILES, "incidentctl.yaml": "version: 1\nenvironments:\n  - name: staging\n" },
    },
    exit: 1,
    says: "Its keys are names that you choose.",
    mend: [{ args: ["validate"], files: { "incidentctl.yaml": "version: 1\nenvironments:\n  staging: {}\n" } }],
  },
  {
    title: "two environments and none chosen",
    mistake: {
      args: ["plan"],
      files: { "config/severities.yaml": LIVE, "incidentctl.yaml": TWO },
      env: { INCIDENTCTL_URL: undefined },
    },
    exit: 1,
    says: "choose an environment: -e staging or -e production",
    mend: [{ args: ["plan", "-e", "staging"], env: { INCIDENTCTL_URL: undefined } }],
  },
  {
    title: "a path of Windows",
    mistake: { args: ["validate", "config\\severities.yaml"], files: { "config/severities.yaml": MAJOR } },
    exit: 1,
    says: "Write config/severities.yaml.",
    mend: [{ args: ["validate", "config/severities.yaml"] }],
  },
  {
    title: "a path of Windows in the settings",
    mistake: {
      args: ["validate"],
      files: { "incidentctl.yaml": "version: 1\nconfig: [config\\live]\n", "config/live/severities.yaml": MAJOR },
    },
    exit: 1,
    says: "Write config/live.",
    mend: [{ args: ["validate"], files: { "incidentctl.yaml": "version: 1\nconfig: [config/live]\n" } }],
  },
  {
    title: "a misspelt directory",
    mistake: { args: ["validate", "confg"], files: { "config/severities.yaml": MAJOR } },
    exit: 1,
    says: 'Did you mean "config"?',
    mend: [{ args: ["validate", "config"] }],
  },
  {
    title: "a saved plan without its flag",
    before: [{ args: ["plan", "--out", "change.plan"], files: FILES }],
    mistake: { args: ["apply", "change.plan", "--yes"] },
    exit: 1,
    says: "To apply it: incidentctl apply --plan change.plan.",
    mend: [{ args: ["apply", "--plan", "change.plan", "--yes"] }],
  },
  {
    title: "apply without a terminal",
    mistake: { args: ["apply"], files: FILES },
    exit: 3,
    says: "there is no terminal to ask for confirmation; to apply without it: --yes",
    mend: [{ args: ["apply", "--yes"] }],
  },
  {
    title: "a token with its line end",
    mistake: { args: ["plan"], files: FILES, env: { INCIDENTCTL_TOKEN: "sk_canary_token_in_no_output\n" } },
    exit: 1,
    says: "set it to the token alone",
    mend: [{ args: ["plan"] }],
  },
  typed(
    "a flag with one hyphen",
    ["plan", "-out=change.plan"],
    ["plan", "--out=change.plan"],
    "write --out with two hyphens",
  ),
  typed("a flag before the command", ["--url", SERVICE, "plan"], ["plan", "--url", SERVICE], "incidentctl plan --url"),
  typed(
    "a flag for files",
    ["apply", "-f", "config.yaml"],
    ["apply", "--yes", "config.yaml"],
    "name files and directories without a flag",
  ),
  typed("a flag for JSON", ["plan", "--json"], ["plan", "--format", "json"], "--format json"),
  typed(
    "a report without its format",
    ["plan", "--report", "plan.html"],
    ["plan", "--report", "html=plan.html"],
    "--report takes FORMAT=PATH",
  ),
  typed("a command for checks", ["check"], ["validate"], "use validate"),
  typed("a command for one resource", ["get", "severities/major"], ["refs", "severities/major"], "refs ADDRESS"),
  typed(
    "an address of Terraform",
    ["plan", "--target", "severity.major"],
    ["plan", "--target", "severities/major"],
    'did you mean "severities/major"?',
  ),
  typed(
    "blanks between kinds",
    ["plan", "--kinds", "severities,", "statuses"],
    ["plan", "--kinds", "severities,statuses"],
    "a comma between them and no blanks",
  ),
];

describeMistakes("Typical mistakes, each with a message that mends it", MISTAKES, "typical-mistakes.txt");
