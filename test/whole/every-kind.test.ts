/** A kind that the random cases do not know would never be generated, or generated and not judged, and all tests would be green. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/model/kind.ts";
import { rowsOf } from "../differential/cases/choice.ts";
import { carryOut, DEED_NAMES } from "../differential/cases/deeds.ts";
import { edited } from "../differential/cases/edits.ts";
import { documentOf } from "../differential/cases/projection.ts";
import { foreseen } from "../differential/judge/judge.ts";
import { DifferentialService, type Snapshot } from "../differential/service.ts";
import { configuration } from "../support/samples/arbitrary-configuration.ts";

/** Members that no case changes, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "alert_sources.provider": "every source of a case has the same one: it is stated when a source is made, and kept",
};

const RANDOM = fc.sample(configuration, { numRuns: 100, seed: 1 });

const service = new DifferentialService();
let live: Snapshot;
let document: Fields = {};

beforeAll(async () => {
  service.begin({});
  for (const does of DEED_NAMES.filter((name) => /^(create|put|grant)/.test(name))) {
    for (const at of [0, 1, 2, 3]) await carryOut({ does, at, variant: at, bits: 85 * at }, service);
  }
  live = await service.snapshot();
  document = documentOf(live);
});
afterAll(() => service.close());

describe.each(kinds.map((kind) => ({ name: kind.name, kind })))("$name", ({ kind }) => {
  test("requests of people make some, and the files declare them", () => {
    const advice =
      "add a deed that makes one to test/differential/cases/deeds.ts, or the list to test/support/option-lists.ts";
    expect(declaredIn(document, kind).length, advice).toBeGreaterThan(0);
  });

  test("an edit of the files adds some", () => {
    const numbers = Array.from({ length: 256 }, (_, at) => at);
    const adding = numbers.map((list) =>
      edited(document, { does: "add", list, at: list, variant: list >> 2, bits: list }),
    );
    const before = declaredIn(document, kind).length;
    const isAdded = adding.some((after) => declaredIn(after, kind).length > before);
    expect(isAdded, "say in freshItem of test/differential/cases/edits.ts how one is added").toBe(true);
  });

  test("random configurations declare some", () => {
    const isDeclared = RANDOM.some((one) => declaredIn(one, kind).length > 0);
    expect(isDeclared, "add it to test/support/samples/arbitrary-configuration.ts").toBe(true);
  });

  test("the judge sees each of their fields that differs", () => {
    const [first = {}] = declaredIn(document, kind);
    const unseen = Object.entries(first).flatMap(([name, value]) => {
      const other = typeof value === "boolean" ? !value : typeof value === "string" ? `${value} 2` : undefined;
      if (other === undefined || `${kind.name}.${name}` in LEFT_OUT) return [];
      const changed = replaced(document, first, { ...first, [name]: other }) as Fields;
      return foreseen(changed, live, true).certain.length > 0 ? [] : [name];
    });
    expect(unseen).toEqual([]);
  });
});

/** The resources of a kind in a document. */
function declaredIn(value: Fields, { name, parent }: Kind): readonly Fields[] {
  if (parent !== undefined) return rowsOf(value[parent.kind]).flatMap((row) => rowsOf(row[parent.field]));
  return listsIn(value[name]);
}

/** The objects of a list, or of all lists by scope. */
function listsIn(value: Json | undefined): readonly Fields[] {
  return isFields(value) ? Object.values(value).flatMap(listsIn) : rowsOf(value);
}

/** The value with another one in the place of this part of it. */
function replaced(value: Json, part: Json, other: Json): Json {
  if (value === part) return other;
  if (isList(value)) return value.map((item) => replaced(item, part, other));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, part, other)]));
}
