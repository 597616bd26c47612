/** Workflows of GitHub that call those of another repository, in place of whole ones. */

import { misuse } from "../../core/flag-values.ts";
import { quoted } from "../../core/sanitise.ts";

/** The text of a workflow that calls the one of the same name in `OWNER/REPO@COMMIT`. */
export function callingWorkflow(file: string, template: string, used: string): string {
  const [, repository, commit] = /^([\w.-]+\/[\w.-]+)@([0-9a-f]{40})$/.exec(used) ?? [];
  if (repository === undefined) {
    throw misuse(`--uses takes OWNER/REPO@COMMIT with all 40 hex digits of the commit, not ${quoted(used)}`);
  }
  const [head = ""] = template.split(/^jobs:$/m);
  const inputs = inputsIn(template).map((name) =>
    name === "allow_delete" ? `${name}: \${{ inputs.${name} || false }}` : `${name}: \${{ inputs.${name} }}`,
  );
  return `${head}jobs:
  incidentctl:
    uses: ${repository}/.github/workflows/${file}@${commit}
    permissions: { ${permissionsIn(template)} }
    secrets: inherit # Those of the environments.
    with:
${[`program: ${used}`, ...inputs].map((line) => `      ${line}\n`).join("")}`;
}

/** The names of the inputs that the jobs of a workflow read. */
function inputsIn(template: string): readonly string[] {
  return [...new Set([...template.matchAll(/\binputs\.(\w+)/g)].map(([, name = ""]) => name))];
}

/** The permissions of all jobs of a workflow together; each of them has only its own. */
function permissionsIn(template: string): string {
  const pairs = [...template.matchAll(/^ {4}permissions: \{ (.*?) \}/gm)].flatMap(([, list = ""]) => list.split(", "));
  const scopes = [...new Set(pairs.map((pair) => pair.split(":")[0] ?? ""))];
  return scopes.map((scope) => `${scope}: ${pairs.includes(`${scope}: write`) ? "write" : "read"}`).join(", ");
}
