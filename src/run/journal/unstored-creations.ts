/** The creations with a one-time token that earlier runs made and whose token no sink has stored. */

import { lastSettlements } from "./journal-status.ts";
import { type JournalStore, listJournals, readContents } from "./journal-store.ts";
import { UnreadableJournal } from "./read.ts";

/** The addresses of these creations; undefined where no journal tells, as on a machine that has the repository alone. */
export async function unstoredCreations(store: JournalStore): Promise<ReadonlySet<string> | undefined> {
  const files = (await listJournals(store)).filter(({ foreign }) => foreign === undefined);
  const addresses = new Set<string>();
  let isKnown = false;
  for (const file of files) {
    try {
      const contents = await readContents(store.disk, file);
      if (contents === undefined) continue;
      isKnown = true;
      const stored = new Set(
        lastSettlements(contents).flatMap(({ operation, prefix }) => (prefix === undefined ? [] : [operation])),
      );
      for (const entry of contents.entries) {
        if (entry.type !== "intent") continue;
        const { id, address, reveals } = entry.intent.operation;
        if (reveals !== undefined && !stored.has(id)) addresses.add(address);
      }
    } catch (error) {
      // A journal that cannot be read tells nothing, and the commands that need it say so.
      if (!(error instanceof UnreadableJournal)) throw error;
      return undefined;
    }
  }
  return isKnown ? addresses : undefined;
}
