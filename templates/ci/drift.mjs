/** Issues of a unit: one while it has drift, and one while its drift check fails. Both are found by their hidden first line. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failure } from "./comment.mjs";

const FINGERPRINT = /<!-- incidentctl:fingerprint (\w+) -->/;

/**
 * Opens, updates or closes the issues of the unit whose reports are in this folder. What is new is written to `news` in the
 * folder, for a notification.
 */
export async function keepIssues(forge, folder) {
  const read = (file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "");
  const unit = read("unit").trim();
  const code = /^drift (\d+)$/m.exec(read("results"))?.[1];
  const issues = await forge.issues();
  const news = [];

  const drift = { mark: `<!-- incidentctl drift ${unit} -->`, title: `Drift: ${unit}` };
  const alarm = { mark: `<!-- incidentctl drift-check ${unit} -->`, title: `The drift check fails: ${unit}` };
  if (code === "0") {
    await close(drift, "There is no more drift, except accepted drift.");
  } else if (code === "2") {
    await keep(drift, read("drift.md").replace(/^<!-- incidentctl .*\n/, ""), "The drift has changed.");
  } else {
    await keep(alarm, alarmText(), "The drift check fails for another reason.");
  }
  if (code === "0" || code === "2") await close(alarm, "The drift check works again.");

  if (news.length > 0) writeFileSync(join(folder, "news"), `${news.join("\n")}\n`);
  return news.join("; ") || "nothing is new";

  async function keep({ mark, title }, text, change) {
    const body = `${mark}\n${text}`;
    const issue = find(mark);
    if (issue === undefined) {
      const { page } = await forge.open(title, body);
      news.push(`${title} ${page}`);
    } else if (FINGERPRINT.exec(issue.body)?.[1] !== FINGERPRINT.exec(body)?.[1]) {
      await forge.update(issue, body);
      await forge.say(issue, `${change} The description above is up to date.`);
      news.push(`${title}. ${change} ${issue.page}`);
    }
  }

  async function close({ mark, title }, reason) {
    const issue = find(mark);
    if (issue === undefined) return;
    await forge.say(issue, reason);
    await forge.close(issue);
    news.push(`${title}. ${reason} ${issue.page}`);
  }

  function find(mark) {
    return issues.find(({ body }) => typeof body === "string" && body.split(/\r?\n/, 1)[0] === mark);
  }

  function alarmText() {
    const { verdict, body } = failure({ read }, "drift", code);
    return [
      `## ${alarm.title}`,
      "",
      `${verdict} Until it works, drift goes unnoticed.`,
      "",
      body,
      "",
      `<!-- incidentctl:fingerprint exit${code} -->`,
      `<sub>[Run ${forge.run.id}](${forge.run.page})</sub>`,
      "",
    ].join("\n");
  }
}
