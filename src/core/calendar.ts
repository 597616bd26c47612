/** Days of the calendar. */

/** Whether the text is a day of the calendar: `2026-12-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse may roll 30 February over to March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
