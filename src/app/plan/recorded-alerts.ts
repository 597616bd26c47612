/** Replays recorded alerts for `test --alerts` and `plan --alerts`. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { readRecordedAlerts } from "../../config/resources/recorded-alerts.ts";
import type { RecordedAlerts } from "../../plan/model/recorded-alerts.ts";
import { type Replay, replayAlerts } from "../../preview/recorded-alerts/replay.ts";
import { sidesOfFiles, sidesOfPlan } from "../../preview/recorded-alerts/sides.ts";
import type { MadePlan } from "../session/make-plan.ts";
import type { ReadingSession } from "../session/session.ts";

/** Replays the alerts through the live rules and those that the plan leaves. Sends GET only. */
export async function replayThroughPlan(
  file: string,
  made: MadePlan,
  { reader, parallelism, service }: Pick<ReadingSession, "reader" | "parallelism" | "service">,
  cwd: string,
): Promise<Replay> {
  const sides = await sidesOfPlan(made, reader, parallelism);
  return replayAlerts(readRecordedAlerts(file, cwd), sides, { file, before: { from: "workspace", name: service } });
}

/** Replays the alerts through the rules of a base and those of the files, without a service. */
export function replayThroughFiles(
  file: string,
  files: Configuration,
  base: { readonly name: string; readonly configuration: Configuration } | undefined,
  cwd: string,
): Promise<Replay> {
  const before = base === undefined ? {} : { before: { from: "base", name: base.name } as const };
  return replayAlerts(readRecordedAlerts(file, cwd), sidesOfFiles(files, base?.configuration), { file, ...before });
}

/** The part of a replay that a plan holds: numbers, and no alert. */
export function summaryOf({ changes, ...replay }: Replay): RecordedAlerts {
  return {
    ...replay,
    changes: changes.map(({ effect, before, after, alerts }) => ({ effect, before, after, alerts })),
  };
}
