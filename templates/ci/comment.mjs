/** The text of a comment on a change: a verdict for each unit first, then the plans, or what apply did. */

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Characters of a comment. Forges accept 65,536. */
const MOST = 65_000;
const LOG_LINES = 30;
const LOG_CHARACTERS = 4_000;

const MEANINGS = {
  3: "an approval is missing, or a resource is protected; nothing was written",
  4: "partly applied, or the result is unknown",
  5: "nothing was written",
  6: "authentication or permission error",
  7: "a check failed",
};

/** Name of a unit, as `units.mjs` accepts it: it stands in a comment as it is. */
const NAME = /^[\w.-]{1,60}$/;

/**
 * The reports of the units in a folder, or of the one unit whose reports it has. `names` are the units that must be there, and others are
 * left out; without names, any unit counts. No link is followed.
 */
export function readUnits(folder, names) {
  const isFolder = (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const folders = isFolder(folder) ? [folder, ...readdirSync(folder).map((name) => join(folder, name))] : [];
  const found = folders.filter(isFolder).map(unitOf);
  const units = found.filter(({ name }) => (names.length === 0 ? NAME.test(name) : names.includes(name)));
  if (new Set(units.map(({ name }) => name)).size !== units.length)
    throw new Error("two folders have reports of one unit");
  const wanted = names.length === 0 && units.length === 0 ? ["workspace"] : names;
  const missing = wanted.filter((name) => !units.some((unit) => unit.name === name));
  return [...units, ...missing.map((name) => ({ name, results: [], read: () => "" }))].sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );
}

/** Its name is empty if the folder has no results. */
function unitOf(folder) {
  const read = (file) => {
    const path = join(folder, file);
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, "utf8") : "";
  };
  const results = read("results").trim();
  return {
    name: results === "" ? "" : read("unit").trim(),
    results: results.split("\n").map((line) => line.split(" ")),
    read,
  };
}

/** The first line of a comment, by which the next run finds it. A comment about an apply belongs to its run. */
export function markOf(command, { id }) {
  return command === "review" ? "<!-- incidentctl review -->" : `<!-- incidentctl apply ${id} -->`;
}

/** The comment. Texts that do not fit are replaced by a link to the run. */
export function commentText(command, units, { id, attempt, page, commit }) {
  const parts = units.map((unit) => (command === "review" ? reviewOf(unit) : applyOf(unit, id)));
  const several = units.length > 1;
  const isNamed = several || units[0]?.name !== "workspace";
  const head = [
    markOf(command, { id }),
    `## incidentctl ${command}`,
    "",
    ...parts.map(({ verdict }, at) => `${several ? "- " : ""}${named(verdict, isNamed ? units[at].name : "")}`),
    "",
  ].join("\n");
  const last = `<sub>Commit ${commit}, [run ${id}](${page})${attempt === "1" ? "" : `, attempt ${attempt}`}</sub>\n`;
  let room = MOST - head.length - last.length;
  const bodies = parts.map(({ body }, at) => {
    const text = several ? `### ${units[at].name}\n\n${body}\n\n` : `${body}\n\n`;
    const cut = `${several ? `### ${units[at].name}\n\n` : ""}Too long for this comment: see the artifacts of [the run](${page}).\n\n`;
    const fitting = body === "" ? "" : text.length <= room - 300 * (units.length - at) ? text : cut;
    room -= fitting.length;
    return fitting;
  });
  return `${head}\n${bodies.join("")}${last}`;
}

/** True if no unit of a review has changes, problems or warnings to read. */
export function isQuiet(units) {
  return units.every((unit) => reviewOf(unit).verdict.startsWith("✅"));
}

/** True if the run was started for a commit that is no longer the newest one, so that no unit did anything. */
export function isOutdated(units) {
  return units.every(({ results }) => results.every(([command, code]) => command === "find" && code === "5"));
}

function reviewOf(unit) {
  const [command, code] = unit.results.filter(([name]) => name !== "rehearse").at(-1) ?? [];
  const plan = section(unit.read("plan.md"));
  if (command === undefined) return { verdict: "❌ **The review did not finish.**", body: "" };
  if (command === "plan" && (code === "0" || (code === "3" && plan.verdict !== ""))) {
    const hash = /plan `([0-9a-f]{32})`/.exec(plan.body)?.[1] ?? "";
    const rehearsal = rehearsalOf(unit);
    return {
      verdict: [plan.verdict, hash === "" ? "" : `Plan \`${hash.slice(0, 8)}\`.`, rehearsal.verdict]
        .filter(Boolean)
        .join(" "),
      body: [plan.body, rehearsal.body].filter(Boolean).join("\n\n"),
    };
  }
  if (code === "none" || code === "0")
    return { verdict: "⚪ **Checked, not planned.** This run has no token.", body: "" };
  return failure(unit, command, code);
}

/** The result of the rehearsal of a plan with changes. Its details are shown if a check failed. */
function rehearsalOf(unit) {
  const [, code] = unit.results.find(([name]) => name === "rehearse") ?? [];
  if (code === undefined) return { verdict: "", body: "" };
  const { verdict, body } = section(unit.read("rehearsal.md"));
  if (verdict === "") return failure(unit, "rehearse", code);
  return { verdict, body: code === "0" ? "" : body };
}

function applyOf(unit, run) {
  const codes = Object.fromEntries(unit.results);
  const [command, code] = unit.results.at(-1) ?? [];
  const applied = section(unit.read("apply.md"));
  const proposal = section(unit.read("proposal.md"));
  if (command === undefined)
    return { verdict: "❌ **The run did not finish.** See its log and its journal.", body: "" };
  if (command !== "propose") return failure(unit, command, code, applied);
  const done = codes.apply === "0" ? applied.verdict || "✅ **Nothing to apply.**" : "";
  if (code === "0") return { verdict: done || "✅ **Nothing to apply.**", body: done === "" ? "" : applied.body };
  if (code !== "2") return failure(unit, command, code, applied);
  const reason =
    codes.apply === "5" ? "The reviewed plan no longer holds." : "There is no reviewed plan of this commit.";
  const verdict = done === "" ? `⛔ **Not applied.** ${reason}` : `${done} ⛔ **Other changes were not reviewed.**`;
  const hash = /plan `([0-9a-f]{32})`/.exec(proposal.body)?.[1] ?? "";
  return {
    verdict,
    body: [
      ...(done === "" ? [] : [applied.body, ""]),
      `The plan below is a proposal. To apply it, start the workflow with unit \`${unit.name}\`, run \`${run}\` and fingerprint \`${hash}\`.`,
      "",
      proposal.verdict,
      "",
      proposal.body,
    ].join("\n"),
  };
}

/** The verdict on a command that failed, and the end of its log. */
export function failure(unit, command, code, { verdict = "", body = "" } = {}) {
  const meaning = MEANINGS[code] ?? `exit code ${code}`;
  const lines = unit.read(`${command}.log`).split("\n");
  // The runner reads lines with two colons; they repeat the others.
  const log = lines
    .filter((line) => !line.startsWith("::"))
    .slice(-LOG_LINES)
    .join("\n")
    .trim();
  const quoted = log.slice(-LOG_CHARACTERS);
  return {
    verdict: `❌ **${command} failed: ${meaning}.**${verdict === "" ? "" : ` ${verdict}`}`,
    body: `${quoted === "" ? "" : `${fenced(quoted)}\n\n`}${body}`.trimEnd(),
  };
}

/** A text in a fence that is longer than any run of tildes in it, so that no line of it ends the fence. */
function fenced(text) {
  const longest = Math.max(0, ...[...text.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = "~".repeat(Math.max(8, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** A report of the program: its verdict, and what follows the verdict. */
function section(markdown) {
  const [, title = "", verdict = "", body = ""] =
    /^<!--[^\n]*-->\n## ([^\n]*)\n\n([^\n]*)\n([\s\S]*)$/.exec(markdown) ?? [];
  return { verdict, body: title === "" ? "" : `**${title}**\n${body}`.trimEnd() };
}

/** Puts the name of the unit behind the sign of a verdict. */
function named(verdict, name) {
  return name === "" ? verdict : verdict.replace(/^(\S+) /, `$1 **${name}**: `);
}
