/**
 * The part of the built program that writes, and nothing else: the plan and where things lie come from a file named on the
 * command line. It starts in a third of the time that the whole program takes, and so can be killed three times as often.
 */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { connect } from "../../dist/api/client.js";
import { apply } from "../../dist/apply/apply.js";
import { tokenFile } from "../../dist/apply/token-file.js";
import { nodeDisk } from "../../dist/journal/node-disk.js";
import { record } from "../../dist/journal/recorder.js";

const { url, token, begin, journal: path, sink } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));

const writer = connect({
  baseUrl: url,
  token,
  fetch: (input, init) => fetch(input, init),
  requestsPerMinute: 900,
  timeoutSeconds: 30,
});
const journal = await record(path, dirname(path), begin, {
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
