/** The text of a request that brings what people changed by hand into the files. */

import { fenced } from "./failure.ts";
import type { PipelineRun } from "./reports.ts";

/** Characters of a log. */
const MOST_LOG = 30_000;

/** The text; `note` says what the forge does not do by itself. */
export function requestText(title: string, log: string, note: string, run: PipelineRun): string {
  return [
    `## ${title}`,
    "",
    "The files of this branch match the workspace. To keep what was changed by hand, merge this request. To undo it, close this request and apply the files.",
    "A change that was merged and not applied yet is also reversed here.",
    "",
    ...(note === "" ? [] : [note, ""]),
    fenced(log.trim().slice(-MOST_LOG)),
    "",
    `<sub>[Run ${run.id}](${run.page})</sub>`,
    "",
  ].join("\n");
}
