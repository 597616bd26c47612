/** The outcome of a run as Markdown, for a comment or a job summary: the outcome first, then the plan. */

import { counted } from "../../core/value-text.ts";
import { code, prose } from "../format/markdown.ts";
import { shorten } from "../format/shorten.ts";
import { MAX_COMMENT, type MarkdownStyle, marker } from "../plan/markdown.ts";
import { details } from "../plan/markdown-details.ts";
import { planView } from "../plan/plan-view.ts";
import { type Applied, outcomeView } from "./outcome-view.ts";
import { OUTCOMES } from "./progress.ts";

/** Operations to list that did not end as planned. */
const MAX_OUTCOMES = 60;
/** Characters of the text besides the changes. */
const MAX_TEXT = 40_000;

/** The report, with the marker in the first line and a final line feed. */
export function outcomeMarkdown(applied: Applied, style: MarkdownStyle): string {
  const { plan } = applied;
  const { headline, isGood, open, notBegun, verification, next, journal } = outcomeView(applied, style.verbose);
  const items = open.map(({ operation: { address, why }, word, reasons }) => {
    const because = reasons.length === 0 ? "" : `: ${reasons.map(prose).join("; ")}`;
    return `- **${word}** ${code(address)} (${prose(why)})${because}`;
  });
  const most = style.verbose ? items.length : MAX_OUTCOMES;
  const head = [
    marker(plan, "apply"),
    `## Apply: ${code(plan.target.host)}`,
    "",
    `${isGood ? "✅" : "🔴"} **${headline}** ${verification.map(prose).join(" ")}`.trimEnd(),
    "",
    ...shorten(items, most, (more) => `- … and ${counted(more, "more operation")}`),
    ...notBegun.map((line) => `- **${OUTCOMES.skipped[0]}** ${prose(line)}`),
    ...(items.length + notBegun.length === 0 ? [] : [""]),
    ...next.flatMap((line) => [prose(line), ""]),
    ...(journal === undefined ? [] : [`Journal: ${code(journal)}`, ""]),
  ];
  const room = MAX_COMMENT - Math.min(MAX_TEXT, head.join("\n").length) - 500;
  const { deletions, lines, leftOut, withoutFields } = details(planView(plan), style.verbose, room);
  const cut =
    leftOut + withoutFields === 0
      ? []
      : [`> Shortened to fit a comment. Not shown: ${counted(leftOut + withoutFields, "change")} or their fields.`, ""];
  return `${[...head, ...(deletions.length + lines.length === 0 ? [] : ["### Plan", "", ...deletions, ...lines]), ...cut].join("\n")}\n`;
}
