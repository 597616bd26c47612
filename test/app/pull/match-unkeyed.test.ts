/** Which live rules continue which declared ones: as if each were held against every other, in a time that grows as the lists do. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { DesiredFiles } from "../../../src/app/pull/desired-files.ts";
import { type MatchKeys, matchUnkeyed } from "../../../src/app/pull/match-unkeyed.ts";
import { declarableFields } from "../../../src/config/edit/declarable.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { listOf } from "../../support/plans/desired-list.ts";
import { resolvedOf } from "../../support/plans/make-plan.ts";

/** Words that say the same when their first two letters are the same, and share a key when the first one is. */
const byLetter: MatchKeys<string, string> = { of: (word) => word.charAt(0), among: (word) => [word.charAt(0)] };
const alike = (left: string, right: string) => left.slice(0, 2) === right.slice(0, 2);

/** The same by definition: the first free one that says the same, then the free one that follows what was met last. */
function byTrying(declared: readonly string[], live: readonly string[]): readonly (number | undefined)[] {
  const free = new Set(declared.keys());
  const met = live.map((word) => {
    const place = [...free].find((one) => alike(declared[one] ?? "", word));
    if (place !== undefined) free.delete(place);
    return place;
  });
  for (const [at, place] of met.entries()) {
    const next = (met.slice(0, at).findLast((one) => one !== undefined) ?? -1) + 1;
    if (place === undefined && free.delete(next)) met[at] = next;
  }
  return met;
}

const words = fc.array(fc.stringMatching(/^[ab][cd][ef]$/), { maxLength: 9 });

test("finds the same matches as a comparison of each with every other, by any keys", () => {
  const every: MatchKeys<string, string> = { of: () => "", among: () => undefined };
  const two: MatchKeys<string, string> = {
    of: (word) => word.slice(0, 2),
    among: (word) => [`${word.charAt(0)}c`, `${word.charAt(0)}d`],
  };
  fc.assert(
    fc.property(words, words, fc.constantFrom(byLetter, every, two), (declared, live, keys) => {
      const places = declared.map((word, place) => ({ word, place }));
      const found = matchUnkeyed(
        places,
        live,
        { of: ({ word }) => keys.of(word), among: keys.among },
        ({ word }, other) => alike(word, other),
      );
      expect(found.map(([, entry]) => entry?.place)).toEqual(byTrying(declared, live));
      expect(found.map(([word]) => word)).toEqual(live);
    }),
  );
});

/** How often a live rule is put into the words of the files, for as many rules in another order. */
function statedFor(size: number): number {
  const workspace = Array.from(
    { length: size },
    (_unused, at): Fields => ({
      conditions: [{ field: "service", operator: "is_one_of", value: [`s${at}`] }],
      outcome: { action: "drop" },
    }),
  );
  const document = { routing_rules: { workspace } };
  const [kind] = kinds.filter(({ name }) => name === "routing_rules");
  if (kind === undefined) throw new Error("there are routing rules");
  let times = 0;
  const { state, graph } = resolvedOf(document, { live: { routing_rules: workspace.toReversed() } });
  const desired = new DesiredFiles(state, graph, (live) => {
    times += 1;
    return declarableFields(live, kinds);
  });
  const { entries } = desired.list(kind, "");
  expect(entries.every((entry) => "declared" in entry && entry.fields.size === 0)).toBe(true);
  return times;
}

test("compares as many pairs as there are rules", () => {
  let held = 0;
  const count = (size: number): number => {
    held = 0;
    const declared = Array.from({ length: size }, (_unused, at) => `${at}`);
    matchUnkeyed(declared, declared.toReversed(), { of: (one) => one, among: (one) => [one] }, (left, right) => {
      held += 1;
      return left === right;
    });
    return held;
  };
  expect([count(10), count(1000)]).toEqual([10, 1000]);
  expect(statedFor(80)).toBe(4 * statedFor(20));
});

test("a rule matches a live one with a member that files cannot have", () => {
  const outcome = { action: "drop" };
  const workspace = [{ outcome }, { outcome, conditions: [{ field: "team", operator: "is_empty" }] }];
  const rows: readonly Fields[] = workspace.map((rule) => ({
    ...rule,
    outcome: { ...outcome, told: "by the service" },
  }));
  const { entries } = listOf(
    { routing_rules: { workspace } },
    { live: { routing_rules: rows.toReversed() } },
    "routing_rules",
  );
  expect(entries.map((entry) => ("declared" in entry ? [entry.declared.key, entry.fields.size] : "new"))).toEqual([
    ["2", 0],
    ["1", 0],
  ]);
});
