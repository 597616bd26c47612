/** `drift accept`: remembers that a difference is accepted, until when and why. Reads the service, and writes one file. */

import { isDay } from "../analyze/waiver.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { address as checked, misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted, sanitised } from "../core/sanitise.ts";
import { suggest } from "../core/suggest.ts";
import { ACCEPTED_FILE, dayOf, readAccepted, writeAccepted } from "../drift/accepted-file.ts";
import { type Acceptance, type Difference, judge } from "../drift/drift.ts";
import { kinds } from "../kinds/index.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { AnswerFormat } from "../output/formats.ts";
import { counted, place } from "../report/format/value.ts";
import { pretty } from "../report/plan/json.ts";
import { openReading, type SessionOptions } from "../session/session.ts";
import { tellOthers } from "../session/warn-running-apply.ts";
import { liveIn } from "./drift.ts";

/** The flags of `drift accept`. */
export interface AcceptOptions extends SessionOptions {
  /** The entry that differs, as reports name it; what lies in it is meant too. */
  readonly address: string;
  /** The last day on which it counts, in UTC. */
  readonly until: string;
  readonly because: string;
  readonly format?: AnswerFormat;
}

/** A longer reason is not read by anybody. */
const LONGEST_REASON = 500;

/** Accepts what differs at an address; exit code 1 when nothing does. */
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
  if (!isDay(until)) throw misuse(`--until takes a day like 2026-12-31, not ${quoted(until)}`);
  if (until < dayOf(io.now())) throw misuse(`--until ${until} has passed already; name a day to come`);
  if (because.trim() === "") throw misuse("--because takes the reason in words");
  if (because.length > LONGEST_REASON) throw misuse(`--because takes at most ${LONGEST_REASON} characters`);
  const session = await openReading(options, io, console);
  try {
    await tellOthers(session, io, console);
    const { home } = session.configuration.settings;
    const before = readAccepted(home);
    const { plan, live } = await session.prepare({ identify: false });
    const { host } = plan.target;
    const memory = judge(plan, liveIn(live), before, dayOf(io.now()));
    const meant = chosen([...memory.new, ...memory.known, ...memory.expired], address);
    const fresh = meant.map(({ address, path, fingerprint }): Acceptance => {
      return { host, address, path, fingerprint, until, because: because.trim() };
    });
    // What is no longer there is taken out as well, so that the file holds what counts and nothing else.
    const removed = memory.resolved;
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
function chosen(all: readonly Difference[], address: string): readonly Difference[] {
  const meant = all.filter((one) => one.address === address || one.address.startsWith(`${address}/`));
  const [first] = meant;
  if (first === undefined) {
    const near = suggest(address, [...new Set(all.map((one) => one.address))]);
    const help = near === undefined ? "drift tells what does" : `did you mean ${quoted(near)}?`;
    throw new Stop(EXIT.error, `nothing differs at ${quoted(address)}; ${help}`);
  }
  const secret = meant.find((one) => one.secret === true);
  if (secret === undefined) return meant;
  const where = `${sanitised(secret.address)} ${place(secret.path)}`;
  throw new Stop(
    EXIT.error,
    `${where} is secret: nothing may be remembered of it, so nobody would notice when it changes again; it cannot be accepted`,
  );
}

function isIn(some: readonly Acceptance[], one: Acceptance): boolean {
  return some.some((other) => isSame(other, one));
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
    ...(removed.length === 0 ? [] : ["", "Taken out of it, since it is no longer there:", ...removed.map(line)]),
  ];
  return `${lines.join("\n")}\n`;
}
