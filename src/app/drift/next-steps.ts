/** The commands that a report of drift ends with: to change the workspace, to change the files, or to accept a difference. */

import type { Settings } from "../../config/settings/settings.ts";
import { programLine, shellWord } from "../../core/sanitise.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { NextStep } from "../../view/plan/plan-view.ts";
import { approvalFlags, isEmpty } from "../../view/plan/verdict.ts";
import { dayOf } from "../session/accepted-file.ts";
import { filterWords, planWords, sessionWords } from "../session/command-line.ts";
import { PLACEHOLDER } from "./accept-definition.ts";
import type { DriftOptions } from "./drift-definition.ts";

/** Days for which the suggested command accepts a difference. */
const ACCEPTED_DAYS = 30;
const DAY = 86_400_000;

/** The commands for the same service, files and filter. Empty if there is no drift. */
export function nextSteps(
  plan: Plan,
  drift: Drift,
  options: DriftOptions,
  settings: Pick<Settings, "environment">,
  now: Date,
): readonly NextStep[] {
  if (drift.fingerprint === null || isEmpty(plan)) return [];
  const differences = [...drift.new, ...drift.expired];
  const words = sessionWords(options, settings);
  const line = (...parts: readonly string[]): string => programLine(parts.join(" "), words);
  const planning = planWords(options);
  const isRefused = plan.blocked.some(({ flag }) => flag === undefined);
  // A secret difference cannot be accepted, nor can a resource that has one.
  const secret = new Set(differences.filter((one) => one.secret === true).map(({ address }) => address));
  const open = differences.find(({ address }) => !secret.has(address));
  const until = dayOf(new Date(now.getTime() + ACCEPTED_DAYS * DAY));
  return [
    isRefused
      ? { purpose: "to see why apply is refused", command: line("plan", ...planning) }
      : {
          purpose: "to make the workspace match the files",
          command: line("apply", ...approvalFlags(plan.blocked), ...planning),
        },
    { purpose: "to make the files match the workspace", command: line("pull", ...filterWords(options)) },
    ...(open === undefined
      ? []
      : [
          {
            purpose: "to accept a difference until a day",
            command: line("drift accept", shellWord(open.address), "--until", until, "--because", `"${PLACEHOLDER}"`),
          },
        ]),
  ];
}
