/** `drift accept`: records that a difference is accepted, until when and why. It only reads the service, and writes one file. */

import { isDay } from "../analyze/waiver.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { address as checked, misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted, sanitised } from "../core/sanitise.ts";
import { suggest } from "../core/suggest.ts";
import { ACCEPTED_FILE, dayOf, readAccepted, writeAccepted } from "../drift/accepted-file.ts";
import { type Acceptance, type DriftDifference, judgeDrift } from "../drift/drift.ts";
import { kinds } from "../kinds/index.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { AnswerFormat } from "../output/formats.ts";
import { counted, place } from "../report/format/value.ts";
import { pretty } from "../report/plan/json.ts";
import { openReading, type SessionOptions } from "../session/session.ts";
import { tellOthers } from "../session/warn-running-apply.ts";
import { findLiveIn } from "./drift.ts";

/** The flags of `drift accept`. */
export interface AcceptOptions extends SessionOptions {
  /** The resource that differs; resources below it are included. */
  readonly address: string;
  /** Last day on which the acceptance counts, in UTC. */
  readonly until: string;
  readonly because: string;
  readonly format?: AnswerFormat;
}

/** Characters of a reason. */
const MAX_REASON = 500;

/** Accepts the differences at an address. Exits with 1 if there are none. */
export async function accept(
  options: AcceptOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  const { until, because } = options;
  const address = checked(
    "ADDRESS",
    options.address,
    kinds.map(({ name }) => name),
  );
  if (!isDay(until)) throw misuse(`--until takes a date like 2026-12-31, not ${quoted(until)}`);
  if (until < dayOf(io.now())) throw misuse(`--until ${until} has passed; give a later date`);
  if (because.trim() === "") throw misuse("--because takes a reason");
  if (because.length > MAX_REASON) throw misuse(`--because takes at most ${MAX_REASON} characters`);
  const session = await openReading(options, io, console);
  try {
    await tellOthers(session, io, console);
    const { home } = session.configuration.settings;
    const before = readAccepted(home);
    const { plan, state } = await session.prepare({ identify: false });
    const { host } = plan.target;
    const judged = judgeDrift(plan, findLiveIn(state), before, dayOf(io.now()));
    const accepted = differencesAt([...judged.new, ...judged.known, ...judged.expired], address);
    const fresh = accepted.map(({ address, path, fingerprint }): Acceptance => {
      return { host, address, path, fingerprint, until, because: because.trim() };
    });
    // Resolved ones are removed too, so that the file holds only what counts.
    const removed = judged.resolved;
    const kept = before.filter((one) => !removed.includes(one) && !(one.host === host && isIn(fresh, one)));
    await writeAccepted(home, [...kept, ...fresh]);
    console.answer(
      options.format === "json"
        ? pretty({ file: ACCEPTED_FILE, accepted: fresh, removed })
        : textOf({ until, accepted: fresh, removed }),
    );
    return EXIT.success;
  } finally {
    session.close();
  }
}

/** The differences at the address and below it. */
function differencesAt(all: readonly DriftDifference[], address: string): readonly DriftDifference[] {
  const found = all.filter((one) => one.address === address || one.address.startsWith(`${address}/`));
  const [first] = found;
  if (first === undefined) {
    const near = suggest(address, [...new Set(all.map((one) => one.address))]);
    const help = near === undefined ? "run incidentctl drift to see what does" : `did you mean ${quoted(near)}?`;
    throw new Stop(EXIT.error, `nothing differs at ${quoted(address)}; ${help}`);
  }
  const secret = found.find((one) => one.secret === true);
  if (secret === undefined) return found;
  const where = `${sanitised(secret.address)} ${place(secret.path)}`;
  throw new Stop(
    EXIT.error,
    `cannot accept ${where}: it is secret, so nothing of it may be stored, and its next change would go unnoticed`,
  );
}

function isIn(all: readonly Acceptance[], one: Acceptance): boolean {
  return all.some((other) => isSame(other, one));
}

function isSame(left: Pick<Acceptance, "address" | "path">, right: Pick<Acceptance, "address" | "path">): boolean {
  return left.address === right.address && left.path === right.path;
}

function textOf({
  until,
  accepted,
  removed,
}: {
  readonly until: string;
  readonly accepted: readonly Acceptance[];
  readonly removed: readonly Acceptance[];
}): string {
  const line = ({ address, path }: Acceptance): string =>
    `  ${sanitised(address)}${path === "" ? "" : `  ${place(path)}`}`;
  const lines = [
    `${counted(accepted.length, "difference")} accepted until ${until}, in ${ACCEPTED_FILE}:`,
    ...accepted.map(line),
    ...(removed.length === 0
      ? []
      : ["", "Removed from it, because there is no difference any more:", ...removed.map(line)]),
  ];
  return `${lines.join("\n")}\n`;
}
