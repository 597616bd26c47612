import { expect, test } from "vitest";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { openTestWorld } from "../world.ts";

test("a plan that takes away the option which an entry has, and no file states, says so", async () => {
  const world = await openTestWorld({
    "catalog.yaml": `catalog_types:
  - slug: tool
    name: Tool
    attributes:
      - { name: Tier, attribute_type: select, options: [gold] }
      - { name: Count, attribute_type: number }
    entries:
      - { slug: saw, name: Saw, attributes: { count: 6 } }
`,
  });
  const attributes = [
    { name: "Tier", attribute_type: "select", options: ["gold", "silver"] },
    { name: "Count", attribute_type: "number" },
  ];
  await world.send("POST", "/api/v1/catalog/types", { name: "Tool", attributes });
  await world.send("POST", "/api/v1/catalog/types/tool/entries", { name: "Saw", attributes: { tier: "silver" } });
  const { exit, stderr } = await world.run(plan, { paths: [] });
  expect(exit).toBe(1);
  expect(stderr).toContain('catalog_types/tool/entries/saw: the attribute "tier" cannot be "silver"');
  expect(stderr).toContain(
    "The files leave this value of the workspace alone: declare another one, or null to remove it.",
  );
});
