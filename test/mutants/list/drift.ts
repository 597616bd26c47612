/** Mutants of accepted drift. */

import type { Mutant } from "../mutant.ts";

/** Mutants that hide a difference. */
export const driftMutants: readonly Mutant[] = [
  {
    id: "accept-any-difference",
    rule: "drift.changed",
    does: "treats any difference at an accepted place as the accepted one",
    file: "src/plan/drift/drift.ts",
    edits: [{ find: "[difference.fingerprint, former].includes(one.fingerprint) && ", replace: "" }],
    redBy: ["test/app/drift/accept.test.ts"],
  },
  {
    id: "ignore-undeclared-changes",
    rule: "drift.changed",
    does: "does not notice a change of an undeclared resource",
    file: "src/plan/drift/drift.ts",
    edits: [
      {
        find: 'action: "remove", held: live?.declarable ?? null',
        replace: 'action: "remove", held: live === undefined',
      },
    ],
    redBy: ["test/app/drift/accept.test.ts"],
  },
  {
    id: "accept-forever",
    rule: "drift.until",
    does: "stays silent after the last day",
    file: "src/plan/drift/drift.ts",
    edits: [{ find: "today <= until", replace: 'until !== ""' }],
    redBy: ["test/app/drift/accept.test.ts"],
  },
  {
    id: "overwrite-accepted",
    rule: "drift.changed",
    does: "applies a declared change of an accepted field",
    file: "src/plan/drift/drift.ts",
    edits: [{ find: "one.declared !== difference.declared", replace: "one.declared === ''" }],
    redBy: ["test/app/drift/exempt-accepted.test.ts"],
  },
  {
    id: "accept-everywhere",
    rule: "drift.host",
    does: "treats a difference that was accepted at one service as accepted at another",
    file: "src/plan/drift/drift.ts",
    edits: [{ find: "accepted.filter(({ host }) => host === plan.target.host)", replace: "accepted" }],
    redBy: ["test/app/drift/accept.test.ts"],
  },
  {
    id: "accept-secrets",
    rule: "drift.secret",
    does: "remembers a secret as a hash, and stays silent when it changes",
    file: "src/plan/drift/accept.ts",
    edits: [
      {
        find: "if (secret === undefined) return differences;",
        replace: "if (differences.length > 0) return differences;",
      },
    ],
    redBy: ["test/app/drift/accept.test.ts"],
  },
];
