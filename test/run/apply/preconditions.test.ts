import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../src/plan/model/plan.ts";
import { NotAsPlanned, Unchecked } from "../../../src/run/exchange/failure.ts";
import { type Answering, error, except, fine, operation, run } from "./run.ts";

describe("an operation with a precondition", () => {
  const guard = {
    path: "/api/v1/rules",
    query: { source: "A" },
    list: "rules",
    identity: ["id", "priority"],
    row: { priority: 2 },
    held: { outcome: fingerprint({ action: "drop" }) },
  };
  const guarded = operation("a", { method: "DELETE", path: "/api/v1/rules/2", guard, admin: true });
  const listing = (...rows: object[]): Answering => except({ GET: [200, { rules: rows }] });

  it("is sent if its resource is as planned", async () => {
    const asPlanned = listing({ priority: 1 }, { priority: 2, outcome: { action: "drop" }, id: "r" });
    expect((await run([guarded], asPlanned)).sent).toEqual([
      "GET /rules?source=A as admin",
      "DELETE /rules/2 as admin",
    ]);
  });

  it.each([
    ["is another one", [{ priority: 2, outcome: { action: "notify_only" } }]],
    ["lacks what was planned from", [{ priority: 2 }]],
  ])("is not sent if its resource %s", async (_what, rows) => {
    const { sent, result } = await run([guarded, operation("b")], listing(...rows));
    expect(sent).toEqual(["GET /rules?source=A as admin"]);
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(NotAsPlanned) });
    expect((await run([guarded, operation("b")], listing(...rows), { keepGoing: true })).told).toEqual([
      "a failed",
      "b done",
    ]);
  });

  it.each([
    ["is gone", []],
    ["is gone and another stands elsewhere", [{ priority: 3, outcome: { action: "drop" } }]],
  ])("is not sent and counts as done if the resource to remove %s", async (_what, rows) => {
    const { sent, result } = await run([guarded], listing(...rows));
    expect(sent).toEqual(["GET /rules?source=A as admin"]);
    expect(result.outcomes[0]).toMatchObject({ status: "done", gone: true });
    const change = await run([{ ...guarded, method: "PATCH", body: {} }], listing(...rows));
    expect(change.result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(NotAsPlanned) });
  });

  it.each([
    ["another row stands behind them", [{ priority: 1 }, { priority: 2 }]],
    ["a row is gone", []],
    ["another row stands in the place", [{ priority: 2 }]],
  ])("is not added to a list without keys if %s", async (_what, rows) => {
    const { row: _row, held: _held, ...list } = guard;
    const added = operation("a", { method: "POST", guard: { ...list, known: [{ priority: 1 }], repeatable: true } });
    const { sent, result } = await run([added], listing(...rows));
    expect(sent).toEqual(["GET /rules?source=A"]);
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(NotAsPlanned) });
    expect((await run([added], listing({ priority: 1, id: "r" }))).told).toEqual(["a done"]);
  });

  it("is not created if somebody has created a resource with its name since the plan", async () => {
    const body = { name: "chat" };
    const { row: _row, held: _held, ...list } = guard;
    const creation = operation("a", { method: "POST", body, guard: { ...list, names: [body], repeatable: true } });
    const { sent, result } = await run([creation], listing({ id: "7", name: "other" }, { id: "8", name: "chat" }));
    expect(sent).toEqual(["GET /rules?source=A"]);
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(NotAsPlanned) });
  });

  it("fails, and is not uncertain, if the check cannot be made", async () => {
    const { told, result } = await run([guarded, operation("b")], except({ GET: [501, error("oops")] }), {
      keepGoing: true,
    });
    expect(told).toEqual(["a failed", "b skipped"]);
    expect(result.outcomes[0]).toMatchObject({ error: expect.any(Unchecked) });
  });

  it("is not sent if its check is an internal error", async () => {
    const astray = { ...guarded, guard: { ...guard, path: "/api/v2/rules" } };
    await expect(run([astray], fine)).rejects.toThrow("not a path of the interface");
  });

  it("is checked again before a retry", async () => {
    let writes = 0;
    const answering: Answering = ({ line }) => {
      if (line.startsWith("GET"))
        return [200, { rules: [{ priority: 2, outcome: { action: writes === 0 ? "drop" : "notify_only" } }] }];
      writes++;
      return [429, error("slow down")];
    };
    const { sent, result } = await run([guarded], answering);
    expect(sent.map((line) => line.split(" ")[0])).toEqual(["GET", "DELETE", "GET"]);
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(NotAsPlanned) });
  });
});
