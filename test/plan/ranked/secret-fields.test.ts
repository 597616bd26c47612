/** Values of the environment in rules, present and former ones, which no plan holds: by the files and by what the last apply recorded. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { secretFields } from "../../../src/plan/ranked/secret-fields.ts";
import type { LastAppliedHashes } from "../../../src/workspace/match/last-applied.ts";
import { planned } from "../../support/plans/make-plan.ts";

const CANARY = "canary-7d41";
/** A rule of the service; a word of it may be the canary. */
interface Rule {
  readonly service: string;
  readonly channel: string;
}
const fieldsOf = ({ service, channel }: Rule): Fields => ({
  conditions: [{ field: "service", operator: "is_one_of", value: [service] }],
  outcome: { action: "notify_only", notify: { type: "channel", channel_id: channel } },
  enabled: true,
});
/** What an apply records of these rules: those with the canary have it from the environment. */
const recordOf = (rules: readonly Rule[]): LastAppliedHashes =>
  Object.fromEntries(
    rules.flatMap(({ service, channel }, at) => {
      const names = [...(service === CANARY ? ["conditions"] : []), ...(channel === CANARY ? ["outcome"] : [])];
      return names.map((name) => [`routing_rules/workspace/${at + 1}#${name}?environment`, "0"]);
    }),
  );

const word = fc.constantFrom("web", "db", "queue", CANARY);
const rules = fc.array(fc.record({ service: word, channel: fc.constantFrom("C01", "C02", CANARY) }), { maxLength: 5 });
const harmless = fc.array(
  fc.record({ service: fc.constantFrom("web", "db", "mail"), channel: fc.constantFrom("C01", "C03") }),
  {
    maxLength: 5,
  },
);

describe("the plan of rules", () => {
  test("holds no value that the live rules have from the environment, whatever the files say now", () => {
    fc.assert(
      fc.property(rules, harmless, (live, declared) => {
        const plan = planned(
          { routing_rules: { workspace: declared.map(fieldsOf) } },
          { live: { routing_rules: live.map(fieldsOf) }, lastApplied: { hashes: recordOf(live), resend: false } },
        );
        expect(JSON.stringify(plan)).not.toContain(CANARY);
      }),
    );
  });
});

describe("the secret fields of a live rule", () => {
  const kind = kinds.find(({ name }) => name === "routing_rules");
  if (kind === undefined) throw new Error("no rules");
  const live = ["web", "db"].map((service, at) => ({
    kind,
    scope: "",
    key: "",
    id: String(at),
    address: `routing_rules/workspace/${at + 1}`,
    fields: fieldsOf({ service, channel: "C01" }),
    row: {},
  }));
  test.each([
    ["none where nothing is from the environment", {}, [[], []]],
    [
      "those that the record names, of each rule that may have stood there",
      { "routing_rules/workspace/2#outcome?environment": "0" },
      [["outcome"], ["outcome"]],
    ],
  ] as const)("are %s", (_what, hashes, expected) => {
    expect(secretFields(kind, live as never, [], hashes).map((names) => [...names])).toEqual(expected);
  });
});
