import { describe, expect, it } from "vitest";
import { TokenNotStored } from "../../../src/run/exchange/failure.ts";
import { noSink } from "../../../src/run/tokens/sink.ts";
import { type Answering, brokenSink, operation, run } from "../apply/run.ts";

describe("a one-time token", () => {
  const token = "ff_0123456789abcdefghijk";
  const creation = operation("a", { method: "POST", path: "/api/v1/robots", address: "robots/a", reveals: "token" });
  const revealing: Answering = () => [201, { slug: "a", token }];

  it("is saved before the operation is done, with its prefix", async () => {
    const { kept, told } = await run([creation], revealing);
    expect(told).toEqual(["a done"]);
    expect(kept).toMatchObject([{ address: "robots/a", prefix: "ff_012345678" }]);
    expect(kept[0]?.token.reveal()).toBe(token);
  });

  it("is saved even if the response has another error", async () => {
    const { kept, told } = await run([{ ...creation, expects: { slug: "other" } }], revealing);
    expect(told).toEqual(["a failed"]);
    expect(kept).toHaveLength(1);
  });

  it("is in no event and no result", async () => {
    const { events, result } = await run([creation], revealing);
    expect(JSON.stringify([events, result])).not.toContain(token.slice(12));
  });

  it("cannot be inserted into another request", async () => {
    const greedy = operation("b", { inserts: [{ at: "/body/x", address: "robots/a", fields: ["token"] }] });
    const { sent } = await run([creation, greedy], revealing);
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["the sink fails", revealing, "prefix ff_012345678) could not be stored: the disk is full"],
    ["the answer holds none", (() => [201, { slug: "a" }]) as Answering, "the response has none"],
    ["the answer holds an empty one", (() => [201, { token: "" }]) as Answering, "the response has none"],
  ])("is uncertain without a way to revoke it, and the run ends, if %s", async (_why, answering, message) => {
    const { told, result } = await run([creation, operation("b")], answering, {
      sink: brokenSink("keep"),
      keepGoing: true,
    });
    expect(told).toEqual(["a unknown", "b skipped"]);
    expect(result.outcomes[0]).toMatchObject({ error: expect.any(TokenNotStored) });
    expect(result.outcomes[0]).toMatchObject({ error: { message: expect.stringContaining(message) } });
    expect(JSON.stringify(result)).not.toContain(token.slice(12));
  });

  it("is not printed by a sink with an unexpected error", async () => {
    const keep = () => Promise.reject(new RangeError(token));
    const { result } = await run([creation], revealing, { sink: { probe: async () => undefined, store: keep } });
    expect(result.outcomes[0]).toMatchObject({ error: { message: expect.stringContaining("the sink failed") } });
  });

  it("is not requested without a sink", async () => {
    await expect(run([operation("b"), creation], revealing, { sink: noSink })).rejects.toThrow("nowhere to store it");
  });

  it("is not requested if it could not be saved", async () => {
    await expect(run([operation("b"), creation], revealing, { sink: brokenSink("probe") })).rejects.toThrow(
      "the disk is full",
    );
  });
});
