/** The suite's machinery against a service of a few lines: outcomes, clean-up, and what a report shows. */

import { expect, test } from "vitest";
import { allRules } from "../../src/conformance/all-rules.ts";
import { openSession } from "../../src/conformance/check.ts";
import type { FetchFunction } from "../../src/conformance/client.ts";
import { expectSame, expectStatus } from "../../src/conformance/expectation.ts";
import { type ConformanceRule, NotApplicable } from "../../src/conformance/rule.ts";
import { conformanceJson, resultLines, verdict } from "../../src/view/conformance/text.ts";

function rule(check: ConformanceRule["check"], basis: ConformanceRule["basis"] = "interface"): ConformanceRule {
  return { id: "some.rule", section: "Some heading", title: "something holds", basis, check };
}

function answering(status: number, body: string): FetchFunction {
  return () => new Response(status === 204 ? null : body, { status });
}

function session(fetch: FetchFunction) {
  return openSession({ url: "http://service.invalid", token: "ff_secret", fetch });
}

test("a rule whose check returns has passed", async () => {
  const result = await session(answering(200, "{}")).check(rule(async ({ client }) => void (await client.get("x"))));
  expect(result.outcome).toEqual({ kind: "passed" });
});

test("a failed rule says what was expected and seen, and shows the request without any token", async () => {
  const result = await session(answering(201, '{"token":"ff_new","id":"1"}')).check(
    rule(async ({ client }) => expectStatus(await client.post("agents", { name: "a" }), 200)),
  );
  expect(result.outcome).toEqual({
    kind: "failed",
    expected: "status 200",
    actual: '201 {"token":"(shown once)","id":"1"}',
    request: 'POST /api/v1/agents {"name":"a"} -> 201 {"token":"(shown once)","id":"1"}',
  });
});

test("a failed rule without an exchange of its own shows the last request", async () => {
  const result = await session(answering(200, "{}")).check(
    rule(async ({ client }) => {
      await client.get("severities");
      expectSame("rank", 1, 2);
    }),
  );
  expect(result.outcome).toMatchObject({ kind: "failed", request: "GET /api/v1/severities -> 200 {}" });
});

test("a deviation from a wire fact differs instead of failing, and does not count as a failure", async () => {
  const result = await session(answering(200, "{}")).check(rule(async () => expectSame("rank", 1, 2), "wire"));
  expect(result.outcome.kind).toBe("differs");
  expect(verdict([result])).toBe(
    "0 rules passed, 0 failed, 1 differs where the interface is silent, 0 are not applicable",
  );
});

test("a rule that needs what the caller did not give is not applicable, with the reason", async () => {
  const given = session(answering(200, "{}"));
  const admin = await given.check(rule(async (context) => void (await context.admin.get("agents"))));
  expect(admin.outcome).toEqual({
    kind: "not applicable",
    reason: "needs an administrator's token (INCIDENTCTL_CONFORMANCE_ADMIN_TOKEN)",
  });
  const own = await given.check(
    rule(async () => {
      throw new NotApplicable("transcripts are off");
    }),
  );
  expect(resultLines(own)).toEqual(["  – some.rule  something holds (transcripts are off)"]);
});

test("a lost connection fails the rule instead of ending the run", async () => {
  const result = await session(() => Promise.reject(new Error("socket hang up"))).check(
    rule(async ({ client }) => void (await client.get("x"))),
  );
  expect(result.outcome).toMatchObject({ kind: "failed", actual: '"Error: socket hang up"' });
});

test("clean-up runs last step first, after a failure too, and reports what was refused", async () => {
  const asked: string[] = [];
  const given = session((request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response('{"error":{}}', { status: request.method === "DELETE" ? 422 : 200 });
  });
  const result = await given.check(
    rule(async ({ client, cleanup }) => {
      cleanup(() => client.delete("first"));
      cleanup(() => client.patch("second"));
      expectSame("rank", 1, 2);
    }),
  );
  expect(asked).toEqual(["PATCH /api/v1/second", "DELETE /api/v1/first"]);
  const name = 'DELETE /api/v1/first -> 422 {"error":{}}';
  expect(result.leftovers).toEqual([{ kind: "request", name, state: "it was refused" }]);
});

test("shared resources are created once and removed when the session closes", async () => {
  const asked: string[] = [];
  const given = session((request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response(null, { status: 204 });
  });
  const sharing = rule(async (context) => {
    await context.once("thing", async () => {
      context.cleanup(() => context.client.delete("thing"));
      return (await context.client.post("thing")).status;
    });
  });
  await given.check(sharing);
  await given.check(sharing);
  expect(asked).toEqual(["POST /api/v1/thing"]);
  await given.close();
  expect(asked).toEqual(["POST /api/v1/thing", "DELETE /api/v1/thing"]);
});

test("names are never the same twice, within a session or between two", () => {
  const names: string[] = [];
  const naming = rule(async ({ name }) => void names.push(name("x"), name("x")));
  return Promise.all([1, 2].map(() => session(answering(200, "{}")).check(naming))).then(() => {
    expect(new Set(names).size).toBe(4);
  });
});

test("the JSON of a report holds every rule with its outcome, the counts and the dialects", async () => {
  const result = await session(answering(200, "{}")).check(rule(async () => undefined));
  const report = { service: "http://service.invalid", checkedAt: new Date(0), leftovers: [] };
  const dialects = [{ name: "slug", value: "accept" }] as const;
  expect(JSON.parse(conformanceJson({ ...report, results: [result], dialects }))).toEqual({
    format_version: 1,
    service: "http://service.invalid",
    checked_at: "1970-01-01T00:00:00.000Z",
    counts: { passed: 1, failed: 0, differs: 0, "not applicable": 0 },
    dialects,
    results: [
      {
        id: "some.rule",
        section: "Some heading",
        title: "something holds",
        basis: "interface",
        outcome: "passed",
        leftovers: [],
      },
    ],
    leftovers: [],
  });
});

const missing =
  '{"error":{"type":"not_found","message":"Resource not found","request_id":"3f0a52f1-2f0f-4b6a-8f43-6f6f2f0a52f1"}}';

test.each([
  ["404 to everything", answering(404, missing)],
  ["200 and an empty object to everything", answering(200, "{}")],
  ["500 and no JSON to everything", answering(500, "oops")],
])("a service that returns %s passes almost no rule", async (_, fetch) => {
  const given = openSession({
    url: "http://service.invalid",
    adminToken: "ff_admin",
    fetch,
    person: "a@b.c",
    chatId: "U1",
  });
  const passed: string[] = [];
  for (const each of allRules) {
    if ((await given.check(each)).outcome.kind === "passed") passed.push(each.id);
  }
  expect(passed.length, passed.join("\n")).toBeLessThan(allRules.length / 40);
});
