/** Mutants of what is accepted of a drift. */

import type { Mutant } from "../mutant.ts";

/** Mutants that let a difference go unnoticed. */
export const driftMutants: readonly Mutant[] = [
  {
    id: "accept-whatever-differs",
    rule: "drift.changed",
    does: "takes any difference at an accepted place for the accepted one",
    file: "src/drift/drift.ts",
    edits: [{ find: "one.fingerprint === difference.fingerprint && ", replace: "" }],
    redBy: ["test/drift/accept.test.ts"],
  },
  {
    id: "accept-what-is-not-shown",
    rule: "drift.changed",
    does: "does not notice when an entry that nobody declares changes",
    file: "src/drift/drift.ts",
    edits: [{ find: "const held = live(change) ?? null", replace: "const held = live(change) === undefined" }],
    redBy: ["test/drift/accept.test.ts"],
  },
  {
    id: "accept-for-ever",
    rule: "drift.until",
    does: "keeps quiet after the last day",
    file: "src/drift/drift.ts",
    edits: [{ find: "today <= one.until", replace: 'one.until !== ""' }],
    redBy: ["test/drift/accept.test.ts"],
  },
  {
    id: "accept-everywhere",
    rule: "drift.host",
    does: "takes what was accepted at one service for accepted at another",
    file: "src/drift/drift.ts",
    edits: [{ find: "accepted.filter(({ host }) => host === plan.target.host)", replace: "accepted" }],
    redBy: ["test/drift/accept.test.ts"],
  },
  {
    id: "accept-secrets",
    rule: "drift.secret",
    does: "remembers a secret as a hash, and keeps quiet when it changes",
    file: "src/commands/accept.ts",
    edits: [{ find: "if (secret === undefined) return meant;", replace: "if (meant.length > 0) return meant;" }],
    redBy: ["test/drift/accept.test.ts"],
  },
];
