import { expect, test } from "vitest";
import type { Rule } from "../../src/analyze/analyzer.ts";
import { analyzers, rules } from "../../src/analyze/index.ts";

const INTRODUCTION = `# Analyzers

\`incidentctl validate\` looks for what no schema can see: configurations that load, and that will hurt at night. \`plan\` does so
with the live state in sight, and shows what it finds as warnings. This page is made from the registry of analyzers; to write
it again: \`npx vitest run test/analyze/document.test.ts -u\`.

An error fails \`validate\` with exit code 7. \`--fail-on warning\` is stricter, \`--fail-on never\` only tells. A note is something
to know; \`plan\` leaves notes out. \`--report sarif=PATH\` is for code scanning, \`--report junit=PATH\` for a list of tests.

## Waivers

A finding that is meant is waived by a comment, at the end of its line, on the line above, or above its entry:

\`\`\`yaml
webhooks:
  # incidentctl: allow A007 until 2026-12-31 because the old pager speaks no TLS and goes in January
  - { name: old pager, url: "http://pager.example.com/" }
\`\`\`

Several ids are separated by commas. A waiver counts to the end of its day, in UTC; then the finding comes back and says so.
Reports keep what is waived: SARIF as suppressed results, JUnit as skipped tests.
`;

const row = ({ id, name, severity, title }: Rule) =>
  `| [${id}](#${id.toLowerCase()}-${name}) | ${severity} | ${title} |`;
const section = ({ id, name, severity, title, why, fix }: Rule) =>
  `### ${id} ${name}\n\n${title} Severity: ${severity}.\n\n${why}\n\n**What to do:** ${fix}\n`;

test("the document is the registry in words", async () => {
  const table = ["| Id | Severity | Finds |", "|---|---|---|", ...rules.map(row), ""].join("\n");
  const waivers = rules.filter((rule) => !analyzers.some(({ id }) => id === rule.id));
  const text = [
    INTRODUCTION,
    "## All of them\n",
    table,
    "## Each of them\n",
    ...analyzers.map(section),
    ...waivers.map(section),
  ].join("\n");
  await expect(text).toMatchFileSnapshot("../../docs/analyzers.md");
});
