/**
 * Keeps comments on changes and one issue about drift up to date, through the APIs of GitHub and GitLab.
 * It needs only Node, and the files beside it.
 *
 *   node forge.mjs comment review FOLDER  writes or updates the comment with the plans in this folder
 *   node forge.mjs comment apply FOLDER   writes or updates the comment about this run
 *   node forge.mjs issue FILE             opens the issue, or updates it if its fingerprint has changed
 *   node forge.mjs close FILE             closes the issue, if there is one
 *   node forge.mjs find                   finds the reviewed plan: on GitHub its run, on GitLab the file itself
 *   node forge.mjs units                  on GitHub, lists the units of this run
 *
 * Comments and the issue are found by their hidden first line, and only if the pipeline's own account has written them.
 * A comment that cannot be written is a warning.
 */

import { readFileSync } from "node:fs";
import { commentText, isOutdated, isQuiet, markOf, readUnits } from "./comment.mjs";
import { listUnits } from "./units.mjs";

/** A report, the line that identifies it, and its title. */
function report(file) {
  const body = readFileSync(file, "utf8");
  const [mark = ""] = body.split("\n", 1);
  if (!/^<!-- incidentctl .+ -->$/.test(mark)) throw new Error(`${file} is not a Markdown report of incidentctl`);
  return { body, mark, title: (/^## (.+)$/m.exec(body)?.[1] ?? "incidentctl").replaceAll("`", "") };
}

function fingerprint(body) {
  return /<!-- incidentctl:fingerprint (\w+) -->/.exec(body)?.[1];
}

function marked(items, mark) {
  return items.find(
    ({ body }) =>
      typeof body === "string" && (body === mark || body.startsWith(`${mark}\n`) || body.startsWith(`${mark}\r\n`)),
  );
}

async function main([command, ...rest]) {
  const { forge: connect } = await import(process.env.GITLAB_CI ? "./gitlab.mjs" : "./github.mjs");
  const forge = await connect(process.env);
  if (command === "find") return forge.find();
  if (command === "units") {
    const units = listUnits(process.env);
    forge.output({ units: JSON.stringify(units) });
    return units.map(({ name }) => name).join(", ");
  }
  if (command === "comment") return comment(forge, ...rest).catch((error) => warning(`no comment: ${error.message}`));
  return issue(forge, command, report(rest[0]));
}

async function comment(forge, command, folder) {
  const names = listUnits(process.env).map(({ name }) => name);
  const units = readUnits(folder, process.env.INCIDENTCTL_UNITS ? names : []);
  const reason = await forge.change();
  if (reason !== undefined) return `no comment: ${reason}`;
  const there = marked(await forge.comments(), markOf(command, forge.run));
  if (there !== undefined && command === "apply" && isOutdated(units))
    return "the comment of the earlier attempt stays";
  const isSkipped = process.env.INCIDENTCTL_COMMENT === "changes" && command === "review" && isQuiet(units);
  if (there === undefined && isSkipped) return "no comment: there are no changes";
  const text = commentText(command, units, forge.run);
  await (there === undefined ? forge.comment(text) : forge.rewrite(there, text));
  return there === undefined ? "commented" : "comment updated";
}

async function issue(forge, command, { body, mark, title }) {
  const there = marked(await forge.issues(), mark);
  if (command === "issue") {
    if (there === undefined) {
      await forge.open(title, body);
      return "issue opened";
    }
    if (fingerprint(there.body) === fingerprint(body)) return "the issue is up to date";
    await forge.update(there, body);
    await forge.say(there, "The drift has changed. The description above is up to date.");
    return "issue updated";
  }
  if (command === "close") {
    if (there === undefined) return "there is no issue to close";
    await forge.say(there, "There is no more drift, except accepted drift.");
    await forge.close(there);
    return "issue closed";
  }
  throw new Error(`there is no command ${command}`);
}

/** Shows a line as a warning of the run, and returns it. */
function warning(text) {
  const line = plain(text);
  if (process.env.GITHUB_ACTIONS) process.stderr.write(`::warning::${line}\n`);
  return line;
}

function plain(text) {
  return String(text).replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ");
}

try {
  process.stderr.write(`forge: ${plain(await main(process.argv.slice(2)))}\n`);
} catch (error) {
  process.stderr.write(`forge: ${plain(error.message)}\n`);
  process.exitCode = error.exit ?? 1;
}
