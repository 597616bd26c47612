/** Times and durations of a seed. */

const unitMilliseconds: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** The milliseconds of a duration, such as `2h30m`. */
export function readDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (unitMilliseconds[unit] ?? 0), 0);
}

/** The time of a text: `-2h` before now, `+5m` after the start, or a time of its own. Undefined for a text that is none. */
export function readSeedTime(text: string, now: Date, start: Date): string | undefined {
  const milliseconds = timeOf(text, now, start);
  return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : undefined;
}

function timeOf(text: string, now: Date, start: Date): number {
  if (text.startsWith("-")) return now.getTime() - readDuration(text);
  if (text.startsWith("+")) return start.getTime() + readDuration(text);
  return Date.parse(text);
}
