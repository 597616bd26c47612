/** The workflows of this repository that others call: the templates, with the program of the commit that the caller names. */

import { read } from "./workflow.ts";

const INSTALL = "npm install --global --ignore-scripts ";
const FROM_COMMIT = `- run: ${INSTALL}"$GITHUB_SERVER_URL/\${PROGRAM%@*}/archive/\${PROGRAM#*@}.tar.gz"
        env: { PROGRAM: "\${{ inputs.program }}" }
`;

/** The text of `.github/workflows/FILE`. */
export function reusableWorkflow(file: string): string {
  const template = read(`templates/github/workflows/${file}`);
  const [head = "", jobs = ""] = template.split(/^jobs:$/m);
  const names = [...new Set([...jobs.matchAll(/\binputs\.(\w+)/g)].map(([, name = ""]) => name))];
  const inputs = names.map((name) => `      ${name}: { type: ${name === "allow_delete" ? "boolean" : "string"} }\n`);
  const installing = jobs
    .replace(/ {6}# The packed program of the target branch[\s\S]*?(?=- run: npm install)/, "      ")
    .replace(/- run: npm install --global --ignore-scripts \S+ && /g, `${FROM_COMMIT}      - run: `)
    .replace(
      /- run: npm install --global --ignore-scripts (?:\.\/ci|"\$RUNNER_TEMP)\/incidentctl\.tgz"?\n/g,
      FROM_COMMIT,
    );
  const name = /^name: .*$/m.exec(head)?.[0];
  return `# Called by the workflow of the same name that init --ci github --uses writes. test/pipelines/reusable.test.ts makes it of templates/.
${name}
on:
  workflow_call:
    inputs:
      program: { description: "The program, as OWNER/REPO@COMMIT", required: true, type: string }
${inputs.join("")}permissions: {} # Each job states its own.
jobs:${installing}`;
}
