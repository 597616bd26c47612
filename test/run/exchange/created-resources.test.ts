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

test("the response to an update tells an address that nothing was created at", () => {
  const created = new CreatedResources();
  created.update({ address: "alert_sources/s" }, { name: "s" });
  expect(created.for({ depends_on: [] }, "alert_sources/s")).toEqual({ name: "s" });
  created.set({ id: "op-1", address: "alert_sources/s" }, { id: "1", name: "t" });
  expect(created.for({ depends_on: [] }, "alert_sources/s")).toEqual({ id: "1", name: "t" });
});
