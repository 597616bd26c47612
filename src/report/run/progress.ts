/** What a command tells while it goes on: on a terminal a line that changes in place, elsewhere whole lines or nothing. */

import type { ApplyEvent, Outcome } from "../../apply/execute/outcome.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Operation } from "../../plan/plan.ts";
import type { Paint, Tone } from "../format/ansi.ts";
import { columns, upTo } from "../format/columns.ts";
import { counted } from "../format/value.ts";

/** Where progress goes. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Lines may be written over. */
  readonly terminal: boolean;
  readonly paint: Paint;
  /** Columns of the terminal, where they are known. */
  readonly width?: number | undefined;
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
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
export function progress(options: ProgressOptions): (event: ApplyEvent) => void {
  const { write, terminal, paint, width, now, total } = options;
  const digits = String(total).length;
  const begun = now();
  let ended = 0;
  return (event) => {
    const what = labelOf(event.operation);
    if (event.status === "started") {
      if (terminal)
        write(
          `${ERASE}${paint("quiet", fitting(`[${counter(ended + 1)}] ${pace(ended, total, now() - begun)}${what} …`, width))}`,
        );
      return;
    }
    ended += 1;
    const [word, tone] = OUTCOMES[event.status];
    write(`${terminal ? ERASE : ""}[${counter(ended)}] ${what}: ${paint(tone, word)}\n`);
  };

  function counter(number: number): string {
    return `${String(number).padStart(digits)}/${total}`;
  }
}

/** How reading goes on; it is told on a terminal only, and leaves nothing behind. */
export interface Reading {
  /** One more answer has come. */
  step(): void;
  /** Erases the line. */
  end(): void;
}

/** A line for the requests of one stage, whose number nobody knows before. */
export function reading(
  stage: string,
  { write, terminal, paint, width, now }: Omit<ProgressOptions, "total">,
): Reading {
  const begun = now();
  let answers = 0;
  let drawn = begun;
  return {
    step: () => {
      answers += 1;
      // A line that changes more often than that is a flicker, and short stages need none.
      if (!terminal || now() - drawn < REDRAW) return;
      drawn = now();
      const rate = (answers / ((drawn - begun) / 1000)).toFixed(1);
      write(`${ERASE}${paint("quiet", fitting(`${stage}: ${counted(answers, "answer")}, ${rate}/s …`, width))}`);
    },
    end: () => {
      if (drawn !== begun) write(ERASE);
    },
  };
}

/** Milliseconds between two drawings of a line. */
const REDRAW = 200;
/** Operations and milliseconds before which no pace is told: it would be a guess. */
const FEW = 3;
const SOON = 2_000;
/** Columns of the usual terminal, and a few that every one has. */
const WIDTH = 80;
const NARROWEST = 20;

function pace(ended: number, total: number, milliseconds: number): string {
  if (ended < FEW || milliseconds < SOON) return "";
  const left = ((total - ended) * milliseconds) / ended / 1000;
  return `${((ended * 1000) / milliseconds).toFixed(1)}/s, ${lasting(left)} left  `;
}

function lasting(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** The line as far as the terminal does not break it: a broken one could not be erased. The last column stays free. */
function fitting(line: string, width: number = WIDTH): string {
  const most = Math.max(NARROWEST, width) - 1;
  return columns(line) <= most ? line : `${upTo(line, most - 1)}…`;
}
