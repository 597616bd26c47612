/** Annotations of plans, drift and runs. They are apart from those of findings, so that `validate` loads no view of plans. */

import { sanitised } from "../../core/sanitise.ts";
import { fieldPath } from "../../core/value-text.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import { warningView } from "../plan/plan-view.ts";
import { DRIFT, PLAN, type Wording } from "../plan/wording.ts";
import type { Annotation } from "./annotations.ts";
import type { Applied } from "./outcome-view.ts";
import { OUTCOMES } from "./progress.ts";

/** The annotations of a plan: the reasons why apply refuses it, destructive changes, and warnings. */
export function planAnnotations(plan: Plan): readonly Annotation[] {
  return [
    ...plan.blocked.map(({ message, flag }) => ({
      ...{ level: "warning" as const, title: "blocked" },
      message: sanitised(flag === undefined ? message : `${message}; requires ${flag}`),
    })),
    ...plan.changes.filter(({ risk }) => risk === "destructive").map((change) => changeAnnotation(change, PLAN)),
    ...plan.warnings.map(warningView).map(({ code, message, subject, source }) => ({
      ...{ level: "warning" as const, title: code },
      message: sanitised(subject === "" ? message : `${subject}: ${message}`),
      at: source,
    })),
  ];
}

/** The annotations of drift: one for each difference, where it is declared. */
export function driftAnnotations(plan: Plan): readonly Annotation[] {
  return plan.changes.map((change) => changeAnnotation(change, DRIFT));
}

/** The annotations of a run: its failed and unknown operations. */
export function outcomeAnnotations({ plan, result, explain }: Applied): readonly Annotation[] {
  const sources = new Map(plan.changes.map(({ address, source }) => [address, source]));
  return result.outcomes.flatMap((outcome) => {
    if (outcome.status !== "failed" && outcome.status !== "unknown") return [];
    const { address } = outcome.operation;
    const source = sources.get(address);
    return [
      {
        level: "error" as const,
        title: OUTCOMES[outcome.status][0],
        message: [sanitised(address), ...explain(outcome.error, address)].join("\n"),
        at: source,
      },
    ];
  });
}

function changeAnnotation(change: Change, wording: Wording): Annotation {
  const { note, symbol } = wording.actions[change.action];
  const verb = note ?? (symbol === "+" ? "create" : "differs");
  const fields = change.action === "update" ? change.fields.map(({ path }) => fieldPath(path)).join(", ") : "";
  const parts = [sanitised(change.address), verb, fields, wording.isPlan ? sanitised(change.reason) : ""];
  return {
    level: "warning",
    title: wording.title.toLowerCase(),
    message: parts.filter((part) => part !== "").join(": "),
    at: change.source,
  };
}
