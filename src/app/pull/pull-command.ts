/** `pull`: writes the live configuration to the files. It cannot write to the service. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { prettyJson } from "../../view/format/json.ts";
import { conflictLines, notComparedLines, pullDiff, pullJson, pullText } from "../../view/workspace/pull.ts";
import type { Console } from "../console/console.ts";
import { sessionWords } from "../session/command-line.ts";
import { openReading } from "../session/session.ts";
import { makeFolders } from "./files.ts";
import { preparePull } from "./pull.ts";
import type { PullOptions } from "./pull-definition.ts";

/**
 * Pulls. Exits with 7 if there are conflicts: live values that a file cannot take without losing something. `others` counts files that
 * the command has written before.
 */
export async function pull(options: PullOptions, io: Io, console: Console, others = 0): Promise<number> {
  if (options.dryRun !== true) await makeFolders(options.paths, io.cwd, sessionWords({ ...options, paths: [] }, {}));
  const session = await openReading(options, io, console, { mayBeEmpty: true });
  try {
    const prepared = await preparePull(options, session, io, console);
    if (options.dryRun !== true) await prepared.write();
    const report = { ...prepared.report, written: options.dryRun !== true && prepared.report.files.length > 0 };
    if (options.format === "json") console.print(prettyJson(pullJson(report)));
    else if (options.dryRun === true) console.print(pullDiff(report, console.outputStyle.paint));
    else console.print(pullText(report, others));
    if (options.dryRun === true && options.format !== "json") console.note(pullText(report).trimEnd());
    for (const line of conflictLines(report)) console.alert(line);
    if (report.unread.length > 0) {
      console.note(`not pulled, because this token cannot read them: ${report.unread.join(", ")}`);
    }
    for (const line of notComparedLines(report)) console.note(line);
    return report.conflicts.length === 0 ? EXIT.success : EXIT.findings;
  } finally {
    session.close();
  }
}
