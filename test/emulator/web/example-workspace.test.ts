import { afterEach, beforeEach, expect, test } from "vitest";
import { openWebSite, signIn, type WebClient, type WebSite } from "./web-site.ts";

let site: WebSite;
let client: WebClient;
beforeEach(async () => {
  site = await openWebSite();
  client = await signIn(site);
});
afterEach(() => site.close());

const page = async (path: string): Promise<string> => (await client.get(path)).text;

test("the example workspace has a configuration on every page that a company would fill", async () => {
  for (const kind of [
    "custom_fields",
    "runbooks",
    "catalog_entries",
    "alert_sources",
    "routing_rules",
    "incident_roles",
  ]) {
    expect({ kind, isEmpty: (await page(`/configuration/${kind}`)).includes("There is none.") }).toEqual({
      kind,
      isEmpty: false,
    });
  }
  expect(await page("/forms/declare")).toContain("Affected region");
  expect(await page("/forms/resolve")).toContain("Regulator informed: asked if affected region is one of Europe");
});

test("its incidents have runbooks by their severity and type, and the forms ask by their region", async () => {
  expect(await page("/incidents/INC-3")).toContain("Runbook Critical outage");
  expect(await page("/incidents/INC-6")).toContain("0 of 3 steps done");
  expect(await page("/incidents/INC-5")).not.toContain("steps done");
  const reopened = await page("/incidents/INC-3/forms/update");
  expect(reopened).toContain('id="field-custom-customer_impact"');
  expect(await page("/incidents/INC-5/forms/update")).toContain(
    "Customer impact: asked if severity is one of critical",
  );
});

test("its rules route a critical alert of a service to an incident, and other alerts to the team that owns it", async () => {
  const sources = await page("/alerts");
  const source = /<option value="([^"]+)"[^>]*>Prometheus</.exec(sources)?.[1] ?? "";
  const alert = `/alerts?source=${source}&field.service=checkout_api`;
  expect(await page(`${alert}&field.severity_raw=critical`)).toContain("Rule 2 decides: auto create incident.");
  expect(await page(alert)).toContain("Rule 3 decides: notify only.");
  const traced = await page(`${alert}&field.title=%5Btest%5D`);
  expect(traced).toContain("Rule 1 decides: drop.");
});
