/** A kind that the random cases do not know would never be generated, or generated and not judged, and all tests would be green. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { resourceSchema } from "../../src/config/schema/schema.ts";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/model/kind.ts";
import { rowsOf } from "../differential/cases/choice.ts";
import { carryOut, DEED_NAMES } from "../differential/cases/deeds.ts";
import { edited, UNSTATED } from "../differential/cases/edits.ts";
import { documentOf } from "../differential/cases/projection.ts";
import { foreseen } from "../differential/judge/judge.ts";
import { DifferentialService, type Snapshot } from "../differential/service.ts";
import { OPTION_LISTS } from "../support/option-lists.ts";
import { configuration } from "../support/samples/arbitrary-configuration.ts";

/** Members that no case changes, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "catalog_types.description": "the built-in types, which every case declares, have none",
  "routing_rules.enabled": "every rule of a case states it",
  "alert_sources.provider": "every source of a case has the same one: it is stated when a source is made, and kept",
};

const EVERY_KIND: Fields = parse(
  readFileSync(new URL("../faults/stage/scenarios/every-kind.yaml", import.meta.url), "utf8"),
);
const GENERATOR = new URL("../../bench/programs/generate.mjs", import.meta.url);

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

  test("an edit of the files states what few of them state", () => {
    const { properties } = resourceSchema(kind).part;
    const names = ["enabled", "active", "description", "summary"].filter(
      (name) => isFields(properties) && name in properties,
    );
    const forgotten = names.filter(
      (name) => !UNSTATED[kind.name]?.includes(name) && !(`${kind.name}.${name}` in LEFT_OUT),
    );
    expect(forgotten, `add them to UNSTATED.${kind.name} of test/differential/cases/edits.ts`).toEqual([]);
  });

  test("runs with faults create and remove some", () => {
    const advice = "declare one in test/faults/stage/scenarios/every-kind.yaml";
    expect(declaredIn(EVERY_KIND, kind).length, advice).toBeGreaterThan(0);
  });

  test("the workspaces that are measured have some", async () => {
    const { workspace } = (await import(GENERATOR.href)) as { workspace(size: object): Fields };
    const advice = "add some to workspace() in bench/programs/generate.mjs";
    expect(declaredIn(workspace({ entries: 1000, seed: 1 }), kind).length, advice).toBeGreaterThan(0);
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

test("the lists whose resources have places are those that the tests name", () => {
  const places = kinds.filter(({ identity }) => identity.slug === "option").map(({ name }) => name);
  expect([...OPTION_LISTS].sort(), "add the list to test/support/option-lists.ts").toEqual(places.sort());
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
