/** The text of a comment on a change: a verdict for each unit first, then the plans, or what apply did. */

import { fieldsIn, listIn, parseJson, textsIn } from "../../core/json.ts";
import { ONLY_CHANGED } from "../../plan/model/plan.ts";
import { failure, type Section } from "./failure.ts";
import { codeOf, type PipelineRun, type UnitReports } from "./reports.ts";

/** Characters of a comment. Forges accept 65,536. */
const MOST = 65_000;
/** Characters that are left for each unit whose reports do not fit. */
const CUT = 300;

const NOTHING_TO_APPLY = "✅ **Nothing to apply.**";
const NOTHING: Section = { verdict: "", body: "" };

/** The commands whose results a comment tells. */
export type CommentedCommand = "review" | "apply";

/** The first line of a comment, by which the next run finds it. A comment about an apply belongs to its run. */
export function commentMark(command: CommentedCommand, { id }: PipelineRun): string {
  return command === "review" ? "<!-- incidentctl review -->" : `<!-- incidentctl apply ${id} -->`;
}

/** The comment. Texts that do not fit are replaced by a link to the run. */
export function commentText(
  command: CommentedCommand,
  units: readonly UnitReports[],
  run: PipelineRun,
  /** Units whose plan is another one than the approved one. */
  changed: readonly string[] = [],
): string {
  const parts = units.map((unit) => ({ unit, ...withApproval(sectionOf(command, unit), changed.includes(unit.name)) }));
  const several = units.length > 1;
  const isNamed = several || units[0]?.name !== "workspace";
  const head = [
    commentMark(command, run),
    `## incidentctl ${command}`,
    "",
    ...parts.map(({ verdict, unit }) => `${several ? "- " : ""}${named(verdict, isNamed ? unit.name : "")}`),
    "",
  ].join("\n");
  const again = run.attempt === "1" ? "" : `, attempt ${run.attempt}`;
  const last = `<sub>Commit ${run.commit}, [run ${run.id}](${run.page})${again}</sub>\n`;
  let room = MOST - head.length - last.length;
  const bodies = parts.map(({ unit, body }, at) => {
    if (body === "") return "";
    const title = several ? `### ${unit.name}\n\n` : "";
    const text = `${title}${body}\n\n`;
    const isFitting = text.length <= room - CUT * (units.length - at);
    const fitting = isFitting
      ? text
      : `${title}Too long for this comment: see the artifacts of [the run](${run.page}).\n\n`;
    room -= fitting.length;
    return fitting;
  });
  return `${head}\n${bodies.join("")}${last}`;
}

/** Whether no unit has changes, problems or warnings to read. */
export function isQuiet(command: CommentedCommand, units: readonly UnitReports[]): boolean {
  if (command === "apply") return units.every((unit) => applySection(unit).verdict === NOTHING_TO_APPLY);
  return units.every((unit) => isUnchanged(unit) || reviewSection(unit).verdict.startsWith("✅"));
}

/** Whether the change is of other files than those of the units. */
export function isUntouched(command: CommentedCommand, units: readonly UnitReports[]): boolean {
  return command === "apply" ? isQuiet(command, units) : units.every(isUnchanged);
}

/** Whether the run was for a commit that is no longer the newest one, so that no unit did anything. */
export function isOutdated(units: readonly UnitReports[]): boolean {
  return units.every(({ results }) => results.every(({ command, code }) => command === "find" && code === 5));
}

function sectionOf(command: CommentedCommand, unit: UnitReports): Section {
  return command === "review" ? reviewSection(unit) : applySection(unit);
}

/** The section of a plan that somebody has approved before it was made. */
function withApproval({ verdict, body }: Section, isChanged: boolean): Section {
  return isChanged
    ? { verdict: `❌ **The plan has changed since it was approved.** ${verdict}`, body }
    : { verdict, body };
}

/** Whether a plan was made of a change that declares nothing else than its base. */
function isUnchanged(unit: UnitReports): boolean {
  const { partial, base, changes, released } = fieldsIn(parseJson(unit.read("plan.json")));
  const isOfChange = textsIn(partial).includes(ONLY_CHANGED);
  const all = [fieldsIn(base).changed, changes, released];
  return codeOf(unit, "plan") === 0 && isOfChange && all.every((list) => listIn(list).length === 0);
}

function reviewSection(unit: UnitReports): Section {
  if (isUnchanged(unit)) return { verdict: "✅ **No change of the configuration.**", body: "" };
  const last = unit.results.findLast(({ command }) => command !== "rehearse");
  if (last === undefined) return { verdict: "❌ **The review did not finish.**", body: "" };
  const plan = section(unit.read("plan.md"));
  const { command, code } = last;
  if (command === "plan" && (code === 0 || (code === 3 && plan.verdict !== ""))) {
    const hash = fingerprintIn(plan);
    const rehearsal = rehearsalSection(unit);
    const told = hash === "" ? "" : `Plan \`${hash.slice(0, 8)}\`.`;
    return {
      verdict: [plan.verdict, told, rehearsal.verdict].filter((part) => part !== "").join(" "),
      body: [plan.body, rehearsal.body].filter((part) => part !== "").join("\n\n"),
    };
  }
  if (code === "none" || code === 0)
    return { verdict: "⚪ **Checked, not planned.** This run has no token.", body: "" };
  return failure(unit, last);
}

/** The result of the rehearsal of a plan with changes. Its details are shown if a check failed. */
function rehearsalSection(unit: UnitReports): Section {
  const code = codeOf(unit, "rehearse");
  if (code === undefined) return NOTHING;
  const { verdict, body } = section(unit.read("rehearsal.md"));
  if (verdict === "") return failure(unit, { command: "rehearse", code });
  return { verdict, body: code === 0 ? "" : body };
}

function applySection(unit: UnitReports): Section {
  const last = unit.results.at(-1);
  if (last === undefined) return { verdict: "❌ **The run did not finish.** See its log and its journal.", body: "" };
  const applied = section(unit.read("apply.md"));
  if (last.command !== "propose") return failure(unit, last, applied);
  const apply = codeOf(unit, "apply");
  const earlier = unit.results.filter(({ command, code }) => command === "earlier" && code === 0).length;
  const also = earlier === 0 ? "" : `✅ **Earlier changes applied: ${earlier}.**`;
  const own = apply === 0 ? applied.verdict || NOTHING_TO_APPLY : "";
  const done = [own, also].filter((part) => part !== "").join(" ");
  if (last.code === 0) return { verdict: done || NOTHING_TO_APPLY, body: own === "" ? "" : applied.body };
  if (last.code !== 2) return failure(unit, last, applied);
  const proposal = section(unit.read("proposal.md"));
  const reason = apply === 5 ? "The reviewed plan no longer holds." : "There is no reviewed plan of this commit.";
  return {
    verdict: done === "" ? `⛔ **Not applied.** ${reason}` : `${done} ⛔ **Other changes were not reviewed.**`,
    body: [
      ...(done === "" ? [] : [applied.body, ""]),
      `The plan below is a proposal. To apply it, start the proposal's workflow or job with unit \`${unit.name}\` and fingerprint \`${fingerprintIn(proposal)}\`.`,
      "",
      proposal.verdict,
      "",
      proposal.body,
    ].join("\n"),
  };
}

function fingerprintIn({ body }: Section): string {
  return /plan `([0-9a-f]{32})`/.exec(body)?.[1] ?? "";
}

/** A report of the program: its verdict, and what follows the verdict. */
function section(markdown: string): Section {
  const [, title = "", verdict = "", body = ""] =
    /^<!--[^\n]*-->\n## ([^\n]*)\n\n([^\n]*)\n([\s\S]*)$/.exec(markdown) ?? [];
  return { verdict, body: title === "" ? "" : `**${title}**\n${body}`.trimEnd() };
}

/** Puts the name of the unit behind the sign of a verdict. */
function named(verdict: string, name: string): string {
  return name === "" ? verdict : verdict.replace(/^(\S+) /, `$1 **${name}**: `);
}
