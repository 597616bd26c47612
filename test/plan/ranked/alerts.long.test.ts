/** Lists of rules changed on the service, with alerts evaluated after every write. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { canonical } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import { type SeenRequest, serviceFor, type TestService } from "../../support/service/test-service.ts";

const to = (channel_id: string): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } });
const rule = (channel: string, ...conditions: readonly Fields[]): Fields => ({ conditions, outcome: to(channel) });
const is = (field: string, ...value: readonly string[]): Fields => ({ field, operator: "is_one_of", value });

const BEFORE: readonly Fields[] = [
  rule("C1", is("service", "web", "api")),
  rule("C2", is("team", "red")),
  rule("C3", is("service", "db")),
  rule("C4", is("environment", "test")),
  { ...rule("C5", is("team", "blue")), enabled: false },
  rule("C6", is("service", "queue"), is("team", "blue")),
  rule("C7", is("team", "green", "blue")),
  rule("C8", is("service", "mail")),
  rule("C9", is("environment", "live")),
  rule("C10", is("service", "search")),
  rule("C11", is("team", "none")),
  rule("C12"),
];

const at = (index: number): Fields => BEFORE[index] ?? {};

/** Edits of the list, and how many writes each takes. */
const EDITS: readonly (readonly [what: string, declared: readonly Fields[], writes: number])[] = [
  ["a rule in the middle", [...BEFORE.slice(0, 6), rule("N1", is("service", "cache")), ...BEFORE.slice(6)], 7],
  [
    "two rules changed",
    BEFORE.map((old, i) => (i === 2 || i === 8 ? rule(`N${i}`, is("service", "x", i === 2 ? "db" : "cache")) : old)),
    8,
  ],
  ["rules moved", [at(3), ...BEFORE.slice(0, 3), ...BEFORE.slice(4, 7), at(8), at(7), ...BEFORE.slice(9)], 17],
  [
    "neighbours that change places above a rule that is off",
    [...BEFORE.slice(0, 2), at(3), at(2), ...BEFORE.slice(4)],
    4,
  ],
  [
    "a rule moved up over a rule that is off",
    [...BEFORE.slice(0, 2), at(7), ...BEFORE.slice(2, 7), ...BEFORE.slice(8)],
    6,
  ],
  [
    "everything at once",
    [
      at(7),
      rule("N2", is("team", "red", "green")),
      { ...at(0), outcome: to("N3") },
      at(3),
      at(2),
      at(6),
      rule("N4", is("service", "queue")),
      at(9),
      at(8),
      { ...at(11), outcome: to("N5") },
    ],
    20,
  ],
];

const ALERTS: readonly Fields[] = ["web", "db", "queue", "mail", "search", "cache", "x"].flatMap((service, at) =>
  ["red", "blue", "green", "none"].map((team, other) => {
    const environment = ["test", "live", "lab"][(at + other) % 3] ?? "";
    return { service, team, environment };
  }),
);

async function outcomes(service: TestService, source: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const fields of ALERTS) {
    const body = await service.hand("POST", "/routing/evaluate", source === "" ? { fields } : { fields, source });
    found.push(canonical((body as Fields).outcome ?? null));
  }
  return found;
}

function documentOf(rules: readonly Fields[], source: string): Fields {
  if (source === "") return { routing_rules: { workspace: rules } };
  return { alert_sources: [{ name: source, provider: "datadog" }], routing_rules: { sources: { [source]: rules } } };
}

const isWrite = ({ method, url }: SeenRequest) => method !== "GET" && !url.includes("evaluate");

const DIALECTS: readonly (readonly [Partial<Dialects>, string])[] = [
  [{}, ""],
  [{ fallback: "sticky", envelope: "wrapped", condition_values: "id" }, "Datadog"],
];

describe.each(DIALECTS)("on a service with %o, rules of %j", (dialects, source) => {
  test.each(EDITS)("%s: each alert has its old or its new outcome after every write", async (_what, rules, writes) => {
    const service = serviceFor({ dialects });
    try {
      await service.converge(documentOf(BEFORE, source));
      const old = await outcomes(service, source);
      const plan = await service.plan(documentOf(rules, source));
      service.forget();
      const between: (readonly string[])[] = [];
      const run = apply(plan, service.writer, { keepGoing: false });
      for (let step = await run.next(); step.done !== true; step = await run.next()) {
        if (step.value.status !== "started") between.push(await outcomes(service, source));
        if (step.value.status !== "started") expect(step.value.status).toBe("done");
      }
      const last = between.at(-1) ?? [];
      const third = between.flatMap((found) =>
        found.filter((outcome, alert) => outcome !== old[alert] && outcome !== last[alert]),
      );
      expect(third).toEqual([]);
      expect(service.seen.filter(isWrite)).toHaveLength(writes);
      expect(plan.transitions).toMatchObject([{ writes, window: 0 }]);
      expect((await service.plan(documentOf(rules, source))).operations).toEqual([]);
    } finally {
      service.emulator.close();
    }
  });
});
