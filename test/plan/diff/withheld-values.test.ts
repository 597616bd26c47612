import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fields, fieldsIn, type Json, stepsOf, valueAt, withValueAt } from "../../../src/core/json.ts";
import { withholdSecrets } from "../../../src/plan/diff/step.ts";
import { configured } from "../../support/plans/configuration.ts";
import { planned, type Rows } from "../../support/plans/make-plan.ts";

test("a value from the environment that is not sent has no placeholder", () => {
  const entries = [{ slug: "a", name: "A", attributes: { tier: "1", token: "t" } }];
  const { declared } = configured({ catalog_types: [{ slug: "service", entries }] });
  const entry = declared.find(({ kind }) => kind.name === "catalog_entries");
  if (entry === undefined) throw new Error("there is no entry");
  const sent = { attributes: { tier: "1" } };
  expect(withholdSecrets({ ...entry, secrets: ["/attributes/token"] }, sent)).toEqual(sent);
});

interface ListedIn {
  readonly document: Fields;
  readonly live: Rows;
  readonly secret: (at: number) => readonly [address: string, pointer: string];
}

/** A resource with a list in one field, made from the names of its items. What is hidden belongs to the item of that name. */
const LISTS: readonly (readonly [title: string, listed: (names: readonly string[]) => ListedIn])[] = [
  [
    "attributes, of which an entry holds values,",
    (names) => {
      const attributes = names.map((name) => ({ name: `${name}s`, attribute_type: name === "Hidden" ? name : "text" }));
      const held = Object.fromEntries(names.map((name) => [`${name.toLowerCase()}s`, "x"]));
      const entry = { slug: "r1", name: "R1", attributes: held };
      const rack = { slug: "rack", name: "Rack" };
      return {
        document: { catalog_types: [{ ...rack, attributes, entries: [entry] }] },
        live: {
          catalog_types: [{ ...rack, kind: "custom", attribute_definitions: attributes }],
          "catalog_entries rack": [entry],
        },
        secret: (at) => ["catalog_types/rack", `/attributes/${at}/attribute_type`],
      };
    },
  ],
  [
    "steps",
    (names) => {
      const runbook = { slug: "failover", name: "Failover", steps: names.map((title) => ({ title })) };
      return {
        document: { runbooks: [runbook] },
        live: { runbooks: [runbook] },
        secret: (at) => ["runbooks/failover", `/steps/${at}/title`],
      };
    },
  ],
];

describe.each(LISTS)("with a value from the environment in its %s a resource", (_title, listed) => {
  const some = fc.shuffledSubarray(["Floor", "Room", "Desk"]);
  const withHidden = some.chain((names) => fc.shuffledSubarray([...names, "Hidden"], { minLength: names.length + 1 }));

  test("is created and changed by the same requests as with a plain value, but for its placeholder", () => {
    fc.assert(
      fc.property(withHidden, fc.option(fc.oneof(some, withHidden)), (names, before) => {
        const { document, secret } = listed(names);
        const live = before === null ? {} : listed(before).live;
        const [address, pointer] = secret(names.indexOf("Hidden"));
        const masked = planned(document, { live, secrets: { [address]: [pointer] } });
        const filled = masked.operations.map(({ body, inserts = [] }) => {
          expect(JSON.stringify(body)).not.toContain('"Hidden"');
          return inserts.reduce<Json>((sent, { at, secret: from }) => {
            if (from === undefined) return sent;
            expect(valueAt(sent, stepsOf(at).slice(1))).toBe("(known after apply)");
            return withValueAt(fieldsIn(sent), stepsOf(at).slice(1), "Hidden");
          }, body);
        });
        expect(filled).toEqual(planned(document, { live }).operations.map(({ body }) => body));
      }),
      { numRuns: 60 },
    );
  });
});
