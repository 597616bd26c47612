import { expect, test } from "vitest";
import { CreatedResources } from "../../../src/run/exchange/created-resources.ts";

test("of several creations of one address, an operation means the one that it depends on, or else the last", () => {
  const created = new CreatedResources();
  const operation = (id: string) => ({ id, address: "webhooks/w" });
  created.set(operation("op-1"), { id: "1" });
  created.set(operation("op-2"), { id: "2" });
  expect(created.for({ depends_on: ["op-1"] }, "webhooks/w")).toEqual({ id: "1" });
  expect(created.for({ depends_on: [] }, "webhooks/w")).toEqual({ id: "2" });
  expect(created.for({ depends_on: ["op-1"] }, "webhooks/x")).toBeUndefined();
  expect(created.besides(operation("op-2"))).toEqual([{ id: "1" }]);
});
