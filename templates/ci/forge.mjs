/**
 * Keeps comments on changes, issues about drift and requests with pulled files up to date, through the APIs of GitHub and GitLab.
 * It needs only Node, and the files beside it.
 *
 *   node forge.mjs comment review FOLDER  writes or updates the comment with the plans in this folder
 *   node forge.mjs comment apply FOLDER   writes or updates the comment about this run
 *   node forge.mjs drift FOLDER           opens, updates or closes the issues about drift and about a drift check that fails
 *   node forge.mjs pull FOLDER            opens, updates or closes the request with the files that were pulled
 *   node forge.mjs find                   finds the reviewed plan: on GitHub its run, on GitLab the file itself
 *   node forge.mjs units                  on GitHub, lists the units of this run
 *
 * Comments and the issue are found by their hidden first line, and only if the pipeline's own account has written them.
 * A comment that cannot be written is a warning.
 */

import { commentText, isOutdated, isQuiet, markOf, readUnits } from "./comment.mjs";
import { keepIssues } from "./drift.mjs";
import { proposeFiles } from "./pull.mjs";
import { listUnits } from "./units.mjs";

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
  if (command === "drift") return keepIssues(forge, ...rest);
  if (command === "pull") return proposeFiles(forge, ...rest, process.env.INCIDENTCTL_UNIT || "workspace");
  throw new Error(`there is no command ${command}`);
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
