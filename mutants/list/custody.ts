/** Mutants of the applier and of what keeps one-time tokens. */

import type { Mutant } from "../mutant.ts";

/** Mutants of writing and of custody. */
export const custodyMutants: readonly Mutant[] = [
  {
    id: "revoke-without-census",
    rule: "custody.census",
    does: "ends a token that somebody uses",
    file: "src/apply/custody.ts",
    edits: [{ find: "before === undefined && (isUsed(row) || lost.some(isUsed))", replace: "row === undefined" }],
    redBy: ["test/apply/custody.test.ts"],
  },
  {
    id: "revoke-what-is-older",
    rule: "custody.census",
    does: "takes an entry that was there before for its own",
    file: "src/apply/custody.ts",
    edits: [{ find: "if (isOlder(row, at, ownClock === true ? SKEW : SECOND))", replace: "if (row === undefined)" }],
    redBy: ["test/apply/custody.test.ts"],
  },
  {
    id: "leave-lost-tokens",
    rule: "custody.census",
    does: "leaves a token alive that nobody has",
    file: "src/apply/custody.ts",
    edits: [
      {
        find: "  for (const other of tokensOf(now ?? row, custody)) {",
        replace: "  for (const other of tokensOf(now ?? row, custody).slice(0, 0)) {",
      },
    ],
    redBy: ["test/apply/lost-token.test.ts"],
  },
  {
    id: "drop-tie-break",
    rule: "apply.twins",
    does: "keeps both of two entries that two runs made at once",
    file: "src/apply/twins.ts",
    edits: [{ find: "    let [twin] = await others();", replace: "    let [twin] = (await others()).slice(0, 0);" }],
    redBy: ["test/apply/twins.test.ts"],
  },
  {
    id: "both-go",
    rule: "apply.twins",
    does: "takes both of two entries away that two runs made at once",
    file: "src/apply/twins.ts",
    edits: [{ find: "return String(value) < String(other);", replace: "return value !== other;" }],
    redBy: ["test/apply/twins.test.ts"],
  },
  {
    id: "skip-pre-read",
    rule: "apply.guard",
    does: "writes without looking first",
    file: "src/apply/perform.ts",
    edits: [{ find: "= await check(writer, operation, filled);", replace: "= { before: null };" }],
    redBy: ["test/apply/guarded.test.ts"],
  },
  {
    id: "changed-by-somebody",
    rule: "apply.guard",
    does: "writes over what somebody has changed since the plan",
    file: "src/apply/check.ts",
    edits: [{ find: "if (moved.length === 0) return", replace: "if (moved.length >= 0) return" }],
    redBy: ["test/apply/guarded.test.ts"],
  },
  {
    id: "made-by-somebody",
    rule: "apply.guard",
    does: "makes what somebody has made since the plan",
    file: "src/apply/check.ts",
    edits: [{ find: "if (rows.some((row) => isNamed(row, guard))) throw", replace: "if (rows.length < 0) throw" }],
    redBy: ["test/apply/creation.test.ts"],
  },
  {
    id: "adopt-any-candidate",
    rule: "apply.resolve",
    does: "takes any new entry of the right name for the one whose creation was not answered",
    file: "src/apply/resolve.ts",
    edits: [
      {
        find: "if (row !== undefined && alike.length === 1 && (guard.names === undefined || named.length === 1)) {",
        replace: "if (row !== undefined) {",
      },
    ],
    redBy: ["test/apply/creation.test.ts"],
  },
  {
    id: "send-before-record",
    rule: "journal.first",
    does: "sends before the write is on record",
    file: "src/apply/perform.ts",
    edits: [
      {
        find: "    await written(intent, surroundings);\n",
        replace: "    const recorded = written(intent, surroundings);\n    recorded.catch(() => {});\n",
      },
    ],
    redBy: ["test/apply/journal.test.ts"],
  },
  {
    id: "journal-not-synced",
    rule: "journal.synced",
    does: "goes on before the record is on the disk",
    file: "src/journal/recorder.ts",
    edits: [{ find: "      await this.#file.sync();\n", replace: "" }],
    redBy: ["test/journal/journal.test.ts"],
  },
  {
    id: "journal-name-not-synced",
    rule: "journal.synced",
    does: "goes on before the journal's name is on the disk",
    file: "src/journal/recorder.ts",
    edits: [{ find: "    await recording.disk.syncFolder(folder);\n", replace: "" }],
    redBy: ["test/journal/journal.test.ts"],
  },
  {
    id: "goes-on-without-journal",
    rule: "journal.synced",
    does: "goes on after the journal could not be written",
    file: "src/journal/recorder.ts",
    edits: [{ find: "if (this.#failure !== undefined) return this.#failure;", replace: "" }],
    redBy: ["test/journal/journal.test.ts"],
  },
  {
    id: "builds-on-what-failed",
    rule: "apply.guard",
    does: "goes on with what depends on a failed operation",
    file: "src/apply/apply.ts",
    edits: [{ find: "if (!isFinished(outcome)) unfinished.add(operation.id);", replace: "" }],
    redBy: ["test/apply/apply.test.ts"],
  },
  {
    id: "sink-for-everybody",
    rule: "custody.private",
    does: "makes the file of tokens with mode 0644",
    file: "src/apply/token-file.ts",
    edits: [{ find: "await file.chmod(0o600);", replace: "await file.chmod(0o644);" }],
    redBy: ["test/apply/token-file.test.ts"],
  },
  {
    id: "open-sink-accepted",
    rule: "custody.private",
    does: "adds tokens to a file that others may read",
    file: "src/apply/token-file.ts",
    edits: [{ find: "refuse((stats.mode & OTHERS) !== 0,", replace: "refuse((stats.mode & 0) !== 0," }],
    redBy: ["test/apply/token-file.test.ts"],
  },
  {
    id: "follow-symlink",
    rule: "custody.link",
    does: "keeps tokens behind a link",
    file: "src/apply/token-file.ts",
    edits: [
      { find: "return await lstat(path);", replace: "return await stat(path);" },
      { find: "constants.O_RDONLY | constants.O_NOFOLLOW", replace: "constants.O_RDONLY" },
    ],
    redBy: ["test/apply/token-file.test.ts"],
  },
  {
    id: "secret-in-place",
    rule: "custody.whole",
    does: "writes tokens into the file itself",
    file: "src/apply/token-file.ts",
    edits: [
      {
        find: "const fresh = join(folder, ",
        replace: "const fresh = path || join(folder, ",
      },
    ],
    redBy: ["test/apply/token-file.test.ts"],
  },
  {
    id: "rename-before-sync",
    rule: "custody.synced",
    does: "puts a file of tokens in place that may not be on the disk yet",
    file: "src/apply/token-file.ts",
    edits: [{ find: "    await file.sync();\n", replace: "" }],
    redBy: ["test/apply/token-file-durable.test.ts"],
  },
  {
    id: "skip-folder-sync",
    rule: "custody.synced",
    does: "does not bring the folder to the disk",
    file: "src/apply/token-file.ts",
    edits: [{ find: "  await syncFolder(folder);\n", replace: "" }],
    redBy: ["test/apply/token-file-durable.test.ts"],
  },
  {
    id: "secret-in-error",
    rule: "custody.silent",
    does: "shows a token that is not well formed",
    file: "src/api/credentials.ts",
    edits: [
      {
        find: " holds white space, a line break or a character outside ASCII`",
        replace: " holds white space, a line break or a character outside ASCII: ` + token",
      },
    ],
    redBy: ["test/api/credentials.test.ts"],
  },
  {
    id: "secret-from-below",
    rule: "custody.silent",
    does: "repeats what a lower layer says, which may hold a header",
    file: "src/api/transport-error.ts",
    edits: [
      {
        find: 'return new TransportError(asked, { message, applied: "unknown", timedOut: false });',
        replace:
          'return new TransportError(asked, { message: message + thrown, applied: "unknown", timedOut: false });',
      },
    ],
    redBy: ["test/api/transport.test.ts"],
  },
];
