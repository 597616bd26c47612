/** Mutants of the planner that `npm run mutation` cannot make: a tool removes and inverts code, and adds none. */

import type { Mutant } from "../mutant.ts";

/** Mutants of comparing and matching. */
export const plannerMutants: readonly Mutant[] = [
  {
    id: "compare-undeclared",
    rule: "planner.declared",
    does: "clears fields that the configuration does not declare",
    file: "src/plan/diff/compare.ts",
    edits: [
      {
        find: "const name of Object.keys(fields)) {",
        replace: "const name of new Set([...Object.keys(live.row), ...Object.keys(fields)])) {",
      },
    ],
    redBy: ["test/plan/diff/compare.test.ts"],
  },
  {
    id: "lists-as-sets",
    rule: "planner.lists",
    does: "sees no difference in the order of a list",
    file: "src/plan/diff/compare.ts",
    edits: [
      {
        find: "return (kind.fields?.[field]?.equals ?? equal)(live, declared);",
        replace:
          "const sorted = (value: Json) => (isList(value) ? value.map(String).sort() : value);\n  return (kind.fields?.[field]?.equals ?? equal)(sorted(live), sorted(declared));",
      },
    ],
    redBy: ["test/plan/diff/compare.test.ts"],
  },
  {
    id: "former-name-first",
    rule: "planner.renamed",
    does: "matches by the former name although the new one exists",
    file: "src/workspace/match/match.ts",
    edits: [
      {
        find: "for (const resource of unmatched) {",
        replace: "for (const resource of unpinned) {",
      },
    ],
    redBy: ["test/workspace/match/match.test.ts"],
  },
];
