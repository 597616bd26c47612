/** Mutants of one-time tokens: which ones are revoked, where they are kept, and where they must not appear. */

import type { Mutant } from "../mutant.ts";

/** Mutants of one-time tokens. */
export const tokenMutants: readonly Mutant[] = [
  {
    id: "revoke-used-token",
    rule: "tokens.lost",
    does: "revokes a token in use",
    file: "src/run/tokens/one-time-tokens.ts",
    edits: [{ find: "before === undefined && (isUsed(row) || tokens.some(isUsed))", replace: "row === undefined" }],
    redBy: ["test/run/tokens/one-time-tokens.test.ts"],
  },
  {
    id: "revoke-older-token",
    rule: "tokens.lost",
    does: "takes a resource that existed before for the one it created",
    file: "src/run/tokens/one-time-tokens.ts",
    edits: [{ find: "if (isOlder(row, at, ownClock === true ? SKEW : SECOND))", replace: "if (row === undefined)" }],
    redBy: ["test/run/tokens/one-time-tokens.test.ts"],
  },
  {
    id: "leave-lost-tokens",
    rule: "tokens.lost",
    does: "leaves a lost token alive",
    file: "src/run/tokens/one-time-tokens.ts",
    edits: [
      {
        find: "  for (const other of tokensOf(current ?? row, custody)) {",
        replace: "  for (const other of tokensOf(current ?? row, custody).slice(0, 0)) {",
      },
    ],
    redBy: ["test/run/tokens/lost-token.test.ts"],
  },
  {
    id: "readable-token-file",
    rule: "tokens.private",
    does: "creates the token file with mode 0644",
    file: "src/run/tokens/file-sink.ts",
    edits: [{ find: "await file.chmod(0o600);", replace: "await file.chmod(0o644);" }],
    redBy: ["test/run/tokens/file-sink.test.ts"],
  },
  {
    id: "accept-readable-token-file",
    rule: "tokens.private",
    does: "appends tokens to a file that others can read",
    file: "src/run/tokens/file-sink.ts",
    edits: [{ find: "refuse((mode & OTHERS) !== 0,", replace: "refuse((mode & 0) !== 0," }],
    redBy: ["test/run/tokens/file-sink.test.ts"],
  },
  {
    id: "follow-symlink",
    rule: "tokens.link",
    does: "writes tokens through a symbolic link",
    file: "src/run/tokens/file-sink.ts",
    edits: [
      { find: "return await lstat(path);", replace: "return await stat(path);" },
      { find: "constants.O_RDONLY | constants.O_NOFOLLOW", replace: "constants.O_RDONLY" },
    ],
    redBy: ["test/run/tokens/file-sink.test.ts"],
  },
  {
    id: "write-token-file-in-place",
    rule: "tokens.whole",
    does: "writes tokens into the file itself",
    file: "src/run/tokens/file-sink.ts",
    edits: [
      {
        find: "const newFile = join(folder, ",
        replace: "const newFile = path || join(folder, ",
      },
    ],
    redBy: ["test/run/tokens/file-sink.test.ts"],
  },
  {
    id: "rename-before-sync",
    rule: "tokens.synced",
    does: "puts a token file in place that may not be on the disk yet",
    file: "src/run/tokens/file-sink.ts",
    edits: [{ find: "    await syncFile(file);\n", replace: "" }],
    redBy: ["test/run/tokens/file-sink-durable.test.ts"],
  },
  {
    id: "skip-folder-sync",
    rule: "tokens.synced",
    does: "does not sync the folder",
    file: "src/run/tokens/file-sink.ts",
    edits: [{ find: "  await syncFolder(folder);\n", replace: "" }],
    redBy: ["test/run/tokens/file-sink-durable.test.ts"],
  },
  {
    id: "token-in-error",
    rule: "tokens.silent",
    does: "prints a malformed token",
    file: "src/service/http/credentials.ts",
    edits: [
      {
        find: '"contains white space, a line break or a character outside ASCII"',
        replace: '"contains white space, a line break or a character outside ASCII: " + token',
      },
    ],
    redBy: ["test/service/http/credentials.test.ts"],
  },
  {
    id: "repeat-low-level-error",
    rule: "tokens.silent",
    does: "repeats an error of a lower layer, which may contain a header",
    file: "src/service/http/transport-error.ts",
    edits: [
      {
        find: "return new TransportError(request, { message, applied, timedOut: false });",
        replace: "return new TransportError(request, { message: message + thrown, applied, timedOut: false });",
      },
    ],
    redBy: ["test/service/http/transport.test.ts"],
  },
];
