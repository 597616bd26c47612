import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { column, send } from "../client.ts";
import { openWebSite, signIn, type WebClient, type WebSite } from "./web-site.ts";

let site: WebSite;
let client: WebClient;
let severity: string;
beforeEach(async () => {
  site = await openWebSite();
  client = await signIn(site);
  severity = String((await column(site.emulator, "/severities", "id"))[0]);
});
afterEach(() => site.close());

const incidents = () => column(site.emulator, "/incidents", "name");
const declaration = () => ({ name: "Declared here", severity });

describe("a form is refused with 403 and changes nothing", () => {
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ["from another origin", { origin: "http://evil.example" }, {}],
    ["from another port of the same host", { origin: "http://127.0.0.1:1" }, {}],
    ["from a page without an origin", { origin: "null" }, {}],
    ["without its token", {}, { form_token: "" }],
    ["with the token of another session", {}, { form_token: "A".repeat(43) }],
  ])("%s", async (_what, headers, fields) => {
    const before = await incidents();
    const { status, text } = await client.post("/forms/declare", { ...declaration(), ...fields }, headers);
    expect(status).toBe(403);
    expect(text).toContain("<h1>Refused</h1>");
    expect(await incidents()).toEqual(before);
  });
});

test("a form without the cookie is asked to sign in, and one of another content type is refused", async () => {
  expect((await client.post("/forms/declare", declaration(), { cookie: "" })).status).toBe(401);
  for (const type of ["text/plain", "application/json", "multipart/form-data"]) {
    expect((await client.post("/forms/declare", declaration(), { "content-type": type })).status).toBe(400);
  }
  expect(await incidents()).not.toContain("Declared here");
});

test("read-only pages refuse every form but the try-out of a GET", async () => {
  await site.close();
  site = await openWebSite({ isWritable: false });
  client = await signIn(site);
  const forms = ["/forms/declare", "/alerts", "/faults", "/faults/1/remove", "/operations/POST/%2Fseverities"];
  for (const path of forms) {
    const { status, text } = await client.post(path, { name: "No", path: "*", phase: "after-commit", action: "reset" });
    expect({ path, status }).toEqual({ path, status: 403 });
    expect(text).toContain("These pages are read only");
  }
  expect(site.emulator.control?.faults.list()).toEqual([]);
  const { status, text } = await client.post("/operations/GET/%2Fseverities", { token: "service" });
  expect(status).toBe(200);
  expect(text).toContain("status 200");
});

test("a form that is sent twice declares one incident", async () => {
  const fields = { ...declaration(), idempotency_key: "once" };
  const first = await client.post("/forms/declare", fields);
  expect(first.status).toBe(303);
  expect(first.location).toMatch(/^\/incidents\/INC-\d+$/);
  expect((await client.post("/forms/declare", fields)).location).toBe(first.location);
  expect((await incidents()).filter((name) => name === "Declared here")).toHaveLength(1);
});

describe("wrong input is answered on the page, with what was typed", () => {
  test("of the declare form", async () => {
    const { status, text } = await client.post("/forms/declare", { name: "Keep <me>", severity: "wrong" });
    expect(status).toBe(422);
    expect(text).toContain("The incident was not declared.");
    expect(text).toContain('value="Keep &lt;me&gt;"');
    expect(text).toContain('aria-invalid="true"');
  });

  test("of a sample alert", async () => {
    expect((await client.post("/alerts", { source: "wrong" })).text).toContain("Choose a source.");
    await send(site.emulator, "POST", "/alert_sources", { name: "Grafana" });
    const [source] = await column(site.emulator, "/alert_sources", "id");
    const [name] = await column(site.emulator, "/alert_sources", "slug");
    await send(site.emulator, "PATCH", `/alert_sources/${name}`, { enabled: false });
    const { status, text } = await client.post("/alerts", { source: String(source), "field.title": "Keep me" });
    expect(status).toBe(422);
    expect(text).toContain("The alert was not taken. Status 404");
    expect(text).toContain('value="Keep me"');
  });

  test.each([
    ["method", { method: "FETCH" }, "Choose a method."],
    ["path", { path: "api/v1" }, "A path begins with / or *."],
    ["phase", { phase: "later" }, "Choose a phase."],
    ["action", { action: "explode" }, "Choose an action."],
    ["action", { phase: "after-response", action: "delay" }, "after-response has no action &quot;delay&quot;"],
    ["nth", { nth: "0" }, "Enter a whole number from 1 to 1000000."],
    ["times", { times: "-1" }, "Enter a whole number from 0 to 1000000."],
    ["status", { status: "2e9" }, "Enter a whole number from 200 to 599."],
    ["milliseconds", { milliseconds: "1.5" }, "Enter a whole number from 0 to 600000."],
  ])("of a fault: %s", async (field, change, message) => {
    const fault = { path: "/api/v1/*", phase: "after-commit", action: "reset" };
    const { status, text } = await client.post("/faults", { ...fault, ...change });
    expect(status).toBe(422);
    expect(text.slice(text.indexOf(`id="${field}-note"`))).toMatch(/^.{0,200}class="alarm/s);
    expect(text).toContain(message);
    expect(site.emulator.control?.faults.list()).toEqual([]);
  });

  test("of an operation: the interface's error is the response", async () => {
    const { status, text } = await client.post("/operations/POST/%2Fseverities", { token: "admin", body: "{" });
    expect(status).toBe(200);
    expect(text).toContain("status 400");
    const refused = await client.post("/operations/GET/%2Fseverities", { token: "wrong" });
    expect(refused.text).toContain("status 401");
  });
});

test("every page escapes every text, wherever it comes from", async () => {
  const { emulator } = site;
  const markup = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
  const condition = { condition_field: "severity", operator: "one_of", values: ["critical"] };
  const field = { field_type: "single_select", option_source: "fixed", options: ["Europe", `A ${markup}`] };
  const outcome = { action: "notify_only", notify: { type: "channel", channel_id: markup } };
  const conditions = [{ field: `f ${markup}`, operator: "contains", value: markup }];
  const requests: readonly (readonly [method: string, path: string, body: Parameters<typeof send>[3]])[] = [
    ["POST", "/custom_fields", { name: `Region ${markup}`, description: markup, ...field }],
    ["POST", "/runbooks", { name: `Runbook ${markup}`, summary: markup, conditions: [condition] }],
    ["POST", "/catalog/types/service/entries", { name: `Service ${markup}` }],
    ["POST", "/alert_sources", { name: `Source ${markup}` }],
    ["POST", "/routing_rules", { conditions, outcome }],
    ["POST", "/webhooks", { name: `Hook ${markup}`, url: "http://x", subscribed_events: ["incident.created"] }],
    ["POST", "/agents", { name: `Agent ${markup}` }],
    ["PATCH", "/severities/critical", { name: `C ${markup}`, description: markup }],
    ["POST", "/incidents", { idempotency_key: markup, name: markup, severity_id: severity, source: markup }],
  ];
  for (const [method, path, body] of requests) {
    const { status } = await send(emulator, method, path, body);
    expect({ path, isDone: status < 300 }).toEqual({ path, isDone: true });
  }
  const [slug] = await column(emulator, "/alert_sources", "slug");
  await send(emulator, "POST", `/alerts/${slug}`, { title: markup, [markup]: markup });
  await send(emulator, "GET", `/incidents?query=${markup}`);
  emulator.control?.faults.add({
    path: markup,
    method: markup,
    phase: "after-commit",
    action: { type: "status", body: markup },
  });
  const query = encodeURIComponent(markup);
  const start = [
    ...[
      "/",
      "/incidents",
      "/forms/declare",
      "/forms/update",
      "/forms/resolve",
      "/forms/cancel",
      "/access",
      "/requests",
    ],
    ...["/configuration", "/deliveries", "/faults", "/operations", "/operations/POST/%2Fincidents", `/${query}`],
    ...[`/alerts?field.title=${query}&source=${query}`, `/forms/declare?name=${query}&severity=${query}`],
    ...[`/incidents?stage=${query}&page=${query}&severity=${query}`, `/incidents/${query}`, `/operations/GET/${query}`],
  ];
  const seen = new Set(start);
  for (const path of seen) {
    const { status, text } = await client.get(path);
    expect({ path, known: [200, 404].includes(status) }).toEqual({ path, known: true });
    expect({
      path,
      isRaw: /<script>|<img|onerror=alert\(1\)>/.test(text.replaceAll("onerror=alert(1)&gt;", "")),
    }).toEqual({
      path,
      isRaw: false,
    });
    // Follows the links that a reader can follow.
    for (const [, href = ""] of text.matchAll(/href="(\/[^"]*)"/g)) {
      const address = href.replaceAll("&amp;", "&");
      if (!/^\/(?:assets|openapi\.json|operations)/.test(address)) seen.add(address);
    }
    expect(text).not.toMatch(/href="(?![/#])/);
  }
  expect(seen.size).toBeGreaterThan(60);
});

test("rules are described in words: who is notified and invited, by name", async () => {
  const { emulator } = site;
  const { body: service } = await send(emulator, "POST", "/catalog/types/service/entries", { name: "Checkout" });
  const team = { type: "team", entry_id: String(service.id) };
  const [ada] = await column(emulator, "/principals", "id");
  const outcomes: readonly Parameters<typeof send>[3][] = [
    { action: "auto_create_incident", severity_id: severity, invite: [{ type: "owning_team", of: "service" }, team] },
    { action: "attach_to_incident", invite: [{ type: "member", member_id: ada ?? "" }] },
    { action: "notify_only", notify: { type: "channel", channel_id: "C1" } },
    { action: "drop" },
  ];
  for (const outcome of outcomes) {
    const { status } = await send(emulator, "POST", "/routing_rules", { conditions: [], outcome: outcome ?? null });
    expect(status).toBe(201);
  }
  const { text } = await client.get("/configuration/routing_rules");
  for (const words of [
    "auto create incident, severity: Critical, invite: the team that owns the service and team Checkout",
    "attach to incident, invite: Ada Marsh",
    "notify only, notify: channel C1",
    '<td class="text">drop</td>',
    "Rule 4 of the workspace",
  ]) {
    expect(text).toContain(words);
  }
});
