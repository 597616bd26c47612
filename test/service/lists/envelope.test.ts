import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { memberOf, pageOf, rowsOf } from "../../../src/service/lists/envelope.ts";
import type { RequestLine } from "../../../src/service/requests/service-error.ts";
import { UnexpectedResponse } from "../../../src/service/requests/unexpected-response.ts";

const asked: RequestLine = { method: "GET", path: "/api/v1/severities" };
const answer = (body: Json) => ({ status: 200, body });

describe("the rows of a list", () => {
  it.each([{ severities: [{ slug: "major" }] }, { severities: [{ slug: "major" }], more: 1 }, [{ slug: "major" }]])(
    "are found in %j",
    (body) => {
      expect(rowsOf(asked, answer(body), "severities")).toEqual([{ slug: "major" }]);
    },
  );

  it.each([
    [{}, 'without an array under "severities"'],
    [{ data: [] }, 'without an array under "severities"'],
    [{ severities: {} }, 'without an array under "severities"'],
    [{ severities: null }, 'without an array under "severities"'],
    [null, 'without an array under "severities"'],
    [[], 'without an array under "severities"'],
    [{ severities: [{}, "major"] }, "/severities/1 is not an object"],
    [{ severities: [[]] }, "/severities/0 is not an object"],
  ])("are an error and not an empty list: %j", (body, message) => {
    expect(() => rowsOf(asked, answer(body), "severities")).toThrow(UnexpectedResponse);
    expect(() => rowsOf(asked, answer(body), "severities")).toThrow(message);
  });
});

describe("the member in a response", () => {
  it.each([
    [{ slug: "major" }, { slug: "major" }],
    [{ severity: { slug: "major" } }, { slug: "major" }],
    [
      { severity: "major", slug: "a" },
      { severity: "major", slug: "a" },
    ],
    [
      { severity: { slug: "major" }, token: "ff_1" },
      { slug: "major", token: "ff_1" },
    ],
    [null, {}],
  ])("of %j is %j", (body, member) => {
    expect(memberOf(body, "severity")).toEqual(member);
  });
});

describe("the page of a response", () => {
  it.each([
    [{ pagination: { page: 1, per_page: 25, total: 0, total_pages: 0 } }, { perPage: 25, total: 0 }],
    [{ pagination: { page: "1", per_page: "25", total: "30" } }, { perPage: 25, total: 30 }],
    [{}, undefined],
    [{ pagination: null }, undefined],
    [[], undefined],
  ])("of %j is %j", (body, page) => {
    expect(pageOf(asked, answer(body))).toEqual(page);
  });

  it.each([
    {},
    "1",
    { total: 1 },
    { per_page: 25, total: "" },
    { per_page: 25, total: "1.5" },
    { per_page: "0", total: 1 },
    { per_page: 0, total: 1 },
    { per_page: 25, total: -1 },
    { per_page: 25, total: 1.5 },
  ])("is refused if it is %j", (pagination) => {
    expect(() => pageOf(asked, answer({ pagination }))).toThrow(UnexpectedResponse);
  });
});
