/** The verdict of a comment or an issue on a command that failed, and the frame around the end of its log. */

import type { CommandResult, UnitReports } from "./reports.ts";

/** A verdict in one line, and the details below it. */
export interface Section {
  readonly verdict: string;
  readonly body: string;
}

const LOG_LINES = 30;
const LOG_CHARACTERS = 4_000;

const MEANINGS: Readonly<Record<number, string>> = {
  3: "an approval is missing, or a resource is protected; nothing was written",
  4: "partly applied, or the result is unknown",
  5: "nothing was written",
  6: "authentication or permission error",
  7: "a check failed",
};

/** The verdict on a command that failed, and the end of its log. */
export function failure(
  unit: Pick<UnitReports, "read">,
  { command, code }: CommandResult,
  { verdict, body }: Section = { verdict: "", body: "" },
): Section {
  const meaning = MEANINGS[Number(code)] ?? `exit code ${code}`;
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
export function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = "~".repeat(Math.max(8, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}
