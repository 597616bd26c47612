/** The progress of a command: on a terminal a line that is updated in place, elsewhere a line for each finished operation. */

import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Operation } from "../../plan/model/plan.ts";
import type { ApplyEvent, Doubt, Outcome } from "../../run/journal/outcome.ts";
import { ATTEMPTS } from "../../service/http/retry.ts";
import type { Paint, Tone } from "../format/ansi.ts";
import { columns, takeColumns } from "../format/columns.ts";

/** The output of progress. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** The output is a terminal, so lines can be overwritten. */
  readonly terminal: boolean;
  readonly paint: Paint;
  /** Columns of the terminal, if known. */
  readonly width?: number | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Operations in the plan. */
  readonly total: number;
}

/** The escape sequence that erases the line and returns to its beginning. */
export const ERASE = "\u001b[2K\r";

/** The words and tones of the outcomes. */
export const OUTCOMES: Readonly<Record<Outcome["status"], readonly [word: string, tone: Tone]>> = {
  done: ["done", "added"],
  fell_back: ["disabled instead", "changed"],
  retained: ["preserved, in use", "changed"],
  failed: ["failed", "alarm"],
  unknown: ["unknown", "alarm"],
  pending: ["waiting for approval", "changed"],
  skipped: ["skipped", "removed"],
};

/** The operation as text: its resource and purpose. */
export function labelOf({ address, why }: Operation): string {
  return sanitised(`${address} (${why})`);
}

/** A write whose outcome is in doubt, in a sanitised line: why, and what happens next. */
export function doubtText(
  { operation, error, nextAttempt }: Doubt,
  explain: (error: Error, address: string) => readonly string[],
): string {
  if (nextAttempt !== undefined)
    return `${labelOf(operation)}: it did not take effect; sending it again (attempt ${nextAttempt} of ${ATTEMPTS.write})`;
  const time = operation.method === "POST" ? " for up to half a minute" : "";
  return `${labelOf(operation)}: ${explain(error, operation.address).join(" ")}; reading the workspace${time} to learn whether it took effect`;
}

/** A listener for the events of one apply. Operations that are not begun have no line: the outcome counts them. */
export function progress(options: ProgressOptions): (event: ApplyEvent) => void {
  const { write, terminal, paint, width, now, total } = options;
  const digits = String(total).length;
  const begun = now();
  let ended = 0;
  return (event) => {
    const label = labelOf(event.operation);
    if (event.status === "started") {
      if (terminal)
        write(
          `${ERASE}${paint("quiet", cutToWidth(`[${counter(ended + 1)}] ${paceText(ended, total, now() - begun)}${label} …`, width))}`,
        );
      return;
    }
    ended += 1;
    if (event.status === "skipped") return;
    const [word, tone] = OUTCOMES[event.status];
    const text = "earlier" in event ? paint("quiet", `${word} before the interruption`) : paint(tone, word);
    write(`${terminal ? ERASE : ""}[${counter(ended)}] ${label}: ${text}\n`);
  };

  function counter(number: number): string {
    return `${String(number).padStart(digits)}/${total}`;
  }
}

/** The progress of reading, shown only on a terminal and erased at the end. */
export interface ReadingProgress {
  /** Counts one more response. */
  step(): void;
  /** Erases the line. */
  end(): void;
}

/** The progress of one stage, whose number of requests is unknown before its end. */
export function readingProgress(
  stage: string,
  { write, terminal, paint, width, now }: Omit<ProgressOptions, "total">,
): ReadingProgress {
  const begun = now();
  let responses = 0;
  let drawn = begun;
  let hasEnded = false;
  return {
    step: () => {
      responses += 1;
      // Avoids flicker, and any line for a short stage.
      if (!terminal || hasEnded || now() - drawn < REDRAW) return;
      drawn = now();
      const rate = (responses / ((drawn - begun) / 1000)).toFixed(1);
      write(`${ERASE}${paint("quiet", cutToWidth(`${stage}: ${counted(responses, "response")}, ${rate}/s …`, width))}`);
    },
    end: () => {
      // Requests in flight may still get responses after an error.
      hasEnded = true;
      if (drawn !== begun) write(ERASE);
    },
  };
}

/** Milliseconds between two updates of a line. */
const REDRAW = 200;
/** Operations and milliseconds before which no rate is shown, because it would be a guess. */
const FEW = 3;
const SOON = 2_000;
/** Columns if the terminal does not report them, and the fewest to use. */
const WIDTH = 80;
const MIN_WIDTH = 20;

function paceText(ended: number, total: number, milliseconds: number): string {
  if (ended < FEW || milliseconds < SOON) return "";
  const secondsLeft = ((total - ended) * milliseconds) / ended / 1000;
  return `${((ended * 1000) / milliseconds).toFixed(1)}/s, ${durationText(secondsLeft)} left  `;
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** The line, cut so that the terminal does not wrap it, since a wrapped line cannot be erased. The last column stays free. */
function cutToWidth(line: string, width: number = WIDTH): string {
  const most = Math.max(MIN_WIDTH, width) - 1;
  return columns(line) <= most ? line : `${takeColumns(line, most - 1)}…`;
}
