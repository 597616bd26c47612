/** Cases that random workspaces have found. */

import { afterAll, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { AlteringService } from "./altered.ts";
import { broken } from "./laws.ts";

const service = new AlteringService();
afterAll(() => service.close());

test("a rule that is written twice in a run is the run's own, whatever the service makes of what it stores", async () => {
  const nobody = { field: "team", operator: "is_empty" };
  const billing = { field: "service", operator: "is_one_of", value: ["billing", "Web"] };
  const named = { field: "title", operator: "contains", value: "Café R&D" };
  const team = { type: "owning_team", of: "service" };
  const notify = { action: "notify_only", notify: team };
  const invite = (target: Fields) => ({ action: "attach_to_incident", invite: [target] });
  const rule = (enabled: boolean, conditions: readonly Fields[], outcome: Fields) => ({ enabled, conditions, outcome });
  const lists = [
    [
      rule(true, [billing, nobody], { action: "drop" }),
      rule(false, [billing, named, nobody], invite({ type: "member", member_id: "U1" })),
      rule(false, [], { action: "drop" }),
    ],
    [
      rule(false, [named], invite(team)),
      rule(false, [billing, named, nobody], notify),
      rule(true, [billing, named, nobody], notify),
    ],
  ];
  const documents = lists.map((workspace) => ({ routing_rules: { workspace } }));
  const stored = new Map([["value", "escapes HTML"]]);
  expect(await broken({ documents, stored, answered: [] }, service)).toEqual([]);
});
