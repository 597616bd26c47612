import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageThatLeadsTo } from "../../src/app/serve/open-browser.ts";
import { type EmulatorProcess, startEmulator } from "./emulator-process.ts";
import { openAddress, open as openPage, useBrowser } from "./open-page.ts";
import { fillWorkspace, type Workspace } from "./workspace.ts";

useBrowser();

let site: EmulatorProcess;
let page: Page;
let messages: readonly string[];
let workspace: Workspace;
let receiver: Server;
/** The statuses of the receiver's next responses; 204 afterwards. */
const statuses: number[] = [];
const signatures: unknown[] = [];

beforeAll(async () => {
  receiver = createServer((incoming, response) => {
    signatures.push(incoming.headers["x-webhook-signature"]);
    incoming.resume().on("end", () => response.writeHead(statuses.shift() ?? 204).end());
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const target = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  site = await startEmulator("--control", "--deliver-to", target);
  workspace = await fillWorkspace(site, `http://${target}/hook`);
  ({ page, messages } = await openAddress(site.link));
  await page.waitForURL(`${site.url}/`);
});
afterAll(async () => {
  await page?.close();
  await site?.close();
  receiver.close();
});

const open = (path: string) => page.goto(`${site.url}${path}`);
const rowWith = (text: string) => page.locator("tbody tr", { hasText: text });

test("the printed link opens the workspace in one browser, once", async () => {
  expect(await page.title()).toBe("Overview – Emulated workspace");
  const other = await openAddress(site.link);
  expect(await other.page.locator("h1").textContent()).toBe("This link no longer works");
  await other.page.goto(`${site.url}/incidents`);
  expect(await other.page.locator("h1").textContent()).toBe("Sign in");
  await other.page.close();
});

test("an incident is declared through the form: fields follow the answers, a wrong answer is explained, and the timeline shows it", async () => {
  await open("/forms/declare");
  expect(await page.getByLabel("Region required").count()).toBe(0);
  expect(await page.getByText("asked if severity is one of critical").count()).toBe(1);
  await page.getByLabel("Name").fill("Payments time out");
  await page.getByLabel("Severity").selectOption("Critical");
  await page.getByLabel("Region required").waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("Payments time out");
  await page.getByRole("button", { name: "Declare incident" }).click();
  expect(await page.getByRole("alert").textContent()).toContain("The incident was not declared.");
  expect(await page.locator("#field-custom-region-note").textContent()).toContain("can't be blank");
  await page.getByLabel("Region required").selectOption("Europe");
  await page.getByLabel("Summary").fill("One in five <b>fails</b>");
  await page.getByRole("button", { name: "Declare incident" }).click();
  await page.waitForURL(/\/incidents\/INC-\d+$/);
  expect(await page.locator("h1").textContent()).toBe("Payments time out");
  expect(await page.getByText("One in five <b>fails</b>").count()).toBeGreaterThan(0);
  expect(await page.locator(".timeline li").first().textContent()).toMatch(/declared INC-\d+: Payments time out/);
  expect(await page.locator("dl").textContent()).toContain("RegionEurope");
});

test("a sample alert shows its trace while it is typed, and the alert that is sent creates an incident", async () => {
  await open("/alerts");
  await page.getByLabel("service").fill("checkout");
  await page.getByText("Rule 2 decides: auto create incident.").waitFor();
  expect(await page.locator(".flow li").allTextContents()).toEqual([
    expect.stringContaining("does not match"),
    expect.stringMatching(/Rule 2 matches✓ service contains "checkout" – it is "checkout"→ auto create incident/),
    expect.stringContaining("not reached"),
  ]);
  await page.getByLabel("title").fill("Checkout is down");
  await page.getByRole("button", { name: "Send the alert" }).click();
  await rowWith("Checkout is down").waitFor();
  expect(await page.locator(".flow .hit").textContent()).toContain("Rule 2");
  await rowWith("Checkout is down").getByRole("link").click();
  expect(await page.locator("h1").textContent()).toBe("Checkout is down");
});

test("a delivery shows its signature and each attempt, for a receiver that fails first", async () => {
  statuses.push(500, 503);
  signatures.length = 0;
  const fields = { idempotency_key: "delivery", name: "Deliver this", severity_id: workspace.severityId };
  await site.send("POST", "/incidents", { ...fields, custom_fields: { region: "Europe" } });
  await open("/deliveries");
  const newest = page.locator("tbody tr").first();
  // The list follows by itself.
  await page.locator("tbody tr:first-child", { hasText: "delivered" }).waitFor();
  expect(await newest.locator("td").last().textContent()).toBe("3");
  await newest.getByRole("link").click();
  expect(await page.locator("tbody tr td:nth-child(2)").allTextContents()).toEqual(["500", "503", "204"]);
  const [first] = signatures;
  expect(signatures).toEqual([first, first, first]);
  expect(await page.locator("dl").textContent()).toContain(`X-Webhook-Signature${first}`);
  expect(await page.locator("pre").textContent()).toContain("Deliver this");
});

test("a resource shows what refers to it", async () => {
  await open("/configuration");
  await page.getByRole("link", { name: "Critical" }).click();
  expect(await page.locator("h1").textContent()).toBe("Critical");
  const rows = await page.locator("tbody tr").allTextContents();
  for (const text of ["declare form", "runbook Fail over", "Rule 2 of the workspace", "INC-7"]) {
    expect(rows.filter((row) => row.startsWith(text))).toHaveLength(1);
  }
});

test("the request log follows by itself, keeps the focus, and stops while it is paused", async () => {
  await site.send("GET", "/statuses?page=1");
  await open("/requests");
  await rowWith("/statuses?page=1").getByRole("link").focus();
  await site.send("GET", "/severities?page=2");
  await rowWith("/severities?page=2").waitFor();
  const focused = await page.evaluate(() => document.activeElement?.closest("tr")?.textContent);
  expect(focused).toContain("/statuses?page=1");
  await page.getByLabel("Pause").check();
  await site.send("GET", "/severities?page=3");
  await page.waitForTimeout(2500);
  expect(await rowWith("/severities?page=3").count()).toBe(0);
  await page.getByLabel("Pause").uncheck();
  await rowWith("/severities?page=3").waitFor();
  await rowWith("/severities?page=3").getByRole("link").click();
  expect(await page.locator("h1").textContent()).toBe("GET /api/v1/severities?page=3");
});

test("a fault that the panel adds is felt by a client, counted, and removed again", async () => {
  await open("/faults");
  await page.getByLabel("Path").fill("/api/v1/runbooks");
  await page.getByLabel("Action").selectOption("status");
  await page.getByLabel("Status").fill("teapot");
  await page.getByRole("button", { name: "Add fault" }).click();
  expect(await page.locator("#status-note").textContent()).toContain("Enter a whole number from 200 to 599.");
  expect(await page.getByLabel("Path").inputValue()).toBe("/api/v1/runbooks");
  await page.getByLabel("Status").fill("429");
  await page.getByLabel("Number of requests").fill("0");
  await page.getByRole("button", { name: "Add fault" }).click();
  await rowWith("/api/v1/runbooks").waitFor();
  await expect(site.send("GET", "/runbooks")).rejects.toThrow("GET /runbooks: 429");
  await page.reload();
  expect(await rowWith("/api/v1/runbooks").locator("td").allTextContents()).toEqual([
    ...["any /api/v1/runbooks", "after-commit", "status, status 429", "1", "1 of all", "Remove"],
  ]);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No fault is active.").waitFor();
  await site.send("GET", "/runbooks");
});

test("an operation is tried out with a token of the emulator, and no response shows a token in full", async () => {
  await open("/operations");
  await page.locator("li", { hasText: "Creates an agent without abilities" }).getByRole("link").click();
  await page.getByLabel("Body (JSON)").fill('{"name": "Try out"}');
  await page.getByRole("button", { name: "Send" }).click();
  expect(await page.getByRole("status").textContent()).toBe("status 403");
  await page.getByLabel("Token").selectOption("admin token");
  await page.getByRole("button", { name: "Send" }).click();
  expect(await page.getByRole("status").textContent()).toBe("status 201");
  expect(await page.locator("pre").textContent()).toMatch(/"token": "ff_\w{9}…"/);
  await page.getByLabel("Body (JSON)").fill("{");
  await page.getByRole("button", { name: "Send" }).click();
  expect(await page.getByRole("status").textContent()).toBe("status 400");
});

test("without its script the form asks the fields of the chosen severity after it is sent", async () => {
  const own = await startEmulator("--control");
  await fillWorkspace(own);
  const { page: plain } = await openAddress(own.link, { withoutScript: true });
  await plain.waitForURL(`${own.url}/`);
  await plain.goto(`${own.url}/forms/declare`);
  await plain.getByLabel("Name").fill("No script");
  await plain.getByLabel("Severity").selectOption("Critical");
  await plain.getByRole("button", { name: "Declare incident" }).click();
  await plain.getByLabel("Region required").selectOption("Europe");
  await plain.getByRole("button", { name: "Declare incident" }).click();
  expect(await plain.locator("h1").textContent()).toBe("No script");
  await plain.close();
  await own.close();
});

test("without --control the pages change nothing, and say how they could; the file of an opener leads to them", async () => {
  const own = await startEmulator();
  const { page: readOnly } = await openPage(pageThatLeadsTo(own.link));
  await readOnly.waitForURL(`${own.url}/`);
  await readOnly.goto(`${own.url}/forms/declare`);
  expect(await readOnly.getByRole("button").count()).toBe(0);
  expect(await readOnly.getByText("These pages are read only.").count()).toBe(1);
  await readOnly.goto(`${own.url}/operations/GET/%2Fseverities`);
  await readOnly.getByRole("button", { name: "Send" }).click();
  expect(await readOnly.getByRole("status").textContent()).toBe("status 200");
  await readOnly.close();
  await own.close();
});

test("a stranger's page cannot use the session: no form of another origin, no frame, no read", async () => {
  const { url } = site;
  const stranger = createServer((_incoming, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(`
      <form method="post" action="${url}/forms/declare"><input name="name" value="Owned"><button>Go</button></form>
      <iframe src="${url}/"></iframe>`),
  );
  stranger.listen(0, "127.0.0.1");
  await once(stranger, "listening");
  // Another port of the same host is the same site: the cookie is sent, so that only the origin tells them apart.
  await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`);
  const read = await page.evaluate(
    (address) =>
      fetch(address, { credentials: "include" }).then(
        (response) => response.text(),
        () => "blocked",
      ),
    `${url}/incidents`,
  );
  expect(read).toBe("blocked");
  expect(page.frames().map((frame) => frame.url())).not.toContain(`${url}/`);
  await page.getByRole("button").click();
  expect(await page.locator("h1").textContent()).toBe("Refused");
  expect(await page.getByText("The form is from another site").count()).toBe(1);
  const names = JSON.stringify((await site.send("GET", "/incidents")).incidents);
  expect(names).not.toContain("Owned");
  stranger.close();
  const status = await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, headers: { host: `evil.example:${port}` } }, (response) => {
      resolve(response.resume().statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(403);
});

test("no page has logged anything but the refusals of these tests", () => {
  const refusal = /status of (403|422)|blocked by CORS policy|net::ERR_FAILED|frame-ancestors|X-Frame-Options/;
  expect(messages.filter((text) => !refusal.test(text))).toEqual([]);
});
