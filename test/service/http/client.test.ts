import nock from "nock";
import { describe, expect, it } from "vitest";
import { reader } from "../../../src/service/http/client.ts";
import { ApprovalPending, ServiceError } from "../../../src/service/requests/service-error.ts";
import { UnexpectedResponse } from "../../../src/service/requests/unexpected-response.ts";
import { base, connected, envelope, json, member, path, rejection, service } from "./nocked.ts";

describe("a request", () => {
  it("has the bearer token, accepts JSON and follows no redirect", async () => {
    service({
      reqheaders: { authorization: "Bearer ff_ordinary", accept: "application/json" },
      badheaders: ["content-type"],
    })
      .get(path)
      .query({ include_disabled: "true", source: "a b&c" })
      .reply(200, { severities: [] }, { ...json, date: "Thu, 01 May 2031 10:00:00 GMT" });
    const answer = await connected().get({ path, query: { include_disabled: "true", source: "a b&c" } });
    expect(answer).toEqual({ status: 200, body: { severities: [] }, date: new Date("2031-05-01T10:00:00Z") });
  });

  it("sends a body as JSON", async () => {
    service({ reqheaders: { "content-type": "application/json" } })
      .post(path, { name: "Größe", position: 1 })
      .reply(201, { id: "1" }, json);
    expect((await connected().send("POST", { path }, { name: "Größe", position: 1 })).status).toBe(201);
  });

  it("sends no body without one, and accepts an empty response to a deletion", async () => {
    service({ badheaders: ["content-type"] })
      .delete(member, "")
      .reply(204);
    expect((await connected().send("DELETE", { path: member }, null)).body).toBeNull();
  });

  it("uses the admin token for admin requests, and the ordinary one if there is none", async () => {
    service({ reqheaders: { authorization: "Bearer ff_admin" } })
      .get("/api/v1/agents")
      .reply(200, {}, json);
    await connected({ adminToken: "ff_admin" }).get({ path: "/api/v1/agents", admin: true });
    service({ reqheaders: { authorization: "Bearer ff_ordinary" } })
      .get("/api/v1/agents")
      .reply(200, {}, json);
    await connected().get({ path: "/api/v1/agents", admin: true });
  });

  it("has a user agent", async () => {
    service({ reqheaders: { "user-agent": "somebody/1.0" } })
      .get(path)
      .reply(200, {}, json);
    expect((await connected({ userAgent: "somebody/1.0" }).get({ path })).status).toBe(200);
  });

  it("has no token if there is none", async () => {
    service({ badheaders: ["authorization"] })
      .get(path)
      .reply(200, {}, json);
    await connected({ token: undefined }).get({ path });
  });

  it.each([
    "/api/v1/severities/..",
    "/api/v1/severities/%2e%2E/agents",
    "/api/v1/a?b=c",
    "/api/v2/a",
    "//evil.example/",
    "@evil.example/api/v1/a",
  ])("is never sent to %s", async (odd) => {
    await expect(connected().get({ path: odd })).rejects.toThrow("is not a path of the interface");
  });

  it("is refused with an invalid token, or to a URL other than https or loopback", () => {
    expect(() => connected({ token: "a b" })).toThrow("INCIDENTCTL_TOKEN");
    expect(() => connected({ adminToken: "a b" })).toThrow("INCIDENTCTL_ADMIN_TOKEN");
    expect(() => connected({ baseUrl: "http://incidents.example.com" })).toThrow("plain http");
  });
});

describe("a reader", () => {
  it("has no way to write", async () => {
    service().get(path).reply(200, { severities: [] }, json);
    const readOnly = reader(connected());
    expect(Object.keys(readOnly)).toEqual(["host", "get"]);
    expect(readOnly.host).toBe(base);
    expect((await readOnly.get({ path })).status).toBe(200);
  });
});

describe("a refusal", () => {
  it("becomes a typed error with all parts of the error object", async () => {
    service()
      .patch(member)
      .reply(
        422,
        envelope("validation_error", "Name can't be blank", {
          errors: [{ field: "name", message: "can't be blank" }, { message: "no field" }, { field: 3 }, "text"],
        }),
        json,
      );
    const error = await rejection(connected().send("PATCH", { path: member }, { name: "" }), ServiceError);
    expect(error).toMatchObject({
      status: 422,
      type: "validation_error",
      message: "Name can't be blank",
      requestId: "6f1c",
      errors: [{ field: "name", message: "can't be blank" }, { message: "no field" }, { message: "is not valid" }],
      request: { method: "PATCH", path: member },
    });
  });

  it.each([
    [
      "a page",
      "<html>\u0007\n <b>Bad gateway</b></html>",
      { "content-type": "text/html" },
      "text/html: <html> <b>Bad gateway</b></html>",
    ],
    ["nothing", "", {}, "no error object, but no content type"],
    ["a string", '"no"', json, '"no"'],
    ["an error that is null", '{"error":null}', json, '{"error":null}'],
    ["an error without a message", '{"error":{"type":"unauthorized"}}', json, "unauthorized"],
    ["a torn object", '{"error":', json, '{"error":'],
    ["a long text", "x".repeat(500), { "content-type": "text/plain" }, `${"x".repeat(120)}…`],
  ])("keeps its status when its body is %s", async (_what, body, headers, message) => {
    service().get(path).reply(401, body, headers);
    const error = await rejection(connected().get({ path }), ServiceError);
    expect(error).toMatchObject({ status: 401, type: undefined, requestId: undefined, errors: [] });
    expect(error.message).toContain(message);
  });

  it("differs from a change that waits for approval", async () => {
    service()
      .patch(member)
      .reply(202, { ...envelope("approval_required", "Somebody must approve"), approval_id: "ap-7" }, json);
    const error = await rejection(connected().send("PATCH", { path: member }, {}), ApprovalPending);
    expect(error).toMatchObject({ approvalId: "ap-7", message: "Somebody must approve", requestId: "6f1c" });
  });

  it("is pending without an approval id as well", async () => {
    service()
      .patch(member)
      .reply(202, { error: { type: "approval_required", message: "Wait" } }, json);
    const error = await rejection(connected().send("PATCH", { path: member }, {}), ApprovalPending);
    expect(error).toMatchObject({ approvalId: "", requestId: undefined });
  });

  it("needs no more than a message", async () => {
    service()
      .get(path)
      .reply(404, { error: { message: "Gone" } }, json);
    const error = await rejection(connected().get({ path }), ServiceError);
    expect(error).toMatchObject({ message: "Gone", type: undefined, requestId: undefined, errors: [] });
  });

  it("is not a 202 with the resource", async () => {
    service().post(path).reply(202, { id: "1", slug: "major" }, json);
    expect((await connected().send("POST", { path }, {})).body).toEqual({ id: "1", slug: "major" });
  });
});

describe("an invalid response", () => {
  it.each([
    [
      "a page with status 200",
      "GET",
      200,
      "<html>Sign in</html>",
      { "content-type": "text/html" },
      "200 and text/html: <html>Sign in</html>",
    ],
    ["JSON called text", "GET", 200, "{}", { "content-type": "text/plain" }, "text/plain"],
    ["JSON without a type", "GET", 200, "{}", {}, "no content type"],
    ["JSON in UTF-16", "GET", 200, "{}", { "content-type": "application/json; charset=utf-16" }, "utf-16"],
    ["torn JSON", "GET", 200, '{"severities":[', json, '{"severities":['],
    ["text that is not UTF-8", "GET", 200, Buffer.from([0x22, 0xff, 0x22]), json, "not UTF-8"],
    ["text that ends within a character", "GET", 200, Buffer.from([0x22, 0xc3]), json, "not UTF-8"],
    ["null", "GET", 200, "null", json, "an empty body"],
    ["a string", "GET", 200, '"ok"', json, 'not an object: "ok"'],
    ["nothing to a read", "GET", 200, "", json, "an empty body"],
    ["204 to a change", "PATCH", 204, "", {}, "an empty body"],
    ["a list to a creation", "POST", 201, "[]", json, "not an object: []"],
    ["a page to a deletion", "DELETE", 200, "<html>", { "content-type": "text/html" }, "text/html"],
  ] as const)("%s is refused, once", async (_what, method, status, body, headers, message) => {
    service().intercept(path, method).reply(status, body, headers);
    const writer = connected();
    const asked = method === "GET" ? writer.get({ path }) : writer.send(method, { path }, {});
    const error = await rejection(asked, UnexpectedResponse);
    expect(error.message).toContain(message);
    expect(error).toMatchObject({ status, request: { method, path } });
  });

  it.each(["application/json", "application/problem+json", "text/json", 'application/json;charset="UTF-8"'])(
    "has the content type %s",
    async (type) => {
      service().get(path).reply(200, "{}", { "content-type": type });
      expect((await connected().get({ path })).body).toEqual({});
    },
  );

  it("is larger than the limit", async () => {
    service()
      .post(path)
      .reply(201, `{"a":"${"x".repeat(9 * 1024 * 1024)}"}`, json);
    const error = await rejection(connected().send("POST", { path }, {}), UnexpectedResponse);
    expect(error.message).toContain("more than 8 MiB");
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    "is a redirect with status %i, which is not followed",
    async (status) => {
      service().post(path).reply(status, "", { location: "https://evil.example/api/v1/severities" });
      const error = await rejection(connected().send("POST", { path }, { name: "secret" }), UnexpectedResponse);
      expect(error.message).toContain("redirect");
      expect(error.status).toBe(status);
    },
  );

  it("has a status outside those of HTTP", async () => {
    const error = await rejection(connected({ fetch: async () => Response.error() }).get({ path }), UnexpectedResponse);
    expect(error.message).toContain("0: a status that the interface does not have");
  });
});

describe("a body", () => {
  it.each(['{"__proto__":{"polluted":true},"a":1}', '{"\\u005f_proto__":{"polluted":true},"a":1}'])(
    "cannot bring a prototype: %s",
    async (text) => {
      service().get(path).reply(200, text, json);
      const { body } = await connected().get({ path });
      expect(Object.getPrototypeOf(body)).not.toBe(Object.prototype);
      expect(body).not.toHaveProperty("constructor");
      expect(Object.entries(body ?? {})).toEqual([
        ["__proto__", { polluted: true }],
        ["a", 1],
      ]);
      expect(body).not.toHaveProperty("polluted");
      expect({}).not.toHaveProperty("polluted");
    },
  );

  it("may begin with a byte order mark", async () => {
    service().get(path).reply(200, "\ufeff{}", json);
    expect((await connected().get({ path })).body).toEqual({});
  });
});

describe("a response without a length", () => {
  it("is complete if it was made in this process, as the plain reply of a mock is", async () => {
    nock(base).get(path).reply(200, { severities: [] });
    expect((await connected().get({ path })).body).toEqual({ severities: [] });
    nock(base).post(path).reply(201, { id: "1" });
    expect((await connected().send("POST", { path }, { name: "A" })).status).toBe(201);
  });

  it("may still be cut if it was received", async () => {
    const cut = new Response('{"severities":[]}', { headers: json });
    const received = { status: 200, url: `${base}${path}`, headers: cut.headers, body: cut.body, type: "basic" };
    const error = await rejection(connected({ fetch: async () => received }).get({ path }), UnexpectedResponse);
    expect(error.message).toContain("a body of unknown length");
  });
});
