/** Writes the comment on a change, or brings it up to date. A comment that cannot be written is a warning. */

import type { Io } from "../../core/io.ts";
import { sanitised } from "../../core/sanitise.ts";
import {
  type CommentedCommand,
  commentMark,
  commentText,
  isOutdated,
  isQuiet,
  isUntouched,
} from "../../view/pipeline/comment.ts";
import type { UnitReports } from "../../view/pipeline/reports.ts";
import type { Console } from "../console/console.ts";
import type { Forge } from "./forge/forge.ts";

/** Comments on the change of this run, unless there is nothing to say; notes what it did. */
export async function keepComment(
  command: CommentedCommand,
  units: readonly UnitReports[],
  forge: Forge,
  { env }: Pick<Io, "env">,
  console: Console,
  /** Units whose approved plan is another one. */
  changed: readonly string[] = [],
): Promise<void> {
  try {
    console.note(sanitised(await comment(command, units, forge, env, changed)));
  } catch (error) {
    forge.annotate("warning", `no comment: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function comment(
  command: CommentedCommand,
  units: readonly UnitReports[],
  forge: Forge,
  env: Io["env"],
  changed: readonly string[],
): Promise<string> {
  const comments = await forge.comments();
  if (typeof comments === "string") return `no comment: ${comments}`;
  const mark = commentMark(command, forge.run);
  // GitHub keeps the line ends of whoever edits a comment.
  const earlier = (await comments.own()).find(({ body }) => body.split(/\r?\n/, 1)[0] === mark);
  if (earlier !== undefined && command === "apply" && isOutdated(units)) {
    return "the comment of the earlier attempt stays";
  }
  const isLeftOut = isUntouched(command, units) || (env.INCIDENTCTL_COMMENT === "changes" && isQuiet(command, units));
  if (earlier === undefined && isLeftOut) return "no comment: there are no changes";
  const text = commentText(command, units, forge.run, changed);
  await (earlier === undefined ? comments.add(text) : comments.rewrite(earlier, text));
  return earlier === undefined ? "commented" : "comment updated";
}
