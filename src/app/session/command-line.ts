/** Command lines that work as printed: that of a saved plan, and the words that reach the same service and files. */

import type { Settings } from "../../config/settings/settings.ts";
import { NO_WORDS, programLine, quoted, type RunWords, shellWord } from "../../core/sanitise.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import type { BaseOptions, PlanningOptions, SessionOptions } from "../command/shared-flags.ts";

/**
 * The words after the approval flags of an `incidentctl apply` that carries out the same plan: the saved one, or one of the same parts.
 * They name an environment from INCIDENTCTL_ENVIRONMENT as well, since that may have another value later.
 */
export function applyWords(
  options: SessionOptions & NarrowingOptions,
  settings: Pick<Settings, "environment">,
  savedPlan: string | undefined,
): readonly string[] {
  const same = savedPlan === undefined ? planWords(options) : ["--plan", shellWord(savedPlan)];
  const { flags, files } = sessionWords(options, settings);
  return [...same, ...flags, ...files];
}

/** Flags that narrow a plan to some resources. */
type FilterOptions = Partial<Pick<PlanningOptions, "kinds" | "target" | "exclude">>;

/** Flags that decide what is in a plan. */
type NarrowingOptions = FilterOptions &
  Partial<Pick<PlanningOptions, "resendUnreadable" | "withoutAdmin"> & BaseOptions>;

/** The words that narrow a plan to the same resources. */
export function filterWords({ kinds = "", target = [], exclude = [] }: FilterOptions): readonly string[] {
  return [
    ...(kinds === "" ? [] : ["--kinds", shellWord(kinds)]),
    ...target.flatMap((address) => ["--target", shellWord(address)]),
    ...exclude.flatMap((address) => ["--exclude", shellWord(address)]),
  ];
}

/** The words that decide what is in a plan. */
export function planWords(options: NarrowingOptions): readonly string[] {
  const { withoutAdmin, resendUnreadable, base, onlyChanged } = options;
  return [
    ...filterWords(options),
    ...(withoutAdmin === true ? ["--without-admin"] : []),
    ...(onlyChanged === true ? ["--only-changed", ...(base === undefined ? [] : ["--base", shellWord(base)])] : []),
    ...(resendUnreadable === true ? ["--resend-unreadable"] : []),
  ];
}

/** The words of a command line for the same service, files, environment and variables. */
export function sessionWords(
  { paths, env: flag, var: variables = {}, url, emulator }: SessionOptions,
  { environment: env = flag }: Pick<Settings, "environment">,
): RunWords {
  const service =
    emulator === undefined
      ? url === undefined
        ? []
        : ["--url", url]
      : [emulator === "" ? "--emulator" : `--emulator=${emulator}`];
  const named = Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  const flags = [...service, ...(env === undefined ? [] : ["--env", env]), ...named];
  return { flags: flags.map(shellWord), files: paths.map(shellWord) };
}

/** The command that makes a saved plan anew. */
export function newPlanLine({ undoes, partial = [] }: Plan, out: string, words: RunWords): string {
  const subject = undoes === undefined ? "plan" : `undo --run ${shellWord(undoes)}`;
  const narrowed = partial.map((part) => {
    const [flag = "", ...value] = part.startsWith("-") ? part.split(" ") : ["", part];
    return [flag, ...(value.length === 0 ? [] : [shellWord(value.join(" "))])].join(" ").trim();
  });
  // A plan that is narrowed to a path names it.
  const files = partial.some((part) => !part.startsWith("-")) ? [] : words.files;
  return programLine([subject, "--out", shellWord(out), ...narrowed].join(" "), { ...words, files });
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
    : `to apply it: ${programLine(["apply", ...approvals, ...applyWords(options, settings, out)].join(" "), NO_WORDS)}`;
  return `saved as ${quoted(out)}; ${next}`;
}
