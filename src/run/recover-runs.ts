/** What earlier runs have left open: found out by looking, written into their journals, and told. */

import { withPurpose } from "../api/http/connection.ts";
import { TokenNotKept } from "../apply/execute/failure.ts";
import type { Intent, Settlement } from "../apply/execute/journal.ts";
import { manualSteps } from "../apply/recover/manual-steps.ts";
import { recoverToken } from "../apply/recover/recover-token.ts";
import { type Resolution, resolveWrite } from "../apply/recover/resolve.ts";
import type { TokenSink } from "../apply/tokens/sink.ts";
import { systemClock } from "../core/clock.ts";
import { PARALLELISM } from "../core/defaults.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import type { Fields } from "../core/json.ts";
import { sanitised } from "../core/sanitise.ts";
import { lastSettlements, unresolvedIntents } from "../journal/journal-status.ts";
import type { Recorder } from "../journal/recorder.ts";
import { kinds } from "../kinds/index.ts";
import { hasOneList } from "../kinds/kind.ts";
import type { Console } from "../output/console.ts";
import { explainError } from "../output/error-report.ts";
import type { Operation } from "../plan/plan.ts";
import { type ObserveOptions, observe } from "../refresh/observe.ts";
import { counted } from "../report/format/value.ts";
import { labelOf } from "../report/run/progress.ts";
import type { WritingSession } from "../session/session.ts";
import type { RecordedRun, Runs } from "./runs.ts";
import { declaredValues } from "./secret-values.ts";

/**
 * What a person knows of a creation whose answer was lost: `resend` sends one again of which nothing is to be seen, also where
 * that may make a second entry; `keep` lets the one entry be that may be it, whoever has its token.
 */
export type Verdict = "resend" | "keep";

/** How to resolve. */
export interface RecoverOptions {
  /** Undefined where nobody has said anything. */
  readonly verdict: Verdict | undefined;
  /** Where a token goes that is issued instead of one that was lost; without one the entry goes. */
  readonly sink: TokenSink | undefined;
}

/** An operation of an earlier run, and what became of it. */
interface Found {
  readonly operation: Operation;
  readonly settlement: Settlement;
  /** Stands in the way of writing anything else. */
  readonly doubt?: true;
  /** What a person can do about it, a line each. */
  readonly ways?: readonly string[];
  /** What is in doubt is a token. */
  readonly token?: boolean;
}

/** What an earlier run has left and nobody knows the end of. */
export interface Doubt {
  readonly line: string;
  /** The entry is there: what is in doubt is its token, and the line says what a person can do. */
  readonly token: boolean;
  /** What a person can do about it, a line each. */
  readonly ways: readonly string[];
}

/**
 * Resolves what unfinished journals have left, the oldest first, and puts them away. Reads from the service; all that is
 * written ends a token that nobody has.
 * Ends the command with exit code 4 where it stays unknown whether something was made: a second one must not be.
 */
export async function recover(
  left: readonly RecordedRun[],
  runs: Runs,
  session: WritingSession,
  options: RecoverOptions,
  io: Io,
  console: Console,
): Promise<void> {
  for (const one of left) {
    if (await isElsewhere(one, session)) {
      console.note(`${runs.displayPath(one.path)} is about another workspace at the same address; it is left as it is`);
      continue;
    }
    await runs.acquireLock();
    const { recorder, doubts } = await resolveRun(one, runs, session, options, io, console);
    await recorder.end("stopped");
    if (doubts.length > 0) throw new Stop(EXIT.partial, inDoubt(runs.displayPath(one.path), doubts));
    await runs.archive(one.path);
  }
}

/** Resolves one run; its journal is open for what follows. */
export async function resolveRun(
  left: RecordedRun,
  runs: Runs,
  session: WritingSession,
  options: RecoverOptions,
  io: Io,
  console: Console,
): Promise<{ readonly recorder: Recorder; readonly doubts: readonly Doubt[] }> {
  const open = unresolvedIntents(left.contents);
  const how = open.length === 0 ? "nothing of it is in doubt" : `${counted(open.length, "operation")} in doubt`;
  console.note(`An earlier run was interrupted (${sanitised(runs.displayPath(left.path))}): ${how}.`);
  const recorder = await runs.resumeJournal(left);
  const created = createdBy(left);
  const kept = keptBy(left);
  const doubts: Doubt[] = [];
  for (const intent of open) {
    const found = await find(intent, { created, kept }, session, recorder, options, io, console);
    if (found.settlement.created !== undefined) created.set(intent.operation.address, found.settlement.created);
    await recorder.settle(found.settlement);
    const { status, message = WORDS[status] } = found.settlement;
    const line = `${labelOf(intent.operation)}: ${sanitised(message)}`;
    console.note(`  ${line}`);
    if (found.doubt === true) doubts.push({ line, token: found.token === true, ways: found.ways ?? [] });
  }
  return { recorder, doubts };
}

const WORDS: Readonly<Record<Settlement["status"], string>> = {
  done: "was carried out",
  fell_back: "was carried out",
  retained: "stays",
  failed: "was not carried out",
  unknown: "nobody knows whether it was carried out",
  pending: "waits for approval",
  skipped: "was not sent",
};

/** Answers to the creations of a run, by address. */
export function createdBy({ contents }: RecordedRun): Map<string, Fields> {
  const addresses = new Map(contents.begin.plan.operations.map(({ id, address }) => [id, address]));
  return new Map(
    lastSettlements(contents).flatMap(({ operation, created }): readonly (readonly [string, Fields])[] => {
      const address = addresses.get(operation);
      return created === undefined || address === undefined ? [] : [[address, created]];
    }),
  );
}

/** Prefixes of tokens that a run has given to the sink, by operation. */
function keptBy({ contents }: RecordedRun): Map<string, string> {
  return new Map(
    lastSettlements(contents).flatMap(({ operation, prefix }) => (prefix === undefined ? [] : [[operation, prefix]])),
  );
}

async function find(
  intent: Intent,
  { created, kept }: { readonly created: ReadonlyMap<string, Fields>; readonly kept: Map<string, string> },
  session: WritingSession,
  journal: Recorder,
  { verdict, sink }: RecoverOptions,
  io: Io,
  console: Console,
): Promise<Found> {
  const { operation } = intent;
  const leftOut = {
    created: (address: string) => created.get(address),
    secret: declaredValues(session.configuration),
    clock: io.clock ?? systemClock,
  };
  let resolution: Resolution;
  try {
    const patience = (milliseconds: number): void => {
      const seconds = counted(Math.ceil(milliseconds / 1_000), "second");
      console.note(`  ${labelOf(operation)}: the service tells no time; ${seconds} more, in which it may still arrive`);
    };
    resolution = await resolveWrite(intent, session.reader, {
      ...leftOut,
      resend: verdict === "resend",
      onWait: patience,
    });
    if (
      resolution.status === "applied" &&
      resolution.row !== undefined &&
      operation.reveals !== undefined &&
      verdict !== "keep"
    ) {
      const late = { ...leftOut, journal, kept, now: io.now, ...(sink === undefined ? {} : { sink }) };
      return { operation, settlement: await recoverToken(intent, resolution.row, session.writer, late) };
    }
  } catch (error) {
    const prefix = kept.get(operation.id);
    const { settlement, ...found } = doubtful(operation, explainError(error).join(" "));
    const told = prefix === undefined ? settlement : { ...settlement, prefix };
    return { ...found, settlement: told, token: error instanceof TokenNotKept };
  }
  switch (resolution.status) {
    case "applied": {
      const row = operation.method === "POST" ? resolution.row : undefined;
      return { operation, settlement: settled(operation, "done", undefined, row) };
    }
    case "not_applied":
      return { operation, settlement: settled(operation, "failed", "was not carried out") };
    case "conflict":
      return {
        operation,
        settlement: settled(operation, "failed", `somebody has changed it since: ${resolution.why}`),
      };
    case "unclear": {
      const { candidates, why } = resolution;
      const found = candidates.map((identity) => JSON.stringify(identity)).join(", ");
      const said = found === "" ? why : `${why}: ${found}`;
      // One entry of its name is what a plan can go on from; none may still come, and of several one is too many.
      // Where it told a token, that is lost: whoever goes on from there has to say so.
      return candidates.length === 1 && (operation.reveals === undefined || verdict === "keep")
        ? { operation, settlement: settled(operation, "failed", said) }
        : { ...doubtful(operation, said), ways: manualSteps(operation, candidates, session.reader.host) };
    }
  }
}

function doubtful(operation: Operation, why: string): Found {
  return { operation, settlement: settled(operation, "unknown", why), doubt: true };
}

function settled(operation: Operation, status: Settlement["status"], message?: string, created?: Fields): Settlement {
  return {
    operation: operation.id,
    status,
    ...(message === undefined ? {} : { message }),
    ...(created === undefined ? {} : { created }),
  };
}

/** What to say when it stays unknown how an earlier run ended. */
export function inDoubt(path: string, doubts: readonly Doubt[]): string {
  return [
    "not applied: an earlier run has left what nobody knows the end of",
    ...doubts.flatMap(({ line, ways }) => [line, ...ways.map((way) => `  ${sanitised(way)}`)]),
    `its journal: ${sanitised(path)}`,
    `Next: ${nextAfter(doubts)}`,
  ].join("\n");
}

function nextAfter(doubts: readonly Doubt[]): string {
  if (doubts.some(({ ways }) => ways.length > 0))
    return "what it says above, and then incidentctl resume as it says there";
  return doubts.every(({ token }) => token)
    ? "incidentctl apply  once the cause is removed: it tries again; or by hand, as it says above"
    : "incidentctl apply  two minutes after that run at the earliest; or, when you know that it was not carried out, --resolve resend";
}

/** Whether a journal is about another workspace than the one that answers now: not one id that it knows is there. */
async function isElsewhere({ contents }: RecordedRun, { reader }: WritingSession): Promise<boolean> {
  const { ids } = contents.begin.target;
  const known = kinds.filter((kind) => hasOneList(kind) && (ids[kind.name]?.length ?? 0) > 0);
  // One kind tells enough; the ones that incidents hold are in every workspace.
  const kind = known.find(({ references: { countedBy } = {} }) => countedBy !== undefined) ?? known[0];
  if (kind === undefined) return false;
  const how: ObserveOptions = { parallelism: PARALLELISM };
  const { lists: collections } = await observe(
    withPurpose(reader, "recovery"),
    kinds,
    [{ kind: kind.name, scope: "" }],
    how,
  );
  const live = collections.flatMap(({ rows }) => rows.map(({ id }) => id));
  return live.length > 0 && !live.some((id) => typeof id === "string" && ids[kind.name]?.includes(id) === true);
}
