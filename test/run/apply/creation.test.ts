import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/plan/model/plan.ts";
import { NotAsPlanned } from "../../../src/run/exchange/failure.ts";
import { type Answering, operation, run } from "./run.ts";

describe("the creation of a resource identified by its name", () => {
  const guard: NonNullable<Operation["guard"]> = {
    path: "/api/v1/hooks",
    query: {},
    list: "hooks",
    identity: ["id"],
    names: [{ name: "chat" }],
    repeatable: true,
  };
  const creation = operation("a", {
    method: "POST",
    path: "/api/v1/hooks",
    item: "hook",
    body: { name: "chat", url: "x" },
    guard,
  });
  const chat = (id: string) => ({ id, name: "chat", url: "x" });

  /** Every list as it is each time, the last one for good; the creation is answered by the network's failure. */
  const lists = (...each: readonly (readonly object[])[]): Answering => {
    const left = [...each];
    return ({ line }) => {
      if (!line.startsWith("GET"))
        throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
      const rows = left.length > 1 ? left.shift() : left[0];
      return [200, { hooks: [...(rows ?? [])] as never }];
    };
  };

  it("is not sent if it has been created since the plan", async () => {
    const { sent, result } = await run([creation], lists([{ id: "7", name: "other" }, chat("8")]));
    expect(sent).toEqual(["GET /hooks"]);
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(NotAsPlanned) });
  });

  it("is found by the only new resource with its name if its response was lost", async () => {
    const { told } = await run([creation], lists([], [chat("8")]));
    expect(told).toEqual(["a done"]);
  });

  it("is uncertain if two new resources match, and neither is used", async () => {
    const { told, sent } = await run([creation], lists([], [chat("8"), chat("9")]));
    expect(told).toEqual(["a unknown"]);
    expect(sent.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  it("is uncertain if the only new resource with its name differs from the request", async () => {
    const { told } = await run([creation], lists([], [{ ...chat("8"), url: "elsewhere" }]));
    expect(told).toEqual(["a unknown"]);
  });
});
