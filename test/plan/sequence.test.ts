import { expect, test } from "vitest";
import { serviceFor } from "../support/service.ts";

test("a creation that mentions a new entry of its own kind depends on it, also when it needs its name afterwards", async () => {
  const service = serviceFor();
  const { operations } = await service.plan({
    catalog_types: [
      {
        slug: "team",
        entries: [{ slug: "blue", name: "Blue" }],
      },
      {
        slug: "service",
        entries: [{ slug: "billing", name: "Billing & more", attributes: { owner_team: "blue" } }],
      },
    ],
  });
  const made = operations.find(({ address }) => address === "catalog_types/team/entries/blue");
  const naming = operations.filter(({ address }) => address === "catalog_types/service/entries/billing");
  expect(naming.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(naming[0]?.depends_on).toEqual([made?.id]);
  service.emulator.close();
});
