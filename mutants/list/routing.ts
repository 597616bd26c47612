/** Mutants of routing transitions and of options: planning, sections 4 and 5. */

import type { Mutant } from "../mutant.ts";

/** Mutants of changes during which alerts arrive, and of lists that incidents point into. */
export const routingMutants: readonly Mutant[] = [
  {
    id: "holding-of-nothing",
    rule: "routing.holding",
    does: "does not look for an outcome to hold alerts on",
    file: "src/plan/scopes.ts",
    edits: [{ find: "return isFields(outcome) ? outcome : fallback;", replace: "return fallback;" }],
    redBy: ["test/plan/scopes.test.ts"],
  },
  {
    id: "window-without-consent",
    rule: "routing.consent",
    does: "opens a window in which alerts are misrouted without asking",
    file: "src/plan/guards.ts",
    edits: [
      { find: "if (window === 0 || consent.acceptRoutingWindow) return [];", replace: "if (window >= 0) return [];" },
    ],
    redBy: ["test/plan/guards.test.ts"],
  },
  {
    id: "options-in-one-list",
    rule: "options.apart",
    does: "drops an option and adds another in one list",
    file: "src/plan/choices.ts",
    edits: [
      {
        find: "if (doomed.length > 0 && fresh.length > 0) {",
        replace: "if (doomed.length > 100 && fresh.length > 0) {",
      },
    ],
    redBy: ["test/plan/choices.test.ts"],
  },
  {
    id: "options-removed-first",
    rule: "options.apart",
    does: "takes options away before their successors are there",
    file: "src/plan/choices.ts",
    edits: [
      { find: 'else step("add", [...wanted, ...doomed], fresh);', replace: 'else step("remove", kept, doomed);' },
    ],
    redBy: ["test/plan/choices.test.ts"],
  },
  {
    id: "rename-with-the-rest",
    rule: "options.rename",
    does: "renames an option in the same list that adds others",
    file: "src/plan/choices.ts",
    edits: [
      {
        find: "for (const [from, to] of renames(live, declared)) {",
        replace: "for (const [from, to] of renames([], declared)) {",
      },
    ],
    redBy: ["test/plan/choices.test.ts"],
  },
  {
    id: "rename-what-is-still-wanted",
    rule: "options.rename",
    does: "renames an option whose former label is declared for another",
    file: "src/plan/choices.ts",
    edits: [{ find: "&& !wanted.has(from) ? ", replace: "? " }],
    redBy: ["test/plan/choices.test.ts"],
  },
  {
    id: "too-many-options",
    rule: "options.limit",
    does: "sends more than a hundred options at once",
    file: "src/plan/choices.ts",
    edits: [{ find: "> MOST && kept.length > 0", replace: "> 2 * MOST && kept.length > 0" }],
    redBy: ["test/plan/choices.test.ts"],
  },
  {
    id: "options-reordered-freely",
    rule: "options.order",
    does: "takes another order for no difference",
    file: "src/plan/choices.ts",
    edits: [
      {
        find: "list.every((item, index) => item === now[index])) return;",
        replace: "list.every((item) => now.includes(item))) return;",
      },
    ],
    redBy: ["test/plan/choices.test.ts"],
  },
  {
    id: "held-option-goes",
    rule: "options.retained",
    does: "takes an option away that incidents hold",
    file: "src/plan/retained.ts",
    edits: [
      { find: "const incidents = state.chosen(live, field, choice) ?? 0;", replace: "const incidents: number = 0;" },
    ],
    redBy: ["test/plan/retained.test.ts"],
  },
  {
    id: "mentioned-option-goes",
    rule: "options.retained",
    does: "takes an option away that a condition mentions",
    file: "src/plan/retained.ts",
    edits: [
      {
        find: "const mentions = mentioning(configuration, state, live, choice);",
        replace: "const mentions = mentioning(configuration, state, live, choice).slice(0, 0);",
      },
    ],
    redBy: ["test/plan/retained.test.ts"],
  },
];
