import { request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWebSite, signIn, type WebSite } from "./web-site.ts";

let site: WebSite;
beforeEach(async () => {
  site = await openWebSite();
});
afterEach(() => site.close());

test("the link signs in once, with a cookie that no script and no other site can use", async () => {
  const first = await fetch(site.link);
  expect(first.status).toBe(200);
  expect(first.headers.get("set-cookie")).toMatch(/^incidentctl_\w{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const second = await fetch(site.link);
  expect(second.status).toBe(401);
  expect(second.headers.get("set-cookie")).toBeNull();
  expect(await second.text()).toContain("This link no longer works");
});

test("without the cookie there is no page, and a wrong key opens none", async () => {
  for (const path of ["/", "/incidents", "/incidents/INC-1", "/anything", "/sign-in?key=wrong", "/sign-in"]) {
    const response = await fetch(`${site.url}${path}`);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("INC-");
  }
  const foreign = await fetch(`${site.url}/`, { headers: { cookie: "incidentctl_000000000000=wrong" } });
  expect(foreign.status).toBe(401);
});

test("every page forbids scripts of others, frames, and storing", async () => {
  const { cookie } = await signIn(site);
  const { headers } = await fetch(`${site.url}/`, { headers: { cookie } });
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("a request under a foreign host name gets no page, even with the cookie", async () => {
  const { cookie } = await signIn(site);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(site.url);
    request({ hostname, port, path: "/", headers: { host: "evil.example", cookie } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(403);
});

test("no page contains a token, whatever text has one", async () => {
  const { emulator } = site;
  const client = await signIn(site);
  await emulator.fetch(
    new Request("http://emulator/api/v1/incidents/INC-1", {
      headers: { authorization: `Bearer ${emulator.adminToken}` },
    }),
  );
  const severities = await emulator.fetch(
    new Request("http://emulator/api/v1/severities", { headers: { authorization: `Bearer ${emulator.adminToken}` } }),
  );
  const [severity] = ((await severities.json()) as { severities: { id: string }[] }).severities;
  const declared = await emulator.fetch(
    new Request("http://emulator/api/v1/incidents", {
      method: "POST",
      headers: { authorization: `Bearer ${emulator.adminToken}` },
      body: JSON.stringify({
        idempotency_key: "k",
        name: `Leak of ${emulator.serviceToken}`,
        severity_id: severity?.id,
      }),
    }),
  );
  expect(declared.status).toBe(201);
  const { text } = await client.get("/incidents");
  expect(text).toContain(`Leak of ${emulator.serviceToken.slice(0, 12)}…`);
  expect(text).not.toContain(emulator.serviceToken);
});

test("the interface stays closed to web pages, and is reached as before", async () => {
  const token = { authorization: `Bearer ${site.emulator.serviceToken}` };
  expect((await fetch(`${site.url}/api/v1/severities`, { headers: token })).status).toBe(200);
  const fromPage = await fetch(`${site.url}/api/v1/severities`, { headers: { ...token, origin: site.url } });
  expect(fromPage.status).toBe(403);
  expect((await fetch(`${site.url}/control/clock`)).status).toBe(404);
  const document = (await (await fetch(`${site.url}/openapi.json`)).json()) as { openapi: string };
  expect(document.openapi).toBe("3.1.0");
});

test("an unknown page and an unknown incident are not found", async () => {
  const client = await signIn(site);
  for (const path of ["/nothing", "/incidents/INC-999", "/incidents/%ff", "/incidents/INC-1/more"]) {
    expect((await client.get(path)).status).toBe(404);
  }
});
