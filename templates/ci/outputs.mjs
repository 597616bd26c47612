/**
 * Writes what other steps read of the reports in a folder. It needs only Node.
 *
 *   node outputs.mjs COMMAND FOLDER
 *
 *   outputs           NAME=VALUE: changes, blocked, totals, drifted, fingerprint. On GitHub also outputs of the step
 *   terraform.json    numbers of changes, for the widget of GitLab's merge requests
 *   codequality.json  findings, for GitLab's merge requests
 */

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const SEVERITIES = { error: "critical", warning: "minor", note: "info" };

const [command = "plan", folder = "reports"] = process.argv.slice(2);
const plan = command === "drift" ? undefined : (read("plan.json") ?? read("proposal.json"));
const drift = command === "drift" ? read("drift.json") : undefined;
const findings = read("findings.sarif");

const outputs = {
  ...(plan === undefined ? {} : planOutputs(plan)),
  ...(drift === undefined ? {} : driftOutputs(drift)),
};
const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
writeFileSync(join(folder, "outputs"), lines.join(""));
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
if (plan !== undefined) write("terraform.json", terraformReport(plan));
if (findings !== undefined) write("codequality.json", qualityReport(findings));

function planOutputs({ changes, blocked, summary, seal }) {
  return {
    changes: changes.length > 0,
    blocked: blocked.length > 0,
    totals: JSON.stringify(summary),
    fingerprint: seal.fingerprint,
  };
}

function driftOutputs({ changes, drift: { fingerprint } }) {
  return { drifted: changes.length > 0, fingerprint: fingerprint ?? "" };
}

/** The widget has three numbers. Moves, and resources that are enabled or disabled, are updates. */
function terraformReport({ summary: { create, update, move, enable, disable, delete: removed } }) {
  return { create, update: update + move + enable + disable, delete: removed };
}

function qualityReport({ runs: [{ results }] }) {
  const home = relative(process.env.CI_PROJECT_DIR || process.cwd(), process.cwd());
  const seen = new Map();
  return results
    .filter(({ suppressions = [] }) => suppressions.length === 0)
    .map(({ ruleId, level, message: { text }, locations: [location] }) => {
      const { artifactLocation, region } = location?.physicalLocation ?? {};
      const path = join(home, decodeURI(artifactLocation?.uri ?? "incidentctl.yaml")).replaceAll("\\", "/");
      // A finding keeps its fingerprint when its line moves. Equal ones are numbered.
      const identity = JSON.stringify([ruleId, path, text]);
      const count = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, count);
      return {
        description: text,
        check_name: ruleId,
        fingerprint: createHash("sha256").update(`${identity}${count}`).digest("hex"),
        severity: SEVERITIES[level] ?? "info",
        location: { path, lines: { begin: region?.startLine ?? 1 } },
      };
    });
}

/** The report of this name; undefined if there is none, or only the error that ended the command. */
function read(name) {
  const file = join(folder, name);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  return report?.error === undefined ? report : undefined;
}

function write(name, value) {
  writeFileSync(join(folder, name), `${JSON.stringify(value, undefined, 2)}\n`);
}
