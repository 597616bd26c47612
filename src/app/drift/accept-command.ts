/** `drift accept`: records that a difference is accepted, until when and why. It only reads the service, and writes one file. */

import { isDay } from "../../core/clock.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { address as checked, milliseconds, misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { quoted } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import { acceptDifferences } from "../../plan/drift/accept.ts";
import { ACCEPTED_FILE } from "../../plan/drift/acceptance.ts";
import { prettyJson } from "../../view/format/json.ts";
import { acceptedText } from "../../view/plan/drift.ts";
import type { Console } from "../console/console.ts";
import { warnOfOtherRuns } from "../run/runs.ts";
import { dayOf, readAccepted, writeAccepted } from "../session/accepted-file.ts";
import { openReading } from "../session/session.ts";
import { type AcceptOptions, PLACEHOLDER } from "./accept-definition.ts";

/** Characters of a reason. */
const MAX_REASON = 500;
/** Characters of a name. */
const MAX_NAME = 100;

/** Environment variables that name the user, those of pipelines first. */
const AUTHORS: readonly string[] = ["GITHUB_ACTOR", "GITLAB_USER_LOGIN", "USER", "LOGNAME", "USERNAME"];

/** Accepts the differences at an address. Exits with 1 if there are none. */
export async function accept(options: AcceptOptions, io: Io, console: Console): Promise<number> {
  const { because } = options;
  const length = milliseconds(options.until);
  const until = length === undefined ? options.until : dayOf(new Date(io.now().getTime() + length));
  const address = checked(
    "ADDRESS",
    options.address,
    kinds.map(({ name }) => name),
  );
  if (!isDay(until)) throw misuse(`--until takes a date like 2026-12-31 or a duration like 30d, not ${quoted(until)}`);
  if (until < dayOf(io.now())) throw misuse(`--until ${until} has passed; give a later date`);
  if (because.trim() === "") throw misuse("--because takes a reason");
  if (because.trim() === PLACEHOLDER) throw misuse(`--because takes the reason in place of ${PLACEHOLDER}`);
  if (because.length > MAX_REASON) throw misuse(`--because takes at most ${MAX_REASON} characters`);
  if (options.by?.trim() === "") throw misuse("--by takes a name");
  if ((options.by ?? "").length > MAX_NAME) throw misuse(`--by takes at most ${MAX_NAME} characters`);
  const session = await openReading(options, io, console);
  try {
    await warnOfOtherRuns(session, io, console);
    const { home } = session.configuration.settings;
    const earlier = readAccepted(home);
    const { plan, drift } = await session.prepare({ identify: false });
    const result = acceptDifferences(drift(), earlier, {
      host: plan.target.host,
      address,
      until,
      because: because.trim(),
      by: options.by?.trim() ?? authorIn(io.env),
      words: session.words,
    });
    await writeAccepted(home, result.file);
    const { accepted, removed } = result;
    console.print(
      options.format === "json"
        ? prettyJson({ file: ACCEPTED_FILE, accepted, removed })
        : acceptedText(result, until, ACCEPTED_FILE),
    );
    return EXIT.success;
  } finally {
    session.close();
  }
}

function authorIn(env: Io["env"]): string | undefined {
  return AUTHORS.map((name) => env[name]?.trim().slice(0, MAX_NAME)).find((name) => name !== undefined && name !== "");
}
