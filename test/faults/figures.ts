/** What a sweep came to, in one line that can be written down. */

import type { Tally } from "./sweep.ts";

/** Prints the figures of a sweep that began at this moment of `performance.now()`. */
export function tell(what: string, { runs, absorbed, recovered, failures }: Tally, began: number): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const parts = [
    `${runs} ${what}`,
    `${absorbed} ended well at once`,
    `${recovered} were finished by the next run`,
    `${failures.length} violations`,
    `${seconds} s`,
  ];
  process.stdout.write(`FIGURES ${parts.join(", ")}\n`);
}
