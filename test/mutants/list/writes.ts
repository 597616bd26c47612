/** Mutants of the applier: what is checked before a write, and what happens after one. */

import type { Mutant } from "../mutant.ts";

/** Mutants of writes. */
export const writeMutants: readonly Mutant[] = [
  {
    id: "apply-edited-plan",
    rule: "write.saved-plan",
    does: "applies a saved plan without comparing it with the plan made again",
    file: "src/app/saved-plan/saved-plan.ts",
    edits: [
      { find: "if (!isSamePlan(saved, fresh, safe)) throw stale", replace: "if (fresh === undefined) throw stale" },
    ],
    redBy: ["test/commands/apply.test.ts"],
  },
  {
    id: "skip-check",
    rule: "write.precondition",
    does: "writes without checking first",
    file: "src/run/apply/perform.ts",
    edits: [
      {
        find: "= await checkPrecondition(writer, operation, filled, { list, clock });",
        replace: "= { before: null };",
      },
    ],
    redBy: ["test/run/apply/preconditions.test.ts"],
  },
  {
    id: "overwrite-changes",
    rule: "write.precondition",
    does: "overwrites changes made since the plan",
    file: "src/run/apply/check.ts",
    edits: [{ find: "if (changed.length === 0) return", replace: "if (changed.length >= 0) return" }],
    redBy: ["test/run/apply/preconditions.test.ts"],
  },
  {
    id: "create-again",
    rule: "write.precondition",
    does: "creates a resource that was created since the plan",
    file: "src/run/apply/check.ts",
    edits: [{ find: "if (rows.some((row) => hasName(row, guard))) throw", replace: "if (rows.length < 0) throw" }],
    redBy: ["test/run/apply/creation.test.ts"],
  },
  {
    id: "build-on-failure",
    rule: "write.dependency",
    does: "goes on with operations that depend on a failed one",
    file: "src/run/apply/apply.ts",
    edits: [{ find: "if (!isFinished(outcome)) unfinished.add(operation.id);", replace: "" }],
    redBy: ["test/run/apply/apply.test.ts"],
  },
  {
    id: "ignore-fallback",
    rule: "write.fallback",
    does: "fails where the service refuses a deletion",
    file: "src/run/apply/perform.ts",
    edits: [
      {
        find: "if (fallback !== undefined) return sendFallback(",
        replace: "if (fallback === null) return sendFallback(",
      },
    ],
    redBy: ["test/run/apply/apply.test.ts"],
  },
  {
    id: "adopt-any-candidate",
    rule: "write.resolve",
    does: "takes any new row with the right name for the resource whose creation got no response",
    file: "src/run/recover/resolve.ts",
    edits: [
      {
        find: "if (row !== undefined && matching.length === 1 && (guard.names === undefined || sameName.length === 1)) {",
        replace: "if (row !== undefined) {",
      },
    ],
    redBy: ["test/run/apply/creation.test.ts"],
  },
  {
    id: "drop-tie-break",
    rule: "write.duplicate",
    does: "keeps both resources that two runs created at once",
    file: "src/run/recover/duplicate-create.ts",
    edits: [
      { find: "    let duplicates = await others();", replace: "    let duplicates = (await others()).slice(0, 0);" },
    ],
    redBy: ["test/run/recover/duplicate-create.test.ts"],
  },
  {
    id: "append-twice",
    rule: "write.duplicate",
    does: "appends to a list to which somebody else has appended since",
    file: "src/run/apply/check.ts",
    edits: [{ find: "if (list !== undefined && !isSameList(rows, list.rows))", replace: "if (rows.length < 0)" }],
    redBy: ["test/run/recover/duplicate-create.test.ts"],
  },
  {
    id: "keep-both-appends",
    rule: "write.duplicate",
    does: "keeps both rules that two runs appended at once",
    file: "src/run/recover/duplicate-create.ts",
    edits: [{ find: "if (isAppend && !duplicates.some(isFirst)) return own;", replace: "if (isAppend) return own;" }],
    redBy: ["test/run/recover/duplicate-create.test.ts"],
  },
  {
    id: "remove-both-duplicates",
    rule: "write.duplicate",
    does: "removes both resources that two runs created at once",
    file: "src/run/recover/duplicate-create.ts",
    edits: [{ find: "return String(value) < String(other);", replace: "return value !== other;" }],
    redBy: ["test/run/recover/duplicate-create.test.ts"],
  },
  {
    id: "continue-after-refusal",
    rule: "batch.stops",
    does: "continues a batch after one of its operations was refused",
    file: "src/run/apply/apply.ts",
    edits: [{ find: "stoppedAt ??= outcome.operation.id;", replace: "stoppedAt ??= undefined;" }],
    redBy: ["test/run/apply/batch.test.ts"],
  },
  {
    id: "abandon-requests",
    rule: "batch.stops",
    does: "does not wait for requests in progress when the program fails",
    file: "src/run/apply/apply.ts",
    edits: [{ find: "    await Promise.allSettled(promises);\n", replace: "" }],
    redBy: ["test/run/apply/batch.test.ts"],
  },
];
