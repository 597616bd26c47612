/** Where messages about computed values lead in files of other programs. */

import { expect, test } from "vitest";
import { validate } from "../../../src/app/files/validate-command.ts";
import { catalogText } from "../../../src/app/init/starter-files.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { useCatalogWorld } from "./catalog-world.ts";

const catalog = useCatalogWorld();

const FILES = {
  "catalog.yaml": catalogText("backstage"),
  "groups/catalog-info.yaml": "kind: Group\nmetadata: { name: payments-team }\n",
  "checkout/catalog-info.yaml": `kind: Component
metadata:
  name: checkout
  namespace: emea
spec:
  type: service
  owner: payment-team
`,
};

test("A missing owner that an expression computes is told at its line, as the file has it, with the nearest name", async () => {
  await catalog.world.write(FILES);
  const place = "checkout/catalog-info.yaml:7:10";
  const validated = await catalog.world.run(validate, { paths: [] });
  expect(validated.stderr).toContain(`${place}: warning[A015]`);
  expect(validated.stderr).toContain('there is no catalog entry "emea/payment-team" of team');
  expect(validated.stderr).toContain('Did you mean "payments_team"?');
  const planned = await catalog.world.run(plan, { paths: [] });
  expect(planned.stderr).toContain(`${place}: error[E_REF]`);
  expect(planned.stderr).toContain('("emea/payment-team"), which is neither in the files nor in the workspace');
  expect(planned.stderr).toContain('Did you mean "payments_team"?');
});
