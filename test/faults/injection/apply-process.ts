/**
 * The part of the program that writes. The plan and the paths come from a file named on the command
 * line. As one bundled file it starts much faster than the whole program, so that more kills fit into a test.
 */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { apply } from "../../../src/run/apply/apply.ts";
import { nodeDisk } from "../../../src/run/journal/node-disk.ts";
import type { BeginRecord } from "../../../src/run/journal/record.ts";
import { startJournal } from "../../../src/run/journal/recorder.ts";
import { fileSink } from "../../../src/run/tokens/file-sink.ts";
import { connect } from "../../../src/service/http/client.ts";

/** Content of the file. */
export interface Job {
  readonly url: string;
  readonly token: string;
  /** First record of the journal, with the plan. */
  readonly begin: BeginRecord;
  /** Path of the journal. */
  readonly journal: string;
  /** Path of the token file. */
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
const run = apply(begin.plan, writer, { keepGoing: false, journal, sink: fileSink(sink) });
let step = await run.next();
while (step.done !== true) step = await run.next();
const { counts } = step.value;
const isWhole = counts.failed + counts.unknown + counts.pending + counts.skipped === 0;
await journal.end(isWhole ? "finished" : "stopped");
process.exitCode = isWhole ? 0 : 4;
