/** What an apply tells while it goes on: on a terminal a line that changes in place, elsewhere one line for each outcome. */

import type { ApplyEvent, Outcome } from "../apply/outcome.ts";
import type { Operation } from "../plan/plan.ts";
import type { Paint, Tone } from "./paint.ts";
import { sanitised } from "./sanitise.ts";

/** Where progress goes. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Lines may be written over. */
  readonly terminal: boolean;
  readonly paint: Paint;
  /** Operations in the plan. */
  readonly total: number;
}

/** Erases the line and returns to its beginning. */
const ERASE = "\u001b[2K\r";

/** The words and tones of the outcomes. */
export const OUTCOMES: Readonly<Record<Outcome["status"], readonly [word: string, tone: Tone]>> = {
  done: ["done", "added"],
  fell_back: ["disabled instead", "changed"],
  retained: ["kept, in use", "changed"],
  failed: ["failed", "alarm"],
  unknown: ["unknown", "alarm"],
  pending: ["waits for approval", "changed"],
  skipped: ["not done", "removed"],
};

/** An operation for people: the entry, and what is done to it. */
export function labelOf({ address, why }: Operation): string {
  return sanitised(`${address} (${why})`);
}

/** A listener for the events of one apply. */
export function progress({ write, terminal, paint, total }: ProgressOptions): (event: ApplyEvent) => void {
  const width = String(total).length;
  let ended = 0;
  return (event) => {
    const what = labelOf(event.operation);
    if (event.status === "started") {
      if (terminal) write(`${ERASE}${paint("quiet", `[${counter(ended + 1)}] ${what} …`)}`);
      return;
    }
    ended += 1;
    const [word, tone] = OUTCOMES[event.status];
    write(`${terminal ? ERASE : ""}[${counter(ended)}] ${what}: ${paint(tone, word)}\n`);
  };

  function counter(number: number): string {
    return `${String(number).padStart(width)}/${total}`;
  }
}
