import { describe, expect, it } from "vitest";
import { TransportError } from "../../../src/service/http/transport-error.ts";
import { ServiceError } from "../../../src/service/requests/service-error.ts";
import { clock, connected, envelope, json, member, path, rejection, retries, service } from "./nocked.ts";

describe("a retry", () => {
  it.each([408, 429, 500, 502, 503, 504])("of a read after %i happens up to five times in all", async (status) => {
    service().get(path).times(4).reply(status, envelope("x", "later"), json);
    service().get(path).reply(200, { severities: [] }, json);
    expect((await connected().get({ path })).status).toBe(200);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    service().get(path).times(5).reply(status, envelope("x", "later"), json);
    expect((await rejection(connected().get({ path }), ServiceError)).status).toBe(status);
  });

  it.each([400, 401, 403, 404, 409, 422, 501])("of a read after %i does not happen", async (status) => {
    service().get(path).reply(status, envelope("x", "no"), json);
    expect((await rejection(connected().get({ path }), ServiceError)).status).toBe(status);
    expect(retries).toEqual([]);
  });

  describe.each(["POST", "PATCH", "DELETE"] as const)("%s", (method) => {
    it("happens up to three times after 429", async () => {
      service().intercept(path, method).times(3).reply(429, envelope("rate_limit_exceeded", "slow down"), json);
      const error = await rejection(connected().send(method, { path }, {}), ServiceError);
      expect(error.status).toBe(429);
      expect(retries).toHaveLength(2);
    });

    it.each([408, 500, 502, 503, 504])(
      "does not happen after %i, since the write may have been applied",
      async (status) => {
        service().intercept(path, method).reply(status, envelope("x", "oops"), json);
        expect((await rejection(connected().send(method, { path }, {}), ServiceError)).status).toBe(status);
        expect(retries).toEqual([]);
      },
    );

    it("does not happen after a broken connection, since the write may have been applied", async () => {
      service()
        .intercept(path, method)
        .replyWithError(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
      const error = await rejection(connected().send(method, { path }, {}), TransportError);
      expect(error).toMatchObject({ applied: "unknown", code: "ECONNRESET" });
    });

    it("happens after a failed connection, with the same bytes", async () => {
      const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" });
      service().intercept(path, method, { name: "A" }).times(2).replyWithError(refused);
      service().intercept(path, method, { name: "A" }).reply(200, {}, json);
      expect((await connected().send(method, { path }, { name: "A" })).status).toBe(200);
      expect(retries).toHaveLength(2);
    });
  });

  it("of a write checks again before it, and does not happen if the check fails", async () => {
    const throttled = envelope("rate_limit_exceeded", "slow down");
    service().patch(member).times(2).reply(429, throttled, json);
    let checks = 0;
    const moved = new Error("moved");
    const recheck = async () => {
      if (++checks === 2) throw moved;
    };
    await expect(connected().send("PATCH", { path: member }, {}, recheck)).rejects.toBe(moved);
  });

  it("checks the preconditions of a write again, once, after a delay by the rate limit, and stops if they fail", async () => {
    service().get(path).times(3).reply(200, {}, json);
    service().patch(member).reply(200, {}, json);
    const writer = connected({ requestsPerMinute: 2 });
    const full = () => Promise.all([writer.get({ path }), writer.get({ path })]);
    const checked: number[] = [];
    const recheck = async () => {
      checked.push(clock.now());
    };
    await full();
    await writer.send("PATCH", { path: member }, {}, recheck);
    expect(checked).toEqual([60_001]);
    await writer.get({ path });
    // No PATCH is left that the service would answer.
    const moved = new Error("moved");
    await expect(writer.send("PATCH", { path: member }, {}, () => Promise.reject(moved))).rejects.toBe(moved);
    expect(retries).toEqual([]);
  });

  it("does not check again after a short wait", async () => {
    service().get(path).reply(200, {}, json);
    service().patch(member).reply(200, {}, json);
    const writer = connected({ requestsPerMinute: 1 });
    await writer.get({ path });
    await clock.sleep(58_500);
    await writer.send("PATCH", { path: member }, {}, () => Promise.reject(new Error("asked again")));
    expect(clock.now()).toBe(60_001);
  });

  it("waits as long as the service asks, with any local clock", async () => {
    service().get(path).reply(503, "", {
      date: "Thu, 01 May 2031 10:00:00 GMT",
      "retry-after": "Thu, 01 May 2031 10:00:30 GMT",
    });
    service().get(path).reply(200, {}, json);
    await connected().get({ path });
    expect(retries[0]?.waitMilliseconds).toBe(31_500);
    expect(clock.now()).toBe(31_500);
  });

  it("does not happen if the service asks for more than two minutes", async () => {
    service()
      .get(path)
      .reply(429, envelope("rate_limit_exceeded", "later"), { ...json, "retry-after": "121" });
    const error = await rejection(connected().get({ path }), ServiceError);
    expect(error.retryAfterSeconds).toBe(121);
    expect(retries).toEqual([]);
  });

  it("of a throttled request makes every request wait", async () => {
    service()
      .get(path)
      .reply(429, envelope("rate_limit_exceeded", "later"), { ...json, "retry-after": "20" });
    service().get(path).reply(200, {}, json);
    service().get("/api/v1/statuses").reply(200, {}, json);
    const writer = connected({
      onRetry: () => {
        other = writer.get({ path: "/api/v1/statuses" }).then(() => clock.now());
      },
    });
    let other: Promise<number> | undefined;
    await writer.get({ path });
    expect(await other).toBeGreaterThanOrEqual(20_000);
  });

  it("counts against the budget of the run", async () => {
    service().get(path).times(26).reply(503, envelope("x", "down"), json);
    const writer = connected();
    for (let request = 0; request < 6; request++) await rejection(writer.get({ path }), ServiceError);
    // Five reads are made five times each; then the twenty repetitions of a run are used up.
    expect(retries).toHaveLength(20);
  });

  it("counts in the rate limit", async () => {
    service().get(path).times(2).reply(500, envelope("x", "oops"), json);
    service().get(path).reply(200, {}, json);
    await connected({ requestsPerMinute: 2, random: () => 0 }).get({ path });
    expect(clock.now()).toBeGreaterThan(60_000);
  });
});
