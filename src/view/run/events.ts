/** A run as JSON lines: the plan, the start and end of each operation, and a summary in the last line. */

import type { Operation, Plan } from "../../plan/model/plan.ts";
import type { ApplyEvent, Outcome } from "../../run/journal/outcome.ts";
import { jsonText } from "../format/json.ts";
import type { Applied } from "./outcome-view.ts";
import { outcomeOf, summaryOf } from "./text.ts";

/** The events of one run, each as a line of JSON with its line feed. */
export interface EventLog {
  report(event: ApplyEvent): void;
  /** Adds the outcomes of operations without an event. */
  end(outcomes: readonly Outcome[]): void;
  readonly lines: readonly string[];
}

/** A log that begins with the plan; `write` is called with each line at once. */
export function eventLog(plan: Plan, explain: Applied["explain"], write: (line: string) => void): EventLog {
  const lines: string[] = [];
  const numbers = new Map(plan.operations.map(({ id }, at) => [id, at + 1]));
  const ended = new Set<string>();
  const add = (record: object): void => {
    const line = `${jsonText(record)}\n`;
    lines.push(line);
    write(line);
  };
  const about = ({ id, address, method, path, why }: Operation) => ({
    ...{ id, number: numbers.get(id), of: plan.operations.length },
    ...{ address, method, path, why },
  });
  const report = (event: ApplyEvent): void => {
    if (event.status === "started") {
      add({ event: "started", ...about(event.operation) });
      return;
    }
    ended.add(event.operation.id);
    const { status, ...rest } = outcomeOf(event, explain);
    add({ event: status, ...about(event.operation), ...rest });
  };
  const { format_version, tool, target, partial, summary } = plan;
  add({ event: "planned", format_version, tool, target, partial, summary });
  return {
    report,
    end: (outcomes) => outcomes.filter(({ operation }) => !ended.has(operation.id)).forEach(report),
    lines,
  };
}

/** The last line of a run: its summary. */
export function summaryLine(applied: Applied): string {
  return `${jsonText({ event: "summary", ...summaryOf(applied) })}\n`;
}
