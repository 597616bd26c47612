/** Fifteen mistakes of a first hour: the message of each, and that what the message says to do is enough. */

import { SERVICE } from "../bad-input/run.ts";
import { describeMistakes, inFile, type Mistake } from "./mistake.ts";

const VALIDATE = ["validate"];
const MAJOR = "severities:\n  - { slug: major, name: Major, default: true }\n";
const SETTINGS = "version: 1\nenvironments:\n  staging: { base_url: http://127.0.0.1:4010 }\n";
const CAUSES =
  "severities:\n  - { slug: critical, name: Critical }\n  - { slug: major, name: Major, default: true }\n  - { slug: minor, name: Minor }\n";

function rule(severity: string): string {
  return `${MAJOR}routing_rules:\n  workspace:\n    - name: all\n      outcome: { action: auto_create_incident, severity: ${severity} }\n`;
}

const MISTAKES: readonly Mistake[] = [
  inFile("a misspelt field", MAJOR.replace("name:", "nmae:"), MAJOR, 'Did you mean "name"?'),
  inFile(
    "a tab",
    "severities:\n  - slug: major\n\tname: Major\n",
    "severities:\n  - slug: major\n    name: Major\n",
    "3 |     name: Major",
  ),
  inFile(
    "a colon in a text without quotes",
    "severities:\n  - { slug: major, name: Major: big }\n",
    'severities:\n  - { slug: major, name: "Major: big" }\n',
    '{ slug: major, name: "Major: big" }',
  ),
  {
    title: "no default severity",
    mistake: {
      args: ["apply", "--yes", "--allow-delete"],
      files: { "config.yaml": "severities:\n  - { slug: sev1, name: Sev 1 }\n" },
    },
    exit: 3,
    says: "set default: true on another severity first",
    mend: [
      {
        args: ["apply", "--yes", "--allow-delete"],
        files: { "config.yaml": "severities:\n  - { slug: sev1, name: Sev 1, default: true }\n" },
      },
    ],
  },
  inFile("a severity in a rule that does not exist", rule("majr"), rule("major"), 'Did you mean "major"?'),
  inFile("a slug twice", `${MAJOR}  - { slug: major, name: Other }\n`, MAJOR, "Keep one of the two."),
  {
    title: "a misspelt environment",
    mistake: { args: ["validate", "-e", "stagng"], files: { "incidentctl.yaml": SETTINGS, "config.yaml": MAJOR } },
    exit: 64,
    says: 'Did you mean "staging"?',
    mend: [{ args: ["validate", "-e", "staging"] }],
  },
  {
    title: "no token",
    mistake: { args: ["plan"], files: { "config.yaml": CAUSES }, env: { INCIDENTCTL_TOKEN: undefined } },
    exit: 6,
    says: "set INCIDENTCTL_TOKEN",
    mend: [{ args: ["plan"] }],
  },
  {
    title: "a token that the service does not know",
    mistake: { args: ["plan"], files: { "config.yaml": CAUSES }, env: { INCIDENTCTL_TOKEN: "ff_not_a_token_of_it" } },
    exit: 6,
    says: "set INCIDENTCTL_TOKEN to a token of this service",
    mend: [{ args: ["plan"] }],
  },
  {
    title: "a URL with a path",
    mistake: { args: ["plan", "--url", `${SERVICE}/api/v1`], files: { "config.yaml": CAUSES } },
    exit: 1,
    says: `write ${SERVICE}`,
    mend: [{ args: ["plan", "--url", SERVICE] }],
  },
  {
    title: "http instead of https",
    mistake: { args: ["plan", "--url", "http://incidents.example.com"], files: { "config.yaml": CAUSES } },
    exit: 1,
    says: "use https://incidents.example.com",
    mend: [{ args: ["plan", "--url", "https://incidents.example.com"] }],
  },
  {
    title: "a plan of another workspace",
    before: [{ args: ["plan", "--out", "change.plan"], files: { "config.yaml": CAUSES.replace("Minor", "Small") } }],
    mistake: { args: ["apply", "--plan", "change.plan", "--yes"], elsewhere: true },
    exit: 5,
    says: "incidentctl plan --out",
    mend: [
      { args: ["plan", "--out", "change.plan"], elsewhere: true },
      { args: ["apply", "--plan", "change.plan", "--yes"], elsewhere: true },
    ],
  },
  {
    title: "a file in another folder than the settings name",
    mistake: {
      args: VALIDATE,
      files: { "incidentctl.yaml": "version: 1\nconfig: [config]\n", "severities.yaml": MAJOR },
    },
    exit: 1,
    says: "Move the files there, or name the directory where they are.",
    mend: [{ args: VALIDATE, files: { "config/severities.yaml": MAJOR } }],
  },
  inFile(
    "a value that is not one of the allowed ones",
    rule("major").replace("auto_create_incident", "create_incident"),
    rule("major"),
    "Allowed: auto_create_incident, attach_to_incident, notify_only and drop.",
  ),
  {
    title: "a forgotten approval",
    mistake: { args: ["apply", "--yes"], files: { "config.yaml": CAUSES.replace(/.*critical.*\n/, "") } },
    exit: 3,
    says: "--allow-delete",
    mend: [{ args: ["apply", "--yes", "--allow-delete"] }],
  },
];

describeMistakes("Fifteen mistakes of a first hour, each with a message that mends it", MISTAKES, "first-hour.txt");
