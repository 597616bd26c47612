/** Mutants of the journal: when a record is on the disk. */

import type { Mutant } from "../mutant.ts";

/** Mutants of the journal. */
export const journalMutants: readonly Mutant[] = [
  {
    id: "send-before-record",
    rule: "journal.first",
    does: "sends a write before it is on record",
    file: "src/run/apply/perform.ts",
    edits: [
      {
        find: "    await recordIntent(intent, context);\n",
        replace: "    const recorded = recordIntent(intent, context);\n    recorded.catch(() => {});\n",
      },
    ],
    redBy: ["test/run/journal/intent.test.ts"],
  },
  {
    id: "journal-not-synced",
    rule: "journal.synced",
    does: "goes on before the record is on the disk",
    file: "src/run/journal/recorder.ts",
    edits: [{ find: "      await this.#file.sync();\n", replace: "" }],
    redBy: ["test/run/journal/journal.test.ts"],
  },
  {
    id: "journal-name-not-synced",
    rule: "journal.synced",
    does: "goes on before the name of the journal is on the disk",
    file: "src/run/journal/recorder.ts",
    edits: [{ find: "    await recording.disk.syncFolder(folder);\n", replace: "" }],
    redBy: ["test/run/journal/journal.test.ts"],
  },
  {
    id: "go-on-without-journal",
    rule: "journal.synced",
    does: "goes on after the journal could not be written",
    file: "src/run/journal/recorder.ts",
    edits: [{ find: "if (this.#failure !== undefined) return this.#failure;", replace: "" }],
    redBy: ["test/run/journal/journal.test.ts"],
  },
];
