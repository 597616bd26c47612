/** Command lines that work as printed: that of a saved plan, and the words that reach the same service and files. */

import type { Settings } from "../../config/settings/settings.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import type { SessionOptions } from "../command/shared-flags.ts";

/**
 * `incidentctl apply --plan FILE` for the same service, files, environment and variables, with these approval flags. It names an
 * environment from INCIDENTCTL_ENVIRONMENT as well, since that may have another value later.
 */
function applyCommand(
  options: SessionOptions,
  out: string,
  settings: Pick<Settings, "environment">,
  approvals: readonly string[],
): string {
  return ["incidentctl apply", ...approvals, "--plan", shellWord(out), ...sessionWords(options, settings)].join(" ");
}

/** The words of a command line for the same service, files, environment and variables. */
export function sessionWords(
  { paths, env: flag, var: variables = {}, url, emulator }: SessionOptions,
  { environment: env = flag }: Pick<Settings, "environment">,
): readonly string[] {
  const service =
    emulator === undefined
      ? url === undefined
        ? []
        : ["--url", url]
      : [emulator === "" ? "--emulator" : `--emulator=${emulator}`];
  const named = Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  return [...service, ...(env === undefined ? [] : ["--env", env]), ...named, ...paths].map(shellWord);
}

/** The note that a plan is saved, with the command that applies it if there is something to apply. */
export function savedNote(
  plan: Plan,
  options: SessionOptions,
  out: string,
  settings: Pick<Settings, "environment">,
  approvals: readonly string[],
): string {
  const next = isEmpty(plan)
    ? "there is nothing to apply"
    : `to apply it: ${applyCommand(options, out, settings, approvals)}`;
  return `saved as ${quoted(out)}; ${next}`;
}

/** A word of a command line, quoted if it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${sanitised(word).replaceAll("'", "'\\''")}'`;
}
