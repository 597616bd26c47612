/** The picture of references in the page of a plan: what changes, and around it what does not. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { show } from "../../../src/app/plan/show-command.ts";
import { referenceGraph } from "../../../src/view/page/references.ts";
import { openTestWorld } from "../../commands/world.ts";
import { changeOf, planOf } from "../plans.ts";

const here = { paths: ["."], rate: 1_000_000 };
const files = (critical: string): Readonly<Record<string, string>> => ({
  "severities.yaml": `severities:
  - { slug: critical, name: ${critical} }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`,
  "rules.yaml": `routing_rules:
  workspace:
    - outcome: { action: auto_create_incident, severity: critical }
      conditions: [{ field: title, operator: starts_with, value: down }]
    - outcome: { action: auto_create_incident, severity: minor }
`,
});

test("resources that reference a change are drawn, others are not, and the page of a saved plan says that it does not have them", async () => {
  const world = await openTestWorld(files("Critical"), { requestsPerMinute: 1_000_000 });
  expect(await world.run(apply, { ...here, yes: true })).toMatchObject({
    exit: 0,
    stderr: expect.not.stringContaining("error"),
  });
  await world.write(files("Outage"));
  for (const command of [plan, drift]) {
    const { stdout } = await world.run(command, { ...here, format: "html" });
    expect(stdout).toContain("<title>routing_rules/workspace/1, not changed</title>");
    expect(stdout).toContain("Dashed resources do not change.");
    expect(stdout).not.toContain("routing_rules/workspace/2");
  }
  await world.run(plan, { ...here, out: "change.plan" });
  const { stdout } = await world.run(show, { planfile: join(world.folder, "change.plan"), format: "html" });
  expect(stdout).not.toContain("not changed</title>");
});

test("if there are too many resources to draw, only the changes are drawn, and the page says so", () => {
  const changed = planOf([changeOf("severities/a", "delete", { cascades: ["routing_rules/workspace/1"] })]);
  const mentions = Array.from({ length: 100 }, (_, at) => ({ from: `runbooks/r${at}`, to: "severities/a" }));
  expect(referenceGraph(changed, mentions.slice(0, 5))).toContain("runbooks/r4, not changed");
  const along = { from: "routing_rules/workspace/1", to: "severities/a" };
  expect(referenceGraph(changed, [along])).not.toContain("not changed");
  const many = referenceGraph(changed, mentions);
  expect(many).not.toContain("runbooks/");
  expect(many).toContain("Unchanged resources are not drawn");
  expect(many).toContain("routing_rules/workspace/1");
});
