/** The diagrams in the page of a plan, from what the plan has read. */

import { afterEach, expect, test } from "vitest";
import { apply } from "../../../src/commands/apply.ts";
import { plan } from "../../../src/commands/plan.ts";
import { openWorld, type World } from "../../commands/world.ts";

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const here = { paths: ["."], rate: 1_000_000 };

const files = (first: string, form: string): Readonly<Record<string, string>> => ({
  "severities.yaml": `severities:
${first}  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
`,
  "rules.yaml": `routing_rules:
  workspace:
    - { name: drills, conditions: [{ field: title, operator: starts_with, value: drill }], outcome: { action: drop } }
    - name: pages
      conditions: [{ field: title, operator: contains, value: "\${env:PIN}" }]
      outcome: { action: auto_create_incident, severity: critical }
`,
  "forms.yaml": `custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
forms:
  declare:
    - { system_field: name, visible: true, required: true }
    - { system_field: severity, visible: true, required: true }
${form}`,
});
const REGION = `    - custom_field: region
      visible: true
      required: true
      conditions: [{ condition_field: severity, operator: one_of, values: [critical] }]
`;

async function opened(): Promise<World> {
  const world = await openWorld(files("", ""), { requestsPerMinute: 1_000_000 });
  worlds.push(world);
  world.io.env.PIN = "hunter22hunter";
  expect(await world.run(apply, { ...here, yes: true, allowDelete: true })).toMatchObject({ exit: 0 });
  return world;
}

/** The data that the page's script evaluates. */
function values(html: string): unknown {
  const [, text = "{}"] = /data-values="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(
    text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&"),
  );
}

test("the page draws the ladder and the form of the plan, and asks the service for nothing more than the plan as text", async () => {
  const world = await opened();
  await world.write(files("  - { slug: blocker, name: Blocker }\n", REGION));
  const requestsOf = async (format: "text" | "html"): Promise<readonly string[]> => {
    const before = world.requests.length;
    expect(await world.run(plan, { ...here, format })).toMatchObject({ exit: 0 });
    return world.requests.slice(before).map(({ method, url }) => `${method} ${url}`);
  };
  expect(await requestsOf("html")).toEqual(await requestsOf("text"));
  const { stdout } = await world.run(plan, { ...here, format: "html" });
  expect(stdout).toContain('aria-label="severities in order, now and planned"');
  expect(stdout).toContain("1  Blocker");
  expect(values(stdout)).toMatchObject({
    form: {
      before: { form: [{ slug: "name" }, { slug: "severity" }, { slug: "summary" }] },
      after: {
        form: [
          ...[{ slug: "name" }, { slug: "severity" }, { slug: "summary" }],
          {
            slug: "region",
            isRequired: true,
            conditions: [{ reads: "severity", operator: "one_of", values: ["critical"] }],
          },
        ],
      },
    },
  });
});

test("a value from the environment is in no diagram, neither from the files nor from the service", async () => {
  const world = await opened();
  await world.write({
    ...files("", ""),
    "rules.yaml": `routing_rules:
  workspace:
    - { name: drills, conditions: [{ field: title, operator: contains, value: drill }], outcome: { action: drop } }
    - { name: others, outcome: { action: notify_only, notify: { type: owning_team, of: service } } }
`,
  });
  const { stdout } = await world.run(plan, { ...here, format: "html" });
  expect(stdout).not.toContain("hunter22hunter");
  expect(values(stdout)).toMatchObject({
    lists: [
      { isOfSource: false, before: [{ conditions: [{ value: "(secret)", isSecret: true }] }, {}], after: [{}, {}] },
    ],
  });
});

test("a list that the plan does not change is not drawn", async () => {
  const world = await opened();
  await world.write(files("  - { slug: blocker, name: Blocker }\n", ""));
  const { stdout } = await world.run(plan, { ...here, format: "html" });
  expect(values(stdout)).toEqual({});
  expect(stdout).not.toContain("as a flow");
});
