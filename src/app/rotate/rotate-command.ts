/** `rotate`: replaces the tokens of agents and service keys. The old ones are revoked once the new ones are stored. */

import { durationText, misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { listIn } from "../../core/json.ts";
import { programLine, type RunWords, sanitised, shellWord } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { sealPlan } from "../../plan/checks/seal.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { isUnfinished, remainingOperations } from "../../run/journal/journal-status.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import { planView } from "../../view/plan/plan-view.ts";
import type { Console } from "../console/console.ts";
import { approvalsFor, confirmPlan, isWhole, readApprovals, type SameCommand } from "../run/approvals.ts";
import { continueRun } from "../run/continue-run.ts";
import { executePlan } from "../run/execute.ts";
import { presentRun, showPlan } from "../run/present-run.ts";
import { recoverRuns } from "../run/recover-runs.ts";
import { snapshotBefore, workspaceIds } from "../run/snapshot-before.ts";
import { blockOtherWorkspace } from "../run/workspace-check.ts";
import { writeRun } from "../run/write-run.ts";
import { loadBesideErrors } from "../session/load-configuration.ts";
import type { RotateOptions } from "./rotate-definition.ts";
import { minuteOf, type RotationRequest, requestedResources, tokenAddress } from "./rotated-resources.ts";
import { continuationSource, makeRotation, rotationConfiguration } from "./rotation-source.ts";

/** Rotates tokens. Exit code 0 means that the service lists the new ones and no longer the old ones. */
export async function rotate(typed: RotateOptions, io: Io, console: Console): Promise<number> {
  const request = requestOf(typed, io.now());
  const options = { ...typed, paths: [] };
  return writeRun(
    options,
    readApprovals(options, io, console),
    io,
    console,
    async (run) => {
      const { session, runs, sink } = run;
      const words = tokenWords(options);
      const subject = ["rotate", ...request.addresses.map((address) => shellWord(address))];
      const same: SameCommand = {
        typed: options,
        lineWith: (approvals) => programLine([...subject, ...approvals, ...words].join(" "), session.words),
      };
      const unfinished = await runs.unfinished();
      const interrupted = interruptedRotation(request, await runs.latest());
      await recoverRuns(
        unfinished.filter((one) => one.run !== interrupted?.run),
        run,
      );
      if (interrupted !== undefined) {
        const sourceOf = () => continuationSource(interrupted.contents.begin.plan, run);
        const continued = await continueRun(interrupted, run, { sourceOf, isSaved: false, ...same });
        await presentRun(continued, options, io, console);
        return continued.exit;
      }
      const made = await makeRotation(request.addresses, (state) => requestedResources(request, state), run);
      const plan = await blockOtherWorkspace(made.plan, runs, made.state);
      const applyWords = [...words, ...session.words.flags];
      showPlan(
        planView(plan, { approvals: approvalsFor(plan, options), applyWords, words: session.words }),
        options,
        options.yes !== true && io.ask !== undefined,
        console,
      );
      await confirmPlan(plan, { ...same, sink, yes: options.yes === true, isWhole: isWhole(options) }, io);
      await runs.acquireLock();
      const configuration = rotationConfiguration(run);
      const sealed = sealPlan(plan, { state: made.state, usage: { incidents: new Map() } }, { saved: false });
      const before = snapshotBefore(plan, configuration, made.state, session.lock);
      const recorder = await runs.startJournal(sealed, before, workspaceIds(made.state));
      const executed = await executePlan(sealed, run, { recorder, configuration });
      await presentRun(executed, options, io, console);
      const { keptUntil } = request;
      if (keptUntil !== undefined) {
        for (const line of keptNotes(plan, keptUntil, session.words)) console.note(line);
      }
      return executed.exit;
    },
    loadBesideErrors,
  );
}

/** The words that choose tokens, and what becomes of them. */
function tokenWords({ token = [], revoke, overlap }: RotateOptions): readonly string[] {
  return [
    ...(revoke === true ? ["--revoke"] : []),
    ...token.flatMap((prefix) => ["--token", shellWord(prefix)]),
    ...(overlap === undefined ? [] : [`--overlap ${durationText(overlap)}`]),
  ];
}

function requestOf({ resources, token = [], revoke = false, overlap }: RotateOptions, now: Date): RotationRequest {
  if (revoke && overlap !== undefined)
    throw misuse("--revoke ends tokens now, and --overlap keeps them; give one of them");
  return {
    addresses: [...new Set(resources.map(tokenAddress))],
    tokens: token,
    onlyRevokes: revoke,
    ...(overlap === undefined ? {} : { keptUntil: new Date(now.getTime() + overlap) }),
  };
}

/** Says until when old tokens are kept, and which command revokes them then. */
function keptNotes({ changes }: Plan, until: Date, words: RunWords): readonly string[] {
  return changes.flatMap(({ address, kind, fields }) => {
    const [tokens, name] = fields;
    const after = listIn(tokens?.after);
    const prefixes = listIn(tokens?.before).flatMap((prefix) => (after.includes(prefix) ? [String(prefix)] : []));
    const kept = typeof name?.after === "string" ? `${kind}/${name.after}` : address;
    const flags = prefixes.flatMap((prefix) => ["--token", shellWord(prefix)]);
    const command = programLine(["rotate", shellWord(kept), "--revoke", ...flags, "--allow-delete"].join(" "), words);
    return prefixes.length === 0
      ? []
      : [
          sanitised(
            `${kept}: ${joinWords(prefixes)} is kept until ${minuteOf(until)}; nobody revokes it by itself. Then run: ${command}`,
          ),
        ];
  });
}

/** The last run, if it is the same rotation and is not finished: then it is finished, instead of another token issued. */
function interruptedRotation(
  { addresses, tokens, onlyRevokes }: RotationRequest,
  last: RecordedRun | undefined,
): RecordedRun | undefined {
  const { rotates } = last?.contents.begin.plan ?? {};
  if (last === undefined || rotates === undefined || tokens.length > 0 || onlyRevokes) return undefined;
  const isSame = rotates.length === addresses.length && rotates.every((address) => addresses.includes(address));
  const isOpen = isUnfinished(last.contents) || remainingOperations(last.contents).length > 0;
  return isSame && isOpen ? last : undefined;
}
