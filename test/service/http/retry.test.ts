import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  classifyFailure,
  type FailureClass,
  RETRY_RULES,
  RetryBudget,
  retryDelay,
} from "../../../src/service/http/retry.ts";
import { TransportError } from "../../../src/service/http/transport-error.ts";
import { retryAfterSeconds } from "../../../src/service/requests/response.ts";
import { ApprovalPending, type RequestLine, ServiceError } from "../../../src/service/requests/service-error.ts";
import { UnexpectedResponse } from "../../../src/service/requests/unexpected-response.ts";

const asked: RequestLine = { method: "PATCH", path: "/api/v1/severities/major" };

function refusal(status: number, retryAfter?: number): ServiceError {
  return new ServiceError(asked, status, { type: "refused", message: "no", requestId: "r1", errors: [] }, retryAfter);
}

/** A response without the interface's error object, as a gateway sends it. */
function page(status: number, method = asked.method): ServiceError {
  return new ServiceError({ ...asked, method }, status, { message: "no error object", errors: [] });
}

function transport(applied: "no" | "unknown", timedOut = false): TransportError {
  return new TransportError(asked, { message: "broken", applied, timedOut });
}

describe("the retry table", () => {
  const rows: readonly [unknown, FailureClass][] = [
    [transport("no"), "unreachable"],
    [transport("unknown"), "lost"],
    [refusal(429), "throttled"],
    ...[400, 401, 403, 404, 410, 422].map((status): [unknown, FailureClass] => [refusal(status), "refused"]),
    [refusal(409), "outdated"],
    ...[408, 500, 502, 503, 504].map((status): [unknown, FailureClass] => [refusal(status), "unavailable"]),
    ...[501, 505, 520, 999].map((status): [unknown, FailureClass] => [refusal(status), "strange"]),
    [new ApprovalPending(asked, "a1", { message: "wait", errors: [] }), "pending"],
    [new UnexpectedResponse(asked, 200, "a page"), "strange"],
    [new UnexpectedResponse(asked, 301, "a redirect"), "strange"],
    ...[400, 401, 403, 404, 409, 413, 422, 429, 451, 499].map((status): [unknown, FailureClass] => [
      page(status),
      "strange",
    ]),
    ...[408, 500, 502, 503, 504].map((status): [unknown, FailureClass] => [page(status), "unavailable"]),
    [page(429, "GET"), "throttled"],
    [page(404, "GET"), "refused"],
  ];

  it.each(rows)("reads %s as %s", (error, sign) => {
    expect(classifyFailure(error)).toBe(sign);
  });

  it("does not apply to an error without a request", () => {
    expect(classifyFailure(new Error("a fault of this program"))).toBeUndefined();
  });

  it("retries a write only if it was certainly not applied", () => {
    for (const rule of Object.values(RETRY_RULES)) {
      if (rule.write === "retry") expect(rule.applied).toBe("no");
      if (rule.write === "resolve") expect(rule.applied).toBe("unknown");
    }
  });
});

describe("the wait before another attempt", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it("is random in an interval that doubles from 250 ms to 20 s", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), chance, (attempt, random) => {
        const wait = retryDelay(refusal(503), attempt, random) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThan(Math.min(20_000, 250 * 2 ** (attempt - 1)) + 1e-6);
        expect(retryDelay(refusal(503), attempt, 0)).toBe(0);
      }),
    );
  });

  it("is at least what the service asks for and a second, and at most a tenth longer", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), chance, (seconds, random) => {
        const wait = retryDelay(refusal(429, seconds), 1, random) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(Math.max(1_000, seconds * 1000));
        expect(wait).toBeLessThan(Math.max(1_000, seconds * 1100) + 1);
      }),
    );
  });

  it("does not exist if the service asks for more than two minutes", () => {
    expect(retryDelay(refusal(429, 121), 1, 0)).toBeUndefined();
    expect(retryDelay(refusal(503, 1e9), 1, 0)).toBeUndefined();
  });

  it("is in seconds if a throttling service gives no time", () => {
    expect([1, 2, 3, 4].map((attempt) => retryDelay(refusal(429), attempt, 0.5))).toEqual([1500, 2000, 3000, 5000]);
    expect(retryDelay(refusal(429), 30, 0)).toBe(1000);
  });
});

describe("Retry-After", () => {
  const date = new Date("2031-05-01T10:00:00Z");

  it.each([
    [null, undefined],
    ["7", 7],
    ["0", 0],
    ["-5", 0],
    ["1000000000", 1e9],
    ["", undefined],
    ["abc", undefined],
    ["1e9", undefined],
    ["7, 8", undefined],
    ["1.5", undefined],
    ["Thu, 01 May 2031 10:00:09 GMT", 9],
    ["Thu, 01 May 2031 09:00:00 GMT", 0],
    ["Thu, 99 May 2031 10:00:09 GMT", undefined],
    ["2031-05-01T10:00:09Z", undefined],
  ])("reads %j as %s", (header, seconds) => {
    expect(retryAfterSeconds(header, date)).toBe(seconds);
  });

  it("is ignored as a date if the response has no date", () => {
    expect(retryAfterSeconds("Thu, 01 May 2031 10:00:09 GMT", undefined)).toBeUndefined();
  });
});

describe("the budget of a run", () => {
  it("allows twenty retries, ten of them after timeouts, and grows with each success", () => {
    const repetitions = new RetryBudget();
    expect(Array.from({ length: 21 }, () => repetitions.afford(refusal(503))).filter(Boolean)).toHaveLength(20);
    const timeouts = new RetryBudget();
    expect(Array.from({ length: 11 }, () => timeouts.afford(transport("unknown", true))).filter(Boolean)).toHaveLength(
      10,
    );
    for (let success = 0; success < 5; success++) timeouts.succeed();
    expect(timeouts.afford(transport("unknown", true))).toBe(false);
    expect(timeouts.afford(transport("unknown"))).toBe(true);
    for (let success = 0; success < 1000; success++) timeouts.succeed();
    expect(Array.from({ length: 21 }, () => timeouts.afford(refusal(503))).filter(Boolean)).toHaveLength(20);
  });
});
