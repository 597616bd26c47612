/** The table in docs/conformance.md that maps each rule of the interface to its test, made from the rules themselves. */

import { type RuleFile, ruleFiles } from "./all-rules.ts";
import type { ConformanceRule } from "./rule.ts";

const preface = `# Conformance

<!-- Written by a test from the rules in src/conformance/rules: npm run documents -->

Each row is one rule of the interface document and the file of the test that checks it over HTTP. Run them with

<!-- shown: not-run test/conformance/rules.test.ts checks each rule -->

\`\`\`sh
incidentctl conformance --emulator
\`\`\`

or against another service, as [compatibility.md](compatibility.md#test-your-service) shows.
A rule ends as passed, failed, or not applicable with the reason. Rows marked *wire* stand only in the wire facts, which fill in
what the interface leaves open: a service that does otherwise *differs* there, and does not fail.

The rules leave the workspace as they found it as far as the interface allows. These stay: incidents, canceled or resolved (none can be deleted); two
custom fields named "Conformance fixture", hidden (a field that a form shows cannot be deleted); and a runbook, disabled and without conditions (one
that was attached to an incident cannot be deleted). The lists keep their order, and are numbered from 1. A workspace without severities, statuses or
types gets entries named "Conformance fixture". Do not aim it at a workspace people rely on.
`;

/** Sentences of the document that no response can show, with the reason. */
const unobservable: readonly (readonly [string, string, string])[] = [
  [
    "What the service does",
    "incidents behave the same whether declared through the API or in chat",
    "the interface declares in one way only",
  ],
  [
    "What the service does",
    "some operations post in the incident channel or message a person",
    "the interface reads no channel besides the transcript",
  ],
  [
    "Disabled entries",
    "1: a disabled entry is no longer offered to responders",
    "offering happens in the chat platform",
  ],
  [
    "Incident lifecycle stages",
    "a lead's assignment is announced and the person notified",
    "the interface reads no announcement",
  ],
  [
    "Responder actions",
    "escalation reminds the person, the direct message has a button, an invitation is quiet",
    "all of it happens in the chat platform",
  ],
  ["Reference data and configuration", "routing evaluate notifies nobody", "the interface reads no notification"],
  ["Authentication", "2: an expired token yields 401", "the interface sets no expiry"],
  [
    "Authentication",
    "8: another workspace's resource is a 404",
    "one workspace's tokens cannot name one; unknown ids stand for it",
  ],
];

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function row(rule: ConformanceRule, file: string): string {
  const basis = rule.basis === "wire" ? " *wire*" : "";
  return `| ${rule.id} | ${cell(rule.section)} | ${cell(rule.title)}${basis} | [${file.slice(file.lastIndexOf("/") + 1)}](../${file}) |`;
}

/** The whole document. */
export function conformanceDocument(files: readonly RuleFile[] = ruleFiles): string {
  const rules = files.flatMap((chapter) => chapter.rules);
  const wire = rules.filter((rule) => rule.basis === "wire").length;
  const count = `${rules.length} rules: ${rules.length - wire} of the interface, ${wire} of the wire facts.`;
  const rows = files.flatMap(({ file, rules }) => rules.map((rule) => row(rule, file)));
  const head = ["| Rule | Section | What must hold | Test |", "|---|---|---|---|"];
  const rest = unobservable.map((columns) => `| ${columns.join(" | ")} |`);
  const restHead = ["| Section | Sentence | Why |", "|---|---|---|"];
  return [
    preface,
    `${count}\n`,
    ...head,
    ...rows,
    "\nNo test can see what these sentences say:\n",
    ...restHead,
    ...rest,
    "",
  ].join("\n");
}
