import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/config/source/limits.ts";
import { Source } from "../../src/config/source/source.ts";
import { readYaml } from "../../src/config/source/yaml/read-yaml.ts";
import { Findings } from "../../src/core/findings.ts";
import type { Fields } from "../../src/core/json.ts";
import { sequenceSteps } from "../../src/plan/order/sequence.ts";
import { decideRemovals } from "../../src/plan/removal/decide.ts";
import { draftRemoval } from "../../src/plan/removal/draft.ts";
import { lineDiff } from "../../src/view/format/line-diff.ts";
import { contextOf, planned } from "../support/plans/make-plan.ts";
import { growsEvenly } from "../support/times.ts";

const list = <Item>(size: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: size }, (_, at) => make(at));

const entries = (size: number, name: string): Fields[] =>
  list(size, (at) => ({ slug: `entry_${at}`, name: `${name} ${at}`, attributes: { owner_team: `team_${at % 9}` } }));

const ATTRIBUTES = [{ name: "Owner team", attribute_type: "reference", reference_type: "team" }];
const teams = list(9, (at) => ({ slug: `team_${at}`, name: `Team ${at}` }));
const catalog = (services: readonly Fields[]): Fields => ({
  catalog_types: [
    { slug: "team", entries: teams },
    { slug: "service", attributes: ATTRIBUTES, entries: services },
  ],
});

const live = (rows: readonly Fields[]): Record<string, readonly Fields[]> => ({
  catalog_types: [
    { slug: "team", name: "Team", kind: "system" },
    { slug: "service", name: "Service", kind: "system", attribute_definitions: ATTRIBUTES },
  ],
  "catalog_entries team": teams,
  "catalog_entries service": rows.map(({ attributes: _, ...row }, at) => ({
    ...row,
    attributes: {},
    references: [{ key: "owner_team", target_entry_id: `entry-team_${at % 9}` }],
  })),
});

describe("The time of a plan grows linearly with the workspace", () => {
  test.each([
    ["nothing changes", entries, entries, 0],
    ["every entry changes", entries, (size: number) => entries(size, "Former"), 1],
    ["every entry is new", entries, () => [], 1],
    ["every entry goes", () => [], entries, 1],
  ])("if %s", async (_title, stated, found, changes) => {
    await growsEvenly(300, (size) => {
      const document = catalog(stated(size, "Entry"));
      const given = { live: live(found(size, "Entry")), approvals: { maxRemovals: { entries: 1e6 } } };
      return () => expect(planned(document, given).changes).toHaveLength(changes * size);
    });
  });

  test("if no resource of many stays", async () => {
    await growsEvenly(1500, (size) => {
      const hooks = list(size, (at) => ({ name: `Hook ${at}`, url: `https://hooks.example.com/${at}` }));
      const document = { webhooks: [] };
      const context = contextOf(document, { live: { webhooks: hooks } });
      return () => {
        const { state } = context;
        const decided = decideRemovals(context, state.all("webhooks"), () => []);
        const drafts = decided.flatMap((removal) => draftRemoval(state, removal, "disable_or_delete").drafts);
        expect(sequenceSteps(context, drafts)).toHaveLength(size);
      };
    });
  });

  test("if each resource stays because of the one before", async () => {
    await growsEvenly(200, (size) => {
      const types = list(size, (at) => ({ slug: `type_${at}`, name: `Type ${at}` }));
      const to = (at: number) => ({ name: "Next", attribute_type: "reference", reference_type: `type_${at}` });
      const chain = types.map((type, at) => ({ ...type, attribute_definitions: at + 1 < size ? [to(at + 1)] : [] }));
      const document = { catalog_types: types.slice(0, 1) };
      return () => expect(planned(document, { live: { catalog_types: chain } }).warnings).toHaveLength(size - 1);
    });
  });

  test("if a list of rules is unchanged", async () => {
    await growsEvenly(100, (size) => {
      const rules = list(size, (at) => ({
        conditions: [{ field: "title", operator: "contains", value: `word ${at}` }],
        outcome: { action: "drop" },
      }));
      const document = { routing_rules: { workspace: rules } };
      return () => expect(planned(document, { live: { routing_rules: rules } }).changes).toHaveLength(0);
    });
  });
});

describe("Hostile sizes take linear time", () => {
  const limits = { ...LIMITS, keys: 1e6, values: 1e6 };
  const read = (text: string) => readYaml(new Source("a.yaml", "/a.yaml", text), limits, new Findings());

  test("a mapping of fifty thousand keys", async () => {
    await growsEvenly(12_500, (size) => {
      const text = `a:\n${list(size, (at) => `  key_${at}: ${at}\n`).join("")}`;
      return () => expect(read(text)?.node.type).toBe("map");
    });
  });

  test("nested lists, up to the limit", async () => {
    await growsEvenly(2500, (size) => {
      const text = `a: ${"[".repeat(size)}${"]".repeat(size)}\n`;
      return () => expect(read(text)).toBeUndefined();
    });
  });

  test("two texts of five thousand lines without a common line", async () => {
    await growsEvenly(1250, (size) => {
      const [one, other] = ["a", "b"].map((letter) => list(size, (at) => `${letter} ${at}`));
      return () => expect(lineDiff(one ?? [], other ?? [], 3)).toHaveLength(size * 2);
    });
  });
});
