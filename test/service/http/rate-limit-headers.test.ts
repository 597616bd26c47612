import { expect, test } from "vitest";
import { readAllowance } from "../../../src/service/http/rate-limit.ts";

const date = new Date("2026-11-21T08:00:00Z");

test.each<[Record<string, string>, unknown]>([
  [
    { "ratelimit-remaining": "7", "ratelimit-reset": "30" },
    { remaining: 7, milliseconds: 30_000 },
  ],
  [
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" },
    { remaining: 0, milliseconds: 30_000 },
  ],
  [
    { "x-ratelimit-remaining": "7", "x-ratelimit-reset": String(date.getTime() / 1000 + 12) },
    { remaining: 7, milliseconds: 12_000 },
  ],
  [
    { "x-ratelimit-remaining": "7", "x-ratelimit-reset": String(date.getTime() / 1000 - 12) },
    { remaining: 7, milliseconds: 0 },
  ],
  [{ "ratelimit-remaining": "7" }, undefined],
  [{ "ratelimit-reset": "7" }, undefined],
  [{ "ratelimit-remaining": "-1", "ratelimit-reset": "30" }, undefined],
  [{ "ratelimit-remaining": "many", "ratelimit-reset": "30" }, undefined],
  [{}, undefined],
])("the headers %j mean %j", (headers, allowance) => {
  expect(readAllowance(new Headers(headers), date)).toEqual(allowance);
});

test("a date is ignored without the time of the service", () => {
  const headers = new Headers({ "x-ratelimit-remaining": "7", "x-ratelimit-reset": "1795248000" });
  expect(readAllowance(headers, undefined)).toBeUndefined();
});
