/** Mutants of routing transitions and of options: planning, sections 4 and 5. */

import type { Mutant } from "../mutant.ts";

/** Mutants of changes during which alerts arrive, and of lists that incidents point into. */
export const routingMutants: readonly Mutant[] = [
  {
    id: "rules-go-from-the-top",
    rule: "routing.bottom-up",
    does: "deletes old rules from the top down",
    file: "src/plan/ranked/transition.ts",
    edits: [
      { find: "[...going.reverse(), ...last]", replace: "[...going, ...last]" },
      {
        find: "steps.length <= otherwise.length && keepsPromise(live, declared, steps)",
        replace: "true",
      },
    ],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "rules-go-before-others-come",
    rule: "routing.append-first",
    does: "deletes old rules before the new ones are there",
    file: "src/plan/ranked/transition.ts",
    edits: [
      {
        find: "  for (let index = kept.length; index < declared.length; index += 1) {",
        replace:
          '  for (let row = live.length - 1; row >= 0; row -= 1) if (!stays.has(row)) steps.push({ does: "delete", row });\n  for (let index = kept.length; index < declared.length; index += 1) {',
      },
      {
        find: '  for (let row = live.length - 1; row >= 0; row -= 1) if (!stays.has(row)) steps.push({ does: "delete", row });\n  return steps;',
        replace: "  return steps;",
      },
      {
        find: "laid(live, declared, replacement(live, declared))",
        replace: "replacement(live, declared)",
      },
    ],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "rules-pushed-from-the-top",
    rule: "routing.push",
    does: "pushes rules down from the top, over those that still stand below",
    file: "src/plan/ranked/transition.ts",
    edits: [
      {
        find: "room.filter(({ row }) => row < live.length).reverse()",
        replace: "room.filter(({ row }) => row < live.length)",
      },
      {
        find: "steps.length <= otherwise.length && keepsPromise(live, declared, steps)",
        replace: "true",
      },
    ],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "lists-not-judged",
    rule: "routing.judged",
    does: "does not judge the lists on the way",
    file: "src/plan/ranked/transition-safety.ts",
    edits: [{ find: "if (!judge.isFair(now, firstDifference(before, now))) return false;", replace: "" }],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "no-shorter-way",
    rule: "routing.fewest",
    does: "does not look for a shorter way",
    file: "src/plan/ranked/transition.ts",
    edits: [{ find: "searched(live, declared, known.length) ?? known", replace: "known" }],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "everything-replaced",
    rule: "routing.fewest",
    does: "replaces the whole list whatever changes",
    file: "src/plan/ranked/transition.ts",
    edits: [
      {
        find: "laid(live, declared, replacement(live, declared))",
        replace: "replacement(live, declared)",
      },
      { find: "searched(live, declared, known.length) ?? known", replace: "known" },
    ],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "holding-rule-left-out",
    rule: "routing.holding",
    does: "writes the first rules of a source without a rule that holds alerts meanwhile",
    file: "src/plan/ranked/transition.ts",
    edits: [{ find: "steps: [hold, ...appends.slice(1), release], window", replace: "steps: appends, window" }],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "window-not-told",
    rule: "routing.consent",
    does: "does not tell that the first rules of a source open a window",
    file: "src/plan/ranked/transition.ts",
    edits: [
      {
        find: "if (!holding) return { steps: appends, window: declared.length - 1 };",
        replace: "if (!holding) return { steps: appends, window: 0 };",
      },
    ],
    redBy: ["test/plan/ranked/transition.test.ts"],
  },
  {
    id: "leaving-uncovered",
    rule: "routing.leaving",
    does: "deletes the last rules of a source without a rule that holds alerts meanwhile",
    file: "src/plan/ranked/transition.ts",
    edits: [
      {
        find: 'steps: [{ does: "write", row: 0, text: HOLDING }, ...deletes], window',
        replace: "steps: deletes, window",
      },
    ],
    redBy: ["test/plan/whole.test.ts", "test/plan/ranked/transition.test.ts"],
  },
  {
    id: "rule-without-its-row",
    rule: "routing.guard",
    does: "addresses a rule by priority without the row that must stand there",
    file: "src/plan/ranked/requests.ts",
    edits: [{ find: "      ...guard(kind, scope, target, old?.row ?? {}),\n", replace: "" }],
    redBy: ["test/plan/whole.test.ts"],
  },
  {
    id: "row-of-the-beginning",
    rule: "routing.guard",
    does: "expects a rule as it was before this plan has written it",
    file: "src/plan/ranked/requests.ts",
    edits: [
      {
        find: "...guard(kind, scope, target, old?.row ?? {}),",
        replace: "...guard(kind, scope, target, target?.row ?? {}),",
      },
    ],
    redBy: ["test/plan/whole.test.ts"],
  },
  {
    id: "holding-of-nothing",
    rule: "routing.holding",
    does: "does not look for an outcome to hold alerts on",
    file: "src/plan/ranked/draft.ts",
    edits: [{ find: "return isFields(outcome) ? outcome : fallback;", replace: "return fallback;" }],
    redBy: ["test/plan/ranked/draft.test.ts"],
  },
  {
    id: "window-without-consent",
    rule: "routing.consent",
    does: "opens a window in which alerts are misrouted without asking",
    file: "src/plan/checks/policy-checks.ts",
    edits: [
      { find: "if (window === 0 || consent.acceptRoutingWindow) return [];", replace: "if (window >= 0) return [];" },
    ],
    redBy: ["test/plan/checks/policy-checks.test.ts"],
  },
  {
    id: "options-in-one-list",
    rule: "options.apart",
    does: "drops an option and adds another in one list",
    file: "src/plan/diff/option-list.ts",
    edits: [
      {
        find: "if (doomed.length > 0 && fresh.length > 0) {",
        replace: "if (doomed.length > 100 && fresh.length > 0) {",
      },
    ],
    redBy: ["test/plan/diff/option-list.test.ts"],
  },
  {
    id: "options-removed-first",
    rule: "options.apart",
    does: "takes options away before their successors are there",
    file: "src/plan/diff/option-list.ts",
    edits: [
      { find: 'else step("add", [...wanted, ...doomed], fresh);', replace: 'else step("remove", kept, doomed);' },
    ],
    redBy: ["test/plan/diff/option-list.test.ts"],
  },
  {
    id: "rename-with-the-rest",
    rule: "options.rename",
    does: "renames an option in the same list that adds others",
    file: "src/plan/diff/option-list.ts",
    edits: [
      {
        find: "for (const [from, to] of renames(live, declared)) {",
        replace: "for (const [from, to] of renames([], declared)) {",
      },
    ],
    redBy: ["test/plan/diff/option-list.test.ts"],
  },
  {
    id: "rename-what-is-still-wanted",
    rule: "options.rename",
    does: "renames an option whose former label is declared for another",
    file: "src/plan/diff/compare.ts",
    edits: [{ find: "&& !wanted.has(from) ? ", replace: "? " }],
    redBy: ["test/plan/diff/option-list.test.ts"],
  },
  {
    id: "too-many-options",
    rule: "options.limit",
    does: "sends more than a hundred options at once",
    file: "src/plan/diff/option-list.ts",
    edits: [{ find: "> MOST && kept.length > 0", replace: "> 2 * MOST && kept.length > 0" }],
    redBy: ["test/plan/diff/option-list.test.ts"],
  },
  {
    id: "options-reordered-freely",
    rule: "options.order",
    does: "takes another order for no difference",
    file: "src/plan/diff/option-list.ts",
    edits: [
      {
        find: "list.every((item, index) => item === now[index])) return;",
        replace: "list.every((item) => now.includes(item))) return;",
      },
    ],
    redBy: ["test/plan/diff/option-list.test.ts"],
  },
  {
    id: "held-option-goes",
    rule: "options.retained",
    does: "takes an option away that incidents hold",
    file: "src/plan/diff/retained-options.ts",
    edits: [
      { find: "const incidents = state.chosen(live, field, choice) ?? 0;", replace: "const incidents: number = 0;" },
    ],
    redBy: ["test/plan/diff/retained-options.test.ts"],
  },
  {
    id: "mentioned-option-goes",
    rule: "options.retained",
    does: "takes an option away that a condition mentions",
    file: "src/plan/diff/retained-options.ts",
    edits: [
      {
        find: "const mentions = mentioning(configuration, state, live, choice);",
        replace: "const mentions = mentioning(configuration, state, live, choice).slice(0, 0);",
      },
    ],
    redBy: ["test/plan/diff/retained-options.test.ts"],
  },
];
