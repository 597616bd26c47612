/** Mutants of meeting, slugs, comparison and order: planning, sections 1 to 3. */

import type { Mutant } from "../mutant.ts";

/** Mutants of finding the live entry, seeing what differs, and putting entries in order. */
export const meetingMutants: readonly Mutant[] = [
  {
    id: "pin-means-anything",
    rule: "meeting.pin",
    does: "takes any live entry for a pinned one",
    file: "src/match/match.ts",
    edits: [{ find: 'byId.get(entry.pin ?? "")', replace: "live[0]" }],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "pin-ignored",
    rule: "meeting.pin",
    does: "meets a pinned entry by its name",
    file: "src/match/match.ts",
    edits: [
      { find: "declared.filter((entry) => entry.pin !== undefined)", replace: "[] as Declared[]" },
      { find: "declared.filter((entry) => entry.pin === undefined)", replace: "declared" },
    ],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "lost-pin-is-made",
    rule: "meeting.pin",
    does: "creates an entry whose pin nothing bears",
    file: "src/match/match.ts",
    edits: [{ find: "if (found === undefined) errors.push(lost(entry));", replace: "" }],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "key-in-any-field",
    rule: "meeting.key",
    does: "takes a name for a slug",
    file: "src/match/match.ts",
    edits: [{ find: "row.keyField === entry.keyField && free.has(row)", replace: "free.has(row)" }],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "first-of-two",
    rule: "meeting.ambiguous",
    does: "takes the first of two live entries with one name",
    file: "src/match/match.ts",
    edits: [
      {
        find: "if (same.length > 1) errors.push",
        replace: "if (same.length > 1 && key !== entry.key) errors.push",
      },
    ],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "first-of-two-renamed",
    rule: "meeting.ambiguous",
    does: "renames the first of two live entries with the former name",
    file: "src/match/match.ts",
    edits: [
      {
        find: "if (same.length > 1) errors.push",
        replace: "if (same.length > 1 && key === entry.key) errors.push",
      },
    ],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "former-name-unknown",
    rule: "meeting.renamed",
    does: "makes a renamed entry a second time",
    file: "src/match/match.ts",
    edits: [
      { find: "if (entry.renamedFrom !== undefined) meetBy(entry, entry.renamedFrom);", replace: "lost(entry);" },
    ],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "former-name-first",
    rule: "meeting.renamed",
    does: "takes the former name although the new one is met",
    file: "src/match/match.ts",
    edits: [
      {
        find: "for (const entry of alone) if (entry.renamedFrom !== undefined)",
        replace: "for (const entry of open) if (entry.renamedFrom !== undefined)",
      },
    ],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "second-copy",
    rule: "meeting.copy",
    does: "makes a second entry of a name that is there under another slug",
    file: "src/match/match.ts",
    edits: [{ find: "if (twin !== undefined) errors.push(otherwise(entry, twin));", replace: "" }],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "second-copy-in-capitals",
    rule: "meeting.copy",
    does: "makes a second entry whose name differs in its capitals only",
    file: "src/match/match.ts",
    edits: [{ find: "? name.trim().toLowerCase() : undefined", replace: "? name : undefined" }],
    redBy: ["test/match/match.test.ts"],
  },
  {
    id: "slug-from-the-name",
    rule: "slug.two-steps",
    does: "creates with the declared name, whatever slug comes of it",
    file: "src/plan/diff/create.ts",
    edits: [{ find: "if (named !== undefined && named !== now.name) {", replace: 'if (named === "") {' }],
    redBy: ["test/plan/diff/create.test.ts"],
  },
  {
    id: "one-style-is-enough",
    rule: "slug.two-steps",
    does: "relies on one of the two ways in which a service makes slugs",
    file: "src/kinds/slug.ts",
    edits: [
      {
        find: "if (optionSlug(name) !== slug) return false;",
        replace: 'if (style === "option" && optionSlug(name) !== slug) return false;',
      },
    ],
    redBy: ["test/kinds/slug.test.ts"],
  },
  {
    id: "slug-not-checked",
    rule: "apply.own-slug",
    does: "does not ask the applier to look at the slug",
    file: "src/plan/diff/create.ts",
    edits: [{ find: "...(kind.identity.slug === undefined ? {} : { expects: { slug: declared.key } }),", replace: "" }],
    redBy: ["test/plan/diff/create.test.ts"],
  },
  {
    id: "unstated-is-compared",
    rule: "compare.stated",
    does: "wipes what the files leave out",
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
    id: "sets-as-lists",
    rule: "compare.sets",
    does: "sees a difference in the order of a set",
    file: "src/kinds/equality.ts",
    edits: [{ find: "equal(sorted(live), sorted(declared));", replace: "equal(live, declared);" }],
    redBy: ["test/kinds/equality.test.ts"],
  },
  {
    id: "lists-as-sets",
    rule: "compare.sets",
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
    id: "colours-by-case",
    rule: "compare.color",
    does: "sees a difference between #ff0000 and #FF0000",
    file: "src/kinds/equality.ts",
    edits: [{ find: "live.toLowerCase() === declared.toLowerCase()", replace: "live === declared" }],
    redBy: ["test/kinds/equality.test.ts"],
  },
  {
    id: "ids-as-keys",
    rule: "compare.reference",
    does: "compares the id in an answer with the slug in the file",
    file: "src/match/resolved-state.ts",
    edits: [{ find: "return this.#tables.keys.get(kind)?.get(id);", replace: 'return kind === "" ? id : undefined;' }],
    redBy: ["test/match/resolved-state.test.ts"],
  },
  {
    id: "unreadable-forgotten",
    rule: "unreadable.remembered",
    does: "does not send an unreadable field that has changed",
    file: "src/match/last-applied.ts",
    edits: [{ find: "undefined : remembered !== hash(value);", replace: "undefined : false;" }],
    redBy: ["test/match/last-applied.test.ts"],
  },
  {
    id: "unreadable-always",
    rule: "unreadable.forgotten",
    does: "sends an unreadable field in every apply",
    file: "src/match/last-applied.ts",
    edits: [
      { find: "return remembered === undefined ? undefined :", replace: "return remembered === undefined ? true :" },
    ],
    redBy: ["test/match/last-applied.test.ts"],
  },
  {
    id: "resend-ignored",
    rule: "unreadable.resend",
    does: "does not send unreadable fields with the flag",
    file: "src/match/last-applied.ts",
    edits: [{ find: "  if (resend) return true;\n", replace: "" }],
    redBy: ["test/match/last-applied.test.ts"],
  },
  {
    id: "everything-moves",
    rule: "order.fewest",
    does: "moves every entry as soon as one stands wrong",
    file: "src/plan/order/reorder.ts",
    edits: [{ find: "known.filter((entry) => !kept.has(entry))", replace: "kept.size === known.length ? [] : known" }],
    redBy: ["test/plan/order/reorder.test.ts"],
  },
  {
    id: "some-run-stays",
    rule: "order.fewest",
    does: "keeps a run that is not a longest one",
    file: "src/plan/order/reorder.ts",
    edits: [
      {
        find: "if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;",
        replace: "if ((values[tails[middle] ?? 0] ?? 0) !== value) low = middle + 1;",
      },
    ],
    redBy: ["test/plan/order/reorder.test.ts"],
  },
  {
    id: "unmanaged-move",
    rule: "order.unmanaged",
    does: "counts the places of managed entries alone",
    file: "src/plan/order/reorder.ts",
    edits: [
      { find: "this.#list = [...live];", replace: "this.#list = live.filter((entry) => wanted.includes(entry));" },
    ],
    redBy: ["test/plan/order/reorder.test.ts"],
  },
  {
    id: "positions-of-the-end",
    rule: "order.simulated",
    does: "sends the positions that hold in the end",
    file: "src/plan/order/reorder.ts",
    edits: [{ find: "    return index + 1;", replace: "    return this.#wanted.indexOf(entry) + 1;" }],
    redBy: ["test/plan/order/reorder.test.ts"],
  },
  {
    id: "positions-reversed",
    rule: "order.simulated",
    does: "counts positions from the bottom",
    file: "src/plan/order/reorder.ts",
    edits: [{ find: "    return index + 1;", replace: "    return this.#list.length - index;" }],
    redBy: ["test/plan/order/reorder.test.ts"],
  },
  {
    id: "moved-entry-not-taken-out",
    rule: "order.simulated",
    does: "forgets that an entry leaves its place before it takes another",
    file: "src/plan/order/reorder.ts",
    edits: [{ find: "if (old >= 0) this.#list.splice(old, 1);", replace: "" }],
    redBy: ["test/plan/order/reorder.test.ts"],
  },
];
