/** What a person has seen when the prompt of `apply` appears: all that changes and goes, however long the plan is. */

import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { openWorld, type World } from "../../commands/world.ts";

/** A value that is longer than a line and differs from others at its end alone. */
const long = (end: string): string => `${"a text that goes on ".repeat(10)}${end}`;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const textOf = (word: string): string =>
  numbers(50)
    .map((at) => `${word} line ${at}.`)
    .join("\n");
const ruleOf = (word: string) => ({
  conditions: [{ field: "service", operator: "is_one_of", value: [word] }],
  outcome: { action: "drop" },
});

const RESOURCES = {
  severities: [{ slug: "critical" }, { slug: "major", default: true }, { slug: "minor" }],
  runbooks: [{ slug: "kept_book", name: "Kept book", content: textOf("planned") }],
  routing_rules: { workspace: ["kept", "added one", "added two"].map((name) => ({ name, ...ruleOf(`${name} now`) })) },
};

/** A workspace, and files that add, change and remove `third` catalog entries, a runbook and rules. */
async function workspaceOf(third: number): Promise<World> {
  const entries = numbers(third).flatMap((at) => [
    { slug: `kept_${at}`, name: `Kept ${at}`, attributes: { note: long(`planned ${at}.`) } },
    { slug: `new_${at}`, name: `New ${at}`, attributes: { note: long(`new ${at}.`) } },
  ]);
  const attributes = [{ name: "Note", attribute_type: "text" }];
  const catalog_types = [{ slug: "squad", name: "Squad", attributes, entries }];
  const world = await openWorld(
    {
      "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\nlimits: { max_removals: 100% }\n",
      "workspace.yaml": JSON.stringify({ ...RESOURCES, catalog_types }),
    },
    { answer: "no", requestsPerMinute: 100_000 },
  );
  const create = (path: string, body: object): Promise<unknown> => world.send("POST", `/api/v1/${path}`, body);
  await create("catalog/types", { name: "Squad", attributes });
  for (const at of numbers(third)) {
    await create("catalog/types/squad/entries", { name: `Kept ${at}`, attributes: { note: long(`former ${at}.`) } });
    await create("catalog/types/squad/entries", { name: `Gone ${at}`, attributes: { note: long(`last ${at}.`) } });
  }
  for (const name of ["Kept book", "Gone book"]) await create("runbooks", { name, content: textOf("former") });
  for (const word of ["former one", "former two"]) await create("routing_rules", ruleOf(word));
  return world;
}

test.each([61, 300, 2000])(
  "before yes, a plan of %i changes has shown every value that changes or goes, and each removal once",
  async (count) => {
    const third = Math.ceil(count / 3);
    const world = await workspaceOf(third);
    const { exit, stdout: plan } = await world.run(apply, { paths: [], allowDelete: true });
    await world.close();
    expect(exit).toBe(3);
    for (const at of numbers(third)) {
      for (const word of ["former", "planned", "last"]) expect(plan.split(long(`${word} ${at}.`))).toHaveLength(2);
    }
    for (const at of numbers(50)) {
      // The former text stands under the removed runbook and under the changed one.
      expect(plan.split(`former line ${at}.`)).toHaveLength(3);
      expect(plan.split(`planned line ${at}.`)).toHaveLength(2);
    }
    for (const word of ["former one", "former two", "kept now", "added one now", "added two now"]) {
      expect(plan).toContain(`"${word}"`);
    }
    for (const address of ["catalog_types/squad/entries/gone_7", "runbooks/gone_book"]) {
      expect(plan.split(`- ${address} `)).toHaveLength(2);
    }
    expect(plan.includes("+ catalog_types/squad/entries/new_0\n")).toBe(third <= 400);
    expect(plan.includes(`+ ${third} to create\n`)).toBe(third > 400);
  },
);

test("before yes, single values have been shown whole: a text of 200 lines, 100 options, a rule with 300 values", async () => {
  const lines = (word: string): string =>
    numbers(200)
      .map((at) => `${word} line ${at}.`)
      .join("\n");
  const labels = (word: string): readonly string[] => numbers(100).map((at) => `${word} ${at}.`);
  const ruleWith = (word: string) => ({
    conditions: [
      { field: "service", operator: "is_one_of", value: numbers(300).map((at) => `${word} service ${at}.`) },
    ],
    outcome: { action: "drop" },
  });
  const files = {
    "incidentctl.yaml":
      "version: 1\nbase_url: http://localhost:4010\nremoval: { default: delete }\nlimits: { max_removals: 100% }\n",
    "workspace.yaml": JSON.stringify({
      custom_fields: [
        {
          slug: "region",
          name: "Region",
          field_type: "multi_select",
          option_source: "fixed",
          options: labels("planned option"),
        },
      ],
      runbooks: [{ slug: "book", name: "Book", content: lines("planned") }],
      routing_rules: { workspace: [{ name: "one", ...ruleWith("planned") }] },
    }),
  };
  const world = await openWorld(files, { answer: "no", requestsPerMinute: 100_000 });
  const create = (path: string, body: object): Promise<unknown> => world.send("POST", `/api/v1/${path}`, body);
  const field = { name: "Region", field_type: "multi_select", option_source: "fixed" };
  await create("custom_fields", { ...field, options: labels("former option") });
  for (const name of ["Book", "Gone"]) await create("runbooks", { name, content: lines("former") });
  await create("routing_rules", ruleWith("former"));
  const { exit, stdout, stderr } = await world.run(apply, { paths: [], allowDelete: true });
  await world.close();
  expect(exit, stderr).toBe(3);
  const shown = new Set(stdout.match(/(?:former|planned) (?:line|option|service) \d+\./g));
  for (const word of ["former", "planned"]) {
    const expected = [
      ...numbers(200).map((at) => `${word} line ${at}.`),
      ...numbers(100).map((at) => `${word} option ${at}.`),
      ...numbers(300).map((at) => `${word} service ${at}.`),
    ];
    expect(expected.filter((text) => !shown.has(text))).toEqual([]);
  }
});
