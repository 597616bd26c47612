import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hideTokens, visiblePart } from "../../../src/emulator/web/hide-tokens.ts";
import { column, send } from "../client.ts";
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

test("the used link leads to the overview in the browser that is signed in", async () => {
  const { cookie } = await signIn(site);
  const response = await fetch(site.link, { headers: { cookie }, redirect: "manual" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/");
  expect(response.headers.get("set-cookie")).toBeNull();
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

describe("tokens", () => {
  const fixed = { service: "fixed-service-token-0123456789", admin: "dev-admin-1" };

  test.each([
    ["random", {}],
    ["fixed", { tokens: fixed, controlKey: "a-control-key-of-a-test" }],
  ])("of the emulator are on no page in full, whatever text contains them: %s", async (_what, options) => {
    await site.close();
    site = await openWebSite(options);
    const { emulator } = site;
    const tokens = [emulator.adminToken, emulator.serviceToken, emulator.control?.key ?? ""];
    const [severity_id = null] = await column(emulator, "/severities", "id");
    for (const [index, text] of tokens
      .flatMap((token) => [`Leak of ${token}`, `x${token}`, `"\n${token}"`])
      .entries()) {
      const body = { idempotency_key: `k${index}`, name: text, severity_id, source: text };
      await send(emulator, "POST", "/incidents", body);
      await send(emulator, "GET", `/incidents?q=%22${tokens[index % 3]}`);
    }
    const client = await signIn(site);
    const pages = [
      ...["/", "/incidents", "/access", "/requests", "/configuration", "/deliveries", "/faults"],
      ...Array.from({ length: 15 }, (_, index) => `/incidents/INC-${index + 1}`),
      ...(emulator.control?.log.list().map(({ number }) => `/requests/${number}`) ?? []),
    ];
    for (const path of pages) {
      const { status, text } = await client.get(path);
      expect({ path, status, found: tokens.filter((token) => text.includes(token)) }).toEqual({
        path,
        status: 200,
        found: [],
      });
    }
    const { text } = await client.get("/incidents");
    expect(text).toContain(`Leak of ${visiblePart(emulator.serviceToken)}…`);
  });

  test("of agents, whose text only one response contains, are cut on the pages as well", async () => {
    const token = String((await send(site.emulator, "POST", "/agents", { name: "Deploys" })).body.token);
    const [severity_id = null] = await column(site.emulator, "/severities", "id");
    await send(site.emulator, "POST", "/incidents", { idempotency_key: "k", name: `by${token}`, severity_id });
    const { text } = await (await signIn(site)).get("/incidents");
    expect(text).toContain(`by${token.slice(0, 12)}…`);
    expect(text).not.toContain(token);
  });

  test("show at most a third of themselves", () => {
    expect(visiblePart("dev")).toBe("d");
    expect(visiblePart("fixed-service-token-0123456789")).toBe("fixed-serv");
    expect(visiblePart(`ff_${"A".repeat(36)}`)).toBe("ff_AAAAAAAAA");
  });

  test("that equal a word of the markup leave the page whole", () => {
    expect(hideTokens('<section class="section">section</section>', ["section"])).toBe(
      '<section class="section">se…</section>',
    );
  });
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

test.each<[string, Readonly<Record<string, string>>]>([
  ["with a token", { authorization: "Bearer ff_any" }],
  ["with a token and any type", { authorization: "Bearer ff_any", accept: "text/html,*/*" }],
  ["that takes JSON alone", { accept: "application/json" }],
])("a request %s outside of /api/v1 gets 404 as JSON, and no page to sign in", async (_, headers) => {
  for (const path of ["/", "/severities", "/api/severities", "/v1/severities", "/sign-in"]) {
    const response = await fetch(`${site.url}${path}`, { headers });
    expect(response.status, path).toBe(404);
    expect(await response.json()).toMatchObject({ error: { type: "not_found", message: "Resource not found" } });
  }
});

test("an unknown page and an unknown incident are not found", async () => {
  const client = await signIn(site);
  for (const path of ["/nothing", "/incidents/INC-999", "/incidents/%ff", "/incidents/INC-1/more"]) {
    expect((await client.get(path)).status).toBe(404);
  }
});
