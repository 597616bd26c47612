/**
 * The part of the program that writes, and nothing else: the plan and where things lie come from a file named on the command
 * line. As one file it starts in a fraction of the time that the whole program takes, and so can be killed so much more often.
 */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { connect } from "../../../src/api/http/client.ts";
import { apply } from "../../../src/apply/execute/apply.ts";
import { tokenFile } from "../../../src/apply/tokens/file-sink.ts";
import { nodeDisk } from "../../../src/journal/node-disk.ts";
import type { BeginRecord } from "../../../src/journal/record.ts";
import { startJournal } from "../../../src/journal/recorder.ts";

/** What the file says. */
export interface Job {
  readonly url: string;
  readonly token: string;
  /** What the journal begins with, the plan in it. */
  readonly begin: BeginRecord;
  /** Path of the journal to be written. */
  readonly journal: string;
  /** Path of the file that tokens go to. */
  readonly sink: string;
}

const { url, token, begin, journal: path, sink }: Job = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));

const writer = connect({
  baseUrl: url,
  token,
  fetch: (input, init) => fetch(input, init),
  requestsPerMinute: 900,
  timeoutSeconds: 30,
});
const journal = await startJournal(path, dirname(path), begin, {
  disk: nodeDisk,
  now: () => new Date(),
  conceal: (text) => text,
});
const run = apply(begin.plan, writer, { keepGoing: false, journal, sink: tokenFile(sink) });
let step = await run.next();
while (step.done !== true) step = await run.next();
const { counts } = step.value;
const isWhole = counts.failed + counts.unknown + counts.pending + counts.skipped === 0;
await journal.end(isWhole ? "finished" : "stopped");
process.exitCode = isWhole ? 0 : 4;
