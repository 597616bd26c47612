/** The outcome of a run as Markdown, for a comment or a job summary: the outcome first, then the plan. */

import { counted } from "../../core/value-text.ts";
import { code, prose } from "../format/markdown.ts";
import { MAX_COMMENT, type MarkdownStyle, marker } from "../plan/markdown.ts";
import { details } from "../plan/markdown-details.ts";
import { planView } from "../plan/plan-view.ts";
import { OUTCOMES } from "./progress.ts";
import { type Applied, headline, isComplete, nextSteps, reasonsOf, verificationLines } from "./text.ts";

/** Operations to list that did not end as planned. */
const MAX_OUTCOMES = 60;
/** Characters of the text besides the changes. */
const MAX_TEXT = 40_000;

/** The report, with the marker in the first line and a final line feed. */
export function outcomeMarkdown(applied: Applied, style: MarkdownStyle): string {
  const { plan, result, verification, journal, explain } = applied;
  const good = isComplete(result.counts) && verification?.status !== "differs" && verification?.status !== "unread";
  const open = result.outcomes.filter(({ status }) => status !== "done");
  const visible = style.verbose ? open : open.slice(0, MAX_OUTCOMES);
  const items = visible.map((outcome) => {
    const { address, why } = outcome.operation;
    const reasons = reasonsOf(outcome, explain).map(prose).join("; ");
    return `- **${OUTCOMES[outcome.status][0]}** ${code(address)} (${prose(why)})${reasons === "" ? "" : `: ${reasons}`}`;
  });
  const head = [
    marker(plan, "apply"),
    `## Apply: ${code(plan.target.host)}`,
    "",
    `${good ? "✅" : "🔴"} **${headline(result.counts, result.outcomes.length)}** ${verificationLines(applied).map(prose).join(" ")}`.trimEnd(),
    "",
    ...items,
    ...(open.length === visible.length ? [] : [`- … and ${counted(open.length - visible.length, "more operation")}`]),
    ...(items.length === 0 ? [] : [""]),
    ...nextSteps(applied).flatMap((line) => [prose(line), ""]),
    ...(journal === undefined || isComplete(result.counts) ? [] : [`Journal: ${code(journal)}`, ""]),
  ];
  const room = MAX_COMMENT - Math.min(MAX_TEXT, head.join("\n").length) - 500;
  const { lines, leftOut, withoutFields } = details(planView(plan), style.verbose, room);
  const cut =
    leftOut + withoutFields === 0
      ? []
      : [`> Shortened to fit a comment. Not shown: ${counted(leftOut + withoutFields, "change")} or their fields.`, ""];
  return `${[...head, ...(lines.length === 0 ? [] : ["### Plan", "", ...lines]), ...cut].join("\n")}\n`;
}
