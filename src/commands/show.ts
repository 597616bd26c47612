/** `show`: renders a saved plan. */

import { hashOf } from "../plan/seal.ts";
import { type Console, type LookOptions, openConsole } from "./console.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";
import { planTexts } from "./plan-texts.ts";
import { type PresentOptions, present } from "./present.ts";
import { readPlan } from "./sealed.ts";

/** The flags of `show`. */
export interface ShowOptions extends LookOptions, PresentOptions {
  /** The saved plan. */
  readonly file: string;
}

/** Shows the plan that lies in the file; it is not compared with anything. */
export async function show(options: ShowOptions, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  const { plan } = await readPlan(options.file, io.cwd, EXIT.error);
  if (hashOf(plan) !== plan.seal.hash) {
    console.alert("the text of this plan is not what its seal was made for; apply compares it with a fresh plan");
  }
  await present(planTexts(plan, io), options, io, console);
  return EXIT.success;
}
