import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { AnalyzerRule } from "../../../src/plan/analyze/analyzer.ts";
import { analyzers, rules } from "../../../src/plan/analyze/index.ts";

const INTRODUCTION = `# Analyzers

\`incidentctl validate\` finds problems that no schema can express: configurations that are valid and do harm later. \`plan\` runs the same
analyzers, knows the live state as well, and shows their findings as warnings. An error that it is certain of, in a rule that it would write, is an error
of the plan (A016). This page is generated from the analyzers; to update
it, run \`npm run documents\`.

A finding is an error, a warning or a note. \`validate\` exits with 7 if there is an error. \`--fail-on warning\` is stricter, and with
\`--fail-on never\` findings never fail. \`plan\` leaves out notes. For code scanning use \`--report sarif=PATH\`, for test reports
\`--report junit=PATH\`.

## Waivers

To accept a finding, add a comment at the end of its line, on the line above, or above its resource:

\`\`\`yaml
webhooks:
  # incidentctl: allow A007 until 2026-12-31 because the old pager has no TLS and is replaced in January
  - { name: old pager, url: "http://pager.example.com/" }
\`\`\`

Separate several ids with commas. A waiver is in force to the end of its day, in UTC. After that the finding is reported again, with a
remark that its waiver expired. Reports keep waived findings: SARIF as suppressed results, JUnit as skipped tests.
`;

const row = ({ id, name, severity, title }: AnalyzerRule) =>
  `| [${id}](#${id.toLowerCase()}-${name}) | ${severity} | ${title} |`;
const section = ({ id, name, severity, title, why, fix }: AnalyzerRule) =>
  `### ${id} ${name}\n\n${title} Severity: ${severity}.\n\n${why}\n\n**Fix:** ${fix}\n`;

test("docs/analyzers.md describes every analyzer", async () => {
  const table = ["| Id | Severity | Finds |", "|---|---|---|", ...rules.map(row), ""].join("\n");
  const waivers = rules.filter((rule) => !analyzers.some(({ id }) => id === rule.id));
  const text = [
    INTRODUCTION,
    "## All analyzers\n",
    table,
    "## Details\n",
    ...analyzers.map(section),
    ...waivers.map(section),
  ].join("\n");
  await expect(text).toMatchFileSnapshot(fileURLToPath(new URL("../../../docs/analyzers.md", import.meta.url)));
});
