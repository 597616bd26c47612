/** `ci notify`: writes the comment about the reviews or applies of other jobs, which have no token for the forge. */

import { isAbsolute, join, resolve } from "node:path";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { quoted } from "../../core/sanitise.ts";
import type { UnitReports } from "../../view/pipeline/reports.ts";
import type { Console } from "../console/console.ts";
import { refusePlanted } from "./checkout.ts";
import type { CiNotifyOptions } from "./ci-definition.ts";
import { keepComment } from "./comment.ts";
import { connectForge } from "./forge/connect.ts";
import { CHANGED_SINCE_APPROVAL, type Forge } from "./forge/forge.ts";
import { readVariables } from "./job.ts";
import { readReports } from "./reports.ts";
import { unitNames } from "./units.ts";

/** Comments. A comment that cannot be written is a warning. */
export async function notify(options: CiNotifyOptions, io: Io, console: Console): Promise<number> {
  const { command } = options;
  if (command !== "review" && command !== "apply") {
    throw misuse(`ci notify tells of review or apply, not of ${quoted(command)}`);
  }
  readVariables(io);
  console.conceal([io.env.GITHUB_TOKEN, io.env.GITLAB_TOKEN]);
  const named = options.reports || io.env.INCIDENTCTL_REPORTS;
  const folder = resolve(io.cwd, named || defaultFolder(io.env));
  refusePlanted(folder, io);
  const forge = connectForge(io, console);
  const units = readReports(folder, unitNames(io.env), { isOptional: !named });
  await keepComment(command, units, forge, io, console);
  const changed = command === "review" ? await changedUnits(forge, units) : [];
  if (changed.length === 0) return EXIT.success;
  await keepComment(command, units, forge, io, console, changed);
  forge.annotate(
    "error",
    `${CHANGED_SINCE_APPROVAL}. Approve it again, and start the failed jobs again: ${changed.join(", ")}`,
  );
  return EXIT.stale;
}

/** The units whose plan somebody has approved, and another one was made since. `ci apply` asks again. */
async function changedUnits({ plans, annotate }: Forge, units: readonly UnitReports[]): Promise<readonly string[]> {
  if (plans === undefined) return [];
  try {
    const problems = await Promise.all(units.map(async ({ name }) => ({ name, problem: await plans.problem(name) })));
    return problems.filter(({ problem }) => problem !== undefined).map(({ name }) => name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    annotate("warning", `whether the plan is the approved one is not known: ${reason}`);
    return [];
  }
}

/** Where the workflows download reports to. */
function defaultFolder({ RUNNER_TEMP: temporary }: Io["env"]): string {
  return temporary !== undefined && isAbsolute(temporary) ? join(temporary, "reports") : "reports";
}
