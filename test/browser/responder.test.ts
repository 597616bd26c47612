import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmulatorProcess, startEmulator } from "./emulator-process.ts";
import { openAddress, screenshot, tooWide, useBrowser, violations } from "./open-page.ts";

useBrowser();

let site: EmulatorProcess;
let page: Page;
let messages: readonly string[];
beforeAll(async () => {
  site = await startEmulator("--control");
  ({ page, messages } = await openAddress(site.link));
  await page.waitForURL(`${site.url}/`);
});
afterAll(async () => {
  await page?.close();
  await site?.close();
});

/** Presses Tab until the element has the focus, as a person without a mouse does. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 500; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Types into a field: a text, or the beginning of a choice. */
async function type(label: string, text: string): Promise<void> {
  await tabTo(page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

/** Presses a link, a button, or the heading of a form that opens. */
async function press(role: "link" | "button" | "summary", name: string): Promise<void> {
  const target =
    role === "summary" ? page.locator("summary", { hasText: name }) : page.getByRole(role, { name, exact: true });
  await tabTo(target);
  await page.keyboard.press("Enter");
}

/** Waits for a text, and looks for violations of accessibility in the page as it is now. */
async function seen(text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
  await screenshot(page, `responder ${text}`.replaceAll(/\W+/g, "-"));
  expect({ text, violations: await violations(page), wide: await tooWide(page) }).toEqual({
    text,
    violations: [],
    wide: [],
  });
}

test("a person follows an incident from its declaration to the postmortem with the keyboard alone", async () => {
  await page.goto(`${site.url}/incidents`);
  await press("link", "Declare incident");
  await type("Name required", "Mail is late");
  await type("Severity required", "Maj");
  await press("button", "Declare incident");
  await seen("declared INC-7: Mail is late");

  await press("link", "Update");
  await press("button", "Update");
  await seen("Nothing was changed.");
  await type("Message required", "Half of the queue is stuck");
  await type("Status required", "Identified");
  await type("Severity required", "Critical");
  await press("button", "Update");
  await seen("posted an update: Half of the queue is stuck");
  expect(await page.locator(".heading .pill").textContent()).toBe("Identified");

  await type("Incident Lead: Lead", "Mei");
  await press("button", "Assign Incident Lead");
  await seen("made Mei Tanaka the lead");

  await press("summary", "Add an action item");
  await press("button", "Add action item");
  await seen("The action item was not added.");
  await type("Description required", "Restart the relay");
  await press("button", "Add action item");
  await seen("added an action: Restart the relay");
  await type("Restart the relay: Assignee", "Linus");
  await press("button", "Assign Restart the relay");
  await seen("handed over to Linus Berg: Restart the relay");

  await press("summary", "Escalate to somebody");
  await type("Person required", "Priya");
  await type("Reason", "Knows the relay");
  await press("button", "Escalate");
  await seen("escalated to Priya Nair: Knows the relay");
  await press("button", "Acknowledge as Priya Nair");
  await seen("Priya Nair acknowledged the escalation");

  await press("summary", "Post a message");
  await type("Text required", "The relay is out of disk.");
  await press("button", "Post message");
  await press("summary", "Note a message on the timeline");
  await type("Message required", "Ada");
  await type("Kind required", "root");
  await type("Statement required", "The disk of the relay is full.");
  await press("button", "Note message");
  await seen("milestone.noted");

  await press("button", "Done Restart the relay");
  await seen("finished: Restart the relay");
  await press("summary", "Link an incident");
  await type("Other incident required", "INC-5");
  await type("Relationship required", "related");
  await press("button", "Link incident");
  await seen("linked INC-5 (Search answers slowly) as related");

  await press("link", "Resolve");
  await press("button", "Resolve");
  await seen("changed the status to Resolved");
  await press("summary", "Open the postmortem");
  await type("First version", "a draft");
  await press("button", "Open postmortem");
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByText("draft, version 2").count();
    })
    .toBe(1);
  await press("summary", "Edit the postmortem");
  await type("Body (HTML)", "<p>Give the relay a larger disk.</p>");
  await type("Status", "in review");
  await press("button", "Save postmortem");
  await seen("in review, version 3");
  await press("link", "Version 1");
  await seen("Postmortem: Mail is late, version 1");
}, 400_000);

test("a field of the resolve form appears with the answer to a field that the declare form asked", async () => {
  const select = { field_type: "single_select", option_source: "fixed", options: ["Europe", "Asia"] };
  await site.send("POST", "/custom_fields", { name: "Office", ...select });
  await site.send("POST", "/custom_fields", { name: "Regulator", field_type: "text", option_source: "none" });
  for (const form of ["declare", "resolve"]) await site.send("PATCH", `/forms/${form}`, { custom_field: "office" });
  const conditions = [
    { condition_field: "custom_field", custom_field: "office", operator: "one_of", values: ["Europe"] },
  ];
  await site.send("PATCH", "/forms/resolve", { custom_field: "regulator", required: true, conditions });
  await page.goto(`${site.url}/incidents/INC-5/forms/resolve`);
  expect(await page.getByLabel("Regulator").count()).toBe(0);
  expect(await page.getByLabel("Status").locator("option").allTextContents()).toEqual(["Choose one", "Resolved"]);
  await page.getByLabel("Office").selectOption("Europe");
  await page.getByLabel("Regulator").waitFor();
  await page.getByRole("button", { name: "Resolve" }).click();
  expect(await page.locator("#field-custom-regulator-note").textContent()).toContain("can't be blank");
  await page.getByLabel("Office").selectOption("Asia");
  await page.getByLabel("Regulator").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Resolve" }).click();
  await page.waitForURL(/INC-5$/);
  expect(await page.locator(".heading .pill").textContent()).toBe("Resolved");
});

test("the list follows the search while it is typed", async () => {
  await page.goto(`${site.url}/incidents`);
  await page.getByLabel("Identifier, name or summary").fill("checkout");
  await page.getByText("1 incident", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Live", exact: true }).click();
  await page.getByText("No incident matches.").waitFor();
  expect(await page.getByLabel("Identifier, name or summary").inputValue()).toBe("checkout");
});

test("no page has logged anything but the refusals of these tests", () => {
  expect(messages.filter((text) => !/status of 422/.test(text))).toEqual([]);
});
