/** `show`: renders a saved plan. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { planHash } from "../../plan/checks/seal.ts";
import { planView } from "../../view/plan/plan-view.ts";
import type { Console } from "../console/console.ts";
import { planTexts } from "../console/plan-formats.ts";
import { present } from "../console/present.ts";
import { readPlan } from "../saved-plan/saved-plan.ts";
import { applyWords } from "../session/command-line.ts";
import type { ShowOptions } from "./show-definition.ts";

/** Prints the plan as saved, without comparing it with the files or the workspace. */
export async function show(options: ShowOptions, io: Io, console: Console): Promise<number> {
  const { plan } = await readPlan(options.planfile, io, EXIT.error);
  if (planHash(plan) !== plan.seal.hash) {
    console.alert("the text of this plan is not what its seal was made for; apply compares it with a fresh plan");
  }
  await present(
    planTexts(planView(plan, { applyWords: applyWords({ paths: [] }, plan.target, options.planfile) }), () => plan, io),
    options,
    io,
    console,
  );
  return EXIT.success;
}
