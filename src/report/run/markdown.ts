/** How an apply ended, as a comment or a summary: what became of it first, then what it was about. */

import { code, prose } from "../format/markdown.ts";
import { counted } from "../format/value.ts";
import { LONGEST_COMMENT, type MarkdownStyle, marker } from "../plan/markdown.ts";
import { details } from "../plan/markdown-details.ts";
import { PLAN } from "../plan/wording.ts";
import { OUTCOMES } from "./progress.ts";
import { type Applied, headline, isWhole, nextSteps, reasonsOf, verified } from "./text.ts";

/** Operations that are told one by one when they did not end as planned. */
const MOST = 60;
/** What the words besides the changes may take. */
const WORDS = 40_000;

/** The report; the first line is the marker, and the text ends with a line feed. */
export function outcomeMarkdown(applied: Applied, style: MarkdownStyle): string {
  const { plan, result, verification, journal, explain } = applied;
  const good = isWhole(result.counts) && verification?.status !== "differs" && verification?.status !== "unread";
  const open = result.outcomes.filter(({ status }) => status !== "done");
  const kept = style.verbose ? open : open.slice(0, MOST);
  const items = kept.map((outcome) => {
    const { address, why } = outcome.operation;
    const reasons = reasonsOf(outcome, explain).map(prose).join("; ");
    return `- **${OUTCOMES[outcome.status][0]}** ${code(address)} (${prose(why)})${reasons === "" ? "" : `: ${reasons}`}`;
  });
  const said = [
    marker(plan, "apply"),
    `## Apply: ${code(plan.target.host)}`,
    "",
    `${good ? "✅" : "🔴"} **${headline(result.counts, result.outcomes.length)}** ${verified(verification, result.counts).map(prose).join(" ")}`.trimEnd(),
    "",
    ...items,
    ...(open.length === kept.length ? [] : [`- … and ${counted(open.length - kept.length, "more operation")}`]),
    ...(items.length === 0 ? [] : [""]),
    ...nextSteps(result.counts, verification).flatMap((line) => [prose(line), ""]),
    ...(journal === undefined || isWhole(result.counts) ? [] : [`Journal: ${code(journal)}`, ""]),
  ];
  const { lines, leftOut, withoutFields } = details(plan, {
    wording: PLAN,
    verbose: style.verbose,
    room: LONGEST_COMMENT - Math.min(WORDS, said.join("\n").length) - 500,
  });
  const cut = leftOut + withoutFields === 0 ? [] : [`> ${counted(leftOut + withoutFields, "change")} cut to fit.`, ""];
  return `${[...said, ...(lines.length === 0 ? [] : ["### What was planned", "", ...lines]), ...cut].join("\n")}\n`;
}
