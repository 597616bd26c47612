/** What runs that nobody has finished have sent just now: their requests still count with the service. */

import { contentsOf, journals, type Shelf } from "./folder.ts";

/** What the journal tells by one intent: the check right before a write, and the write. */
const REQUESTS = 2;

/**
 * How many milliseconds ago each request was sent that the unfinished journals of the service tell of, as far as it is less
 * than `span`. Clocks may differ: what seems to come from the future was sent now.
 */
export async function sentLately(shelf: Shelf, now: Date, span: number): Promise<readonly number[]> {
  const open = (await journals(shelf)).filter((one) => one.open);
  const contents = await Promise.all(open.map((one) => contentsOf(shelf.disk, one)));
  return contents
    .flatMap((one) => one?.entries ?? [])
    .flatMap((entry) => (entry.type === "intent" ? [Math.max(0, now.getTime() - Date.parse(entry.intent.at))] : []))
    .filter((age) => age < span)
    .flatMap((age) => Array<number>(REQUESTS).fill(age));
}
