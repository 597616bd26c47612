/** A rehearsal as Markdown, for a comment: the verdict first, then the checks and the alerts that change destination. */

import type { Repeated } from "../../core/findings.ts";
import { counted } from "../../core/value-text.ts";
import { code, foldedList, prose } from "../format/markdown.ts";
import { othersText, shorten } from "../format/shorten.ts";
import { marker } from "../plan/markdown.ts";
import {
  findingsOf,
  hasPassed,
  nameOf,
  outcomeText,
  placeOf,
  type Rehearsal,
  type RehearsalFinding,
  type SampleResult,
  SUBJECTS,
  verdict,
} from "./rehearsal.ts";

/** Items of one list that are shown. */
const MOST = 30;

/** The report, with the marker in the first line and a final line feed. */
export function rehearsalMarkdown(rehearsal: Rehearsal): string {
  const { plan, looks, findings, samples } = rehearsal;
  const moved = samples.filter(({ moves }) => moves);
  const lines = [
    marker(plan, "rehearsal"),
    `## Rehearsal: ${code(plan.target.host)}`,
    "",
    `${hasPassed(rehearsal) ? "✅" : "🔴"} **${verdict(rehearsal)}**`,
    "",
    ...looks.flatMap((look) => [
      `- ${look.held ? "✓" : "✗"} ${SUBJECTS[look.subject]}: ${prose(look.did)}`,
      ...shorten(
        findingsOf(look, findings).map(findingLine),
        MOST,
        (more) => `  - … and ${counted(more, "more finding")}`,
      ),
    ]),
    "",
    ...(moved.length === 0
      ? []
      : foldedList("Sample alerts that change destination", moved.length, moved.slice(0, MOST).map(movedLine))),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function movedLine(sample: SampleResult): string {
  return `- ${prose(nameOf(sample))}: ${code(outcomeText(sample.before))} → ${code(outcomeText(sample.after))}`;
}

function findingLine({ first: finding, names }: Repeated<RehearsalFinding>): string {
  const place = placeOf(finding);
  const { faults = [] } = finding;
  const after = faults.length === 0 ? "" : ` (after: ${faults.map(prose).join("; ")})`;
  const also = names.length === 0 ? "" : `; also: ${othersText(names.map(code))}`;
  return `  - ${place === "" ? "" : `${code(place)}: `}${prose(finding.message)}${after}${also}`;
}
