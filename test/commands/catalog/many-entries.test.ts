/** Mistakes that a source makes for each of many entries, as commands report them. */

import { expect, test } from "vitest";
import { validate } from "../../../src/app/files/validate-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { service, useCatalogWorld } from "./catalog-world.ts";

const catalog = useCatalogWorld();

const COUNT = 40;

/** Services of the tier. */
function services(tier: string): Readonly<Record<string, string>> {
  const names = Array.from({ length: COUNT }, (_, index) => `svc-${index}`);
  return Object.fromEntries(names.map((name) => [`services/${name}/catalog-info.yaml`, service(name, tier)]));
}

/** Services and teams out of one glob; `attribute` has the tier. */
function sources(attribute: string): string {
  return `catalog_types:
  - slug: team
    entries: [{ slug: payments, name: Payments }]
  - slug: service
    entries_from:
      files: services/svc-*/catalog-info.yaml
      slug: { jsonata: metadata.name }
      attributes:
        owner_team: { jsonata: spec.owner }
        ${attribute}: { jsonata: metadata.labels.tier }
`;
}

test("An attribute that a built-in type does not have is one finding of validate, at the source", async () => {
  await catalog.world.write({ "catalog.yaml": sources("tir"), ...services("Critical") });
  const ended = await catalog.world.run(validate, { paths: [], format: "json" });
  const { diagnostics } = JSON.parse(ended.stdout);
  expect(diagnostics).toEqual([
    {
      severity: "warning",
      code: "A015",
      address: "catalog_types/service",
      message: 'the catalog type service has no attribute "tir"',
      help: expect.stringContaining('Did you mean "tier"?'),
      file: "catalog.yaml",
      line: 10,
      column: 25,
      length: 20,
    },
  ]);
});

test("It is one finding of plan, where the live attributes are known", async () => {
  await catalog.world.write({ "catalog.yaml": sources("tir"), ...services("Critical") });
  const ended = await catalog.world.run(plan, { paths: [] });
  expect(ended.exit).toBe(1);
  expect(ended.stderr.match(/error\[/g)).toHaveLength(1);
  expect(ended.stderr).toContain(
    'catalog.yaml:10:25: error[E_REF]: the catalog type service has no attribute "tir" (40 times)',
  );
  expect(ended.stderr).toContain("services/svc-0/catalog-info.yaml:");
});

test("A waiver at the template waives the findings of all its entries", async () => {
  const waived = sources("tir").replace(
    "        tir:",
    "        # incidentctl: allow A015 until 2999-12-31 because the workspace has it\n        tir:",
  );
  await catalog.world.write({ "catalog.yaml": waived, ...services("Critical") });
  expect((await catalog.world.run(validate, { paths: [] })).stderr).toBe("");
});

test("An option that a built-in type does not have is one finding of validate and of plan", async () => {
  await catalog.world.write({ "catalog.yaml": sources("tier"), ...services("Crit") });
  const validated = await catalog.world.run(validate, { paths: [] });
  expect(validated.stderr.match(/warning\[/g)).toHaveLength(1);
  expect(validated.stderr).toContain(
    'catalog.yaml:10:26: warning[A015]: the attribute "tier" cannot be "Crit" (40 times)',
  );
  expect(validated.stderr).toContain("services/svc-0/catalog-info.yaml:");
  const planned = await catalog.world.run(plan, { paths: [] });
  expect(planned.stderr.match(/error\[/g)).toHaveLength(1);
});
