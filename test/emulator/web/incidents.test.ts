import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, type Json, objectsIn } from "../../../src/core/json.ts";
import { bodySchemaOf, incidentActions } from "../../../src/emulator/web/incidents/actions.ts";
import { column, send } from "../client.ts";
import { openWebSite, signIn, type WebClient, type WebSite } from "./web-site.ts";

let site: WebSite;
let client: WebClient;
beforeEach(async () => {
  site = await openWebSite();
  client = await signIn(site);
});
afterEach(() => site.close());

const request = async (method: string, path: string, body?: Json): Promise<Fields> => {
  const response = await send(site.emulator, method, path, body);
  expect({ method, path, isDone: response.status < 300 }).toEqual({ method, path, isDone: true });
  return response.body;
};

/** The incident with this number, as the interface returns it. */
async function read(number: number): Promise<Fields> {
  const rows = objectsIn((await request("GET", "/incidents")).incidents);
  const incident = rows.find(({ identifier }) => identifier === `INC-${number}`);
  if (incident === undefined) throw new Error(`no INC-${number}`);
  return incident;
}

const page = async (path: string): Promise<string> => (await client.get(path)).text;

/** The id of an option list's entry. */
async function idOf(list: string, slug: string): Promise<string> {
  const rows = objectsIn((await request("GET", `/${list}`))[list]);
  return String(rows.find((row) => row.slug === slug)?.id);
}

/** Sends an action of INC-5, which has to be done. */
async function act(action: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const { status, location, text } = await client.post(`/incidents/INC-5/actions/${action}`, fields);
  expect({ action, status, location, text: text.match(/<b>[^<]*<\/b>/)?.[0] }).toMatchObject({
    action,
    status: 303,
    location: expect.stringMatching(/^\/incidents\/INC-5#[a-z-]+$/),
  });
}

/** The labels of a form's choices by the id of the input. */
function optionsOf(text: string, id: string): readonly string[] {
  const [, select = ""] = new RegExp(`<select id="${id}"[^>]*>(.*?)</select>`, "s").exec(text) ?? [];
  return [...select.matchAll(/<option[^>]*>([^<]*)</g)].map(([, label = ""]) => label);
}

test("an incident is followed in the pages alone, from its declaration to the postmortem", async () => {
  const declared = await client.post("/forms/declare", {
    name: "Mail is late",
    severity: await idOf("severities", "minor"),
  });
  const path = declared.location ?? "";
  expect(path).toBe("/incidents/INC-7");
  const form = async (name: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    const { status, location } = await client.post(`${path}/forms/${name}`, fields);
    expect({ name, status, location }).toEqual({ name, status: 303, location: path });
  };
  const done = async (action: string, fields: Readonly<Record<string, string>> = {}): Promise<void> => {
    expect({ action, ...(await client.post(`${path}/actions/${action}`, fields)) }).toMatchObject({
      action,
      status: 303,
    });
  };
  await form("update", {
    message: "Half of the queue is stuck",
    status: await idOf("statuses", "identified"),
    severity: await idOf("severities", "critical"),
  });
  await done("lead", { lead_id: "mei@example.com" });
  await done("add", { description: "Restart the relay", kind: "action", assignee_id: "linus@example.com" });
  await done("escalate", { member_id: "priya@example.com", reason: "Knows the relay" });
  await done("say", { said_by: "linus@example.com", text: "The relay is out of disk." });
  const text = await page(path);
  const messageId = /<option value="([^"]+)">Linus Berg: The relay is out of disk\.</.exec(text)?.[1] ?? "";
  await done("note", { message_id: messageId, kind: "root_cause", statement: "The disk of the relay is full." });
  const escalation = /name="escalation_id" value="([^"]+)"/.exec(text)?.[1] ?? "";
  await done("acknowledge", { escalation_id: escalation });
  const item = /name="item_id" value="([^"]+)"/.exec(text)?.[1] ?? "";
  await done("finish", { item_id: item, status: "done" });
  await done("link", { other_incident_id: String((await read(5)).id), relationship: "related" });
  await form("resolve", { status: await idOf("statuses", "resolved"), severity: await idOf("severities", "critical") });
  await done("open", { generate: "false" });
  await done("write", { html: "<p>Disks.</p>", version: "1", status: "in_review" });
  const after = await page(path);
  for (const words of [
    "Ada Marsh changed the severity to Critical, changed the status to Identified, posted an update: Half of the queue is stuck",
    "Ada Marsh made Mei Tanaka the lead",
    "Ada Marsh finished: Restart the relay",
    "Priya Nair acknowledged the escalation",
    "The disk of the relay is full.",
    "in review, version 2",
    `<a href="${path}/postmortem/1">`,
  ]) {
    expect(after).toContain(words);
  }
  expect(await page(`${path}/postmortem/2`)).toContain("&lt;p&gt;Disks.&lt;/p&gt;");
  expect(await read(7)).toMatchObject({
    status: { slug: "resolved" },
    severity: { slug: "critical" },
    lead: { name: "Mei Tanaka" },
  });
});

test("a page begins with the severity and the status of its incident, and with the alerts that created it", async () => {
  const outcome = { action: "auto_create_incident", severity_id: await idOf("severities", "minor") };
  const { slug } = await request("POST", "/alert_sources", { name: "Pager" });
  await request("POST", "/routing_rules", { outcome });
  await request("POST", `/alerts/${String(slug)}`, { title: "Disk full", service: "mail" });
  const { identifier } = objectsIn((await request("GET", "/incidents")).incidents)[0] ?? {};
  const text = (await page(`/incidents/${String(identifier)}`)).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  expect(text).toMatch(/Disk full Minor Investigating .* Alerts .* title Disk full service mail .* People /);
});

test("a custom field goes by its name on the page of an incident", async () => {
  await request("POST", "/custom_fields", { name: "Affected office", field_type: "text", option_source: "none" });
  await request("PATCH", "/forms/declare", { custom_field: "affected_office" });
  await client.post("/forms/declare", {
    name: "Door is shut",
    severity: await idOf("severities", "minor"),
    "custom.affected_office": "Lisbon",
  });
  const { identifier } = objectsIn((await request("GET", "/incidents")).incidents)[0] ?? {};
  expect(await page(`/incidents/${String(identifier)}`)).toMatch(/<dt>Affected office<\/dt><dd[^>]*>Lisbon</);
});

test("an action leads back to the part of the page that shows its result", async () => {
  const text = await page("/incidents/INC-5");
  const sections = Object.values(incidentActions).map(({ section }) => section);
  expect(sections.filter((section) => section !== "postmortem" && !text.includes(` id="${section}"`))).toEqual([]);
  expect(await page("/incidents/INC-3")).toContain(' id="postmortem"');
});

test("each action is an operation whose body has its inputs", () => {
  for (const action of Object.values(incidentActions)) {
    const members = Object.keys(bodySchemaOf(action)?.properties ?? {});
    expect({ action, members }).toMatchObject({ members: expect.arrayContaining(Object.keys(action.inputs ?? {})) });
  }
});

test("a duplicate is merged, and both incidents lead to each other", async () => {
  await act("link", { other_incident_id: String((await read(6)).id), relationship: "duplicate" });
  expect(await read(5)).toMatchObject({ status: { lifecycle_stage: "canceled" } });
  expect(await page("/incidents/INC-5")).toContain('duplicate: <a href="/incidents/INC-6">');
  expect(await page("/incidents/INC-6")).toContain('duplicate: <a href="/incidents/INC-5">');
});

test("the steps of a runbook are shown, claimed and done", async () => {
  const condition = { condition_field: "severity", operator: "one_of", values: ["critical"] };
  const steps = [{ title: "Stop the writes", instruction: "Use the <switch>." }, { title: "Fail over" }];
  await request("POST", "/runbooks", { name: "Fail over", steps, conditions: [condition] });
  await client.post("/incidents/INC-5/forms/update", {
    ...{
      message: "Worse",
      status: await idOf("statuses", "identified"),
      severity: await idOf("severities", "critical"),
    },
  });
  const before = await page("/incidents/INC-5");
  expect(before).toContain("Use the &lt;switch&gt;.");
  expect(before).toContain("0 of 2 steps done");
  const [, runbook_id = "", step_id = ""] =
    /name="runbook_id" value="([^"]+)"\/><input type="hidden" name="step_id" value="([^"]+)"/.exec(before) ?? [];
  await act("claim", { runbook_id, step_id, member_id: "linus@example.com" });
  const claimed = await page("/incidents/INC-5");
  const row = claimed.slice(claimed.indexOf("1. Stop the writes"));
  expect(row.slice(0, row.indexOf("</tr>"))).toContain("Linus Berg");
  const item_id = /name="item_id" value="([^"]+)"/.exec(row)?.[1] ?? "";
  await act("finish", { item_id, status: "done" });
  expect(await page("/incidents/INC-5")).toContain("1 of 2 steps done");
  const again = await client.post("/incidents/INC-5/actions/claim", { runbook_id, step_id, member_id: "" });
  expect(again.status).toBe(422);
  expect(again.text).toContain("Somebody has taken this step already.");
});

test("roles are shown with their holders, assigned and taken away", async () => {
  await request("POST", "/incident_roles", { name: "Scribe" });
  await act("role", { role: "scribe", member_id: "tomas@example.com" });
  expect(await page("/incidents/INC-5")).toMatch(/Scribe<\/td><td class="text">Tomás Ortiz/);
  await act("role", { role: "scribe", member_id: "" });
  expect(await page("/incidents/INC-5")).toMatch(/Scribe<\/td><td class="text">nobody/);
  await request("PATCH", "/incident_roles/scribe", { enabled: false });
  expect(await page("/incidents/INC-5")).not.toContain("Scribe</td>");
});

describe("the forms of an incident", () => {
  test("offer only statuses that fit, and begin with the values of the incident", async () => {
    const update = await page("/incidents/INC-5/forms/update");
    expect(optionsOf(update, "field-status")).toEqual([
      ...["Choose one", "Triaging", "Investigating", "Identified", "Monitoring"],
    ]);
    expect(update).toContain('selected="">Investigating<');
    expect(update).toContain('selected="">Major<');
    const resolve = await page("/incidents/INC-5/forms/resolve");
    expect(optionsOf(resolve, "field-status")).toEqual(["Choose one", "Resolved"]);
    expect(resolve).toContain('selected="">Resolved<');
    expect(resolve).toContain('selected="">Grace Holm<');
    expect(optionsOf(await page("/incidents/INC-5/forms/cancel"), "field-status")).toEqual(["Choose one", "Canceled"]);
    expect(optionsOf(await page("/incidents/INC-2/forms/update"), "field-status").at(-1)).toBe("Canceled");
  });

  test("of an incident that is over is the one that reopens it", async () => {
    for (const number of [2, 3]) {
      expect(await page(`/incidents/INC-${number}`)).toContain("Update or reopen");
      for (const form of ["resolve", "cancel"]) {
        expect((await client.get(`/incidents/INC-${number}/forms/${form}`)).status).toBe(404);
        expect((await client.post(`/incidents/INC-${number}/forms/${form}`, {})).status).toBe(404);
      }
    }
  });

  test("ask a field by an answer to the declare form, and by an answer that is being typed", async () => {
    const select = { field_type: "single_select", option_source: "fixed", options: ["Europe", "Asia"] };
    await request("POST", "/custom_fields", { name: "Region", ...select });
    await request("POST", "/custom_fields", { name: "Regulator", field_type: "text", option_source: "none" });
    await request("PATCH", "/forms/declare", { custom_field: "region" });
    await request("PATCH", "/forms/resolve", { custom_field: "region" });
    const europe = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["Europe"] };
    await request("PATCH", "/forms/resolve", { custom_field: "regulator", required: true, conditions: [europe] });
    const severity_id = await idOf("severities", "minor");
    const declaration = { idempotency_key: "k", name: "Late", severity_id, custom_fields: { region: "Europe" } };
    await request("POST", "/incidents", declaration);
    const path = "/incidents/INC-7/forms/resolve";
    const text = await page(path);
    expect(text).toContain('id="field-custom-regulator"');
    const asia = /<option value="([^"]+)">Asia</.exec(text)?.[1] ?? "";
    const typed = await page(`${path}?asked=region&custom.region=${asia}`);
    expect(typed).not.toContain('id="field-custom-regulator"');
    expect(typed).toContain("Regulator: asked if region is one of Europe");
    // A field that was on the page and is empty now stays empty.
    expect(await page(`${path}?asked=region&custom.region=`)).toContain("Regulator: asked if region");
  });

  test("mark every field that is missing, and change nothing", async () => {
    const { status, text } = await client.post("/incidents/INC-5/forms/update", {
      asked: "status",
      severity: "",
      status: "",
    });
    expect(status).toBe(422);
    expect(text).toContain("Nothing was changed.");
    for (const field of ["message", "status"]) {
      expect(text.slice(text.indexOf(`id="field-${field}-note"`))).toMatch(
        /^.{0,80}can't be blank|^.{0,80}can&#39;t be blank/,
      );
    }
    const { text: declaration } = await client.post("/forms/declare", { name: "", severity: "" });
    expect(declaration.match(/aria-invalid="true"/g)).toHaveLength(2);
  });
});

describe("an action that is refused", () => {
  test("marks its fields in the opened form, and keeps what was typed", async () => {
    const fields = { relationship: "related", other_incident_id: "" };
    const { status, text } = await client.post("/incidents/INC-5/actions/link", fields);
    expect(status).toBe(422);
    expect(text).toContain("The incidents were not linked.");
    expect(text).toContain('<details class="action" open="">');
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(text).toContain('selected="">related<');
    const own = await client.post("/incidents/INC-5/actions/link", {
      ...fields,
      other_incident_id: String((await read(5)).id),
    });
    expect(own.text).toContain("An incident cannot be linked to itself.");
  });

  test("by a stale version says so, and keeps the text", async () => {
    const fields = { html: "<p>Mine</p>", version: "1", status: "completed" };
    const { status, text } = await client.post("/incidents/INC-3/actions/write", fields);
    expect(status).toBe(422);
    expect(text).toContain("Status 409: The postmortem was edited after that version");
    expect(text).toContain("&lt;p&gt;Mine&lt;/p&gt;");
  });

  test.each([
    ["unknown", 404],
    ["toString", 404],
    ["__proto__", 404],
  ])("because it is %s is not found", async (action, status) => {
    expect((await client.post(`/incidents/INC-5/actions/${action}`, {})).status).toBe(status);
  });

  test("by a fault shows the fault", async () => {
    site.emulator.control?.faults.add({
      path: "/api/v1/*",
      phase: "after-commit",
      action: { type: "reset" },
      times: 0,
    });
    const { status, text } = await client.post("/incidents/INC-5/actions/lead", { lead_id: "ada@example.com" });
    expect(status).toBe(422);
    expect(text).toContain("The connection was reset, as after a fault.");
  });
});

test("read-only pages show people, runbooks and escalations, and have no form", async () => {
  const id = String((await read(5)).id);
  await request("POST", `/incidents/${id}/escalate`, { member_id: "ada@example.com", reason: "Please look" });
  await site.close();
  site = await openWebSite({ isWritable: false });
  client = await signIn(site);
  await request("POST", `/incidents/${String((await read(5)).id)}/escalate`, {
    member_id: "ada@example.com",
    reason: "Please look",
  });
  for (const path of ["/incidents/INC-5", "/incidents/INC-3", "/incidents", "/"]) {
    const text = await page(path);
    expect(text).not.toContain('method="post"');
    expect(text).not.toContain("Declare incident");
  }
  const text = await page("/incidents/INC-5");
  for (const words of ["Incident Lead", "Please look", "In the channel: Grace Holm, Mei Tanaka"])
    expect(text).toContain(words);
  expect((await client.post("/incidents/INC-5/actions/lead", { lead_id: "ada@example.com" })).status).toBe(403);
  expect((await client.post("/incidents/INC-5/forms/cancel", { status: "x" })).status).toBe(403);
});

describe("the list of incidents", () => {
  const names = async (query: string): Promise<readonly string[]> => {
    const text = await page(`/incidents?${query}`);
    return [...text.matchAll(/<a href="\/incidents\/(INC-\d+)">/g)].map(([, identifier = ""]) => identifier);
  };

  test("is searched by words of the identifier, name and summary, in any case", async () => {
    expect(await names("q=SLOW+search")).toEqual(["INC-5"]);
    expect(await names("q=inc-3")).toEqual(["INC-3"]);
    expect(await names("q=release")).toEqual(["INC-3"]);
    expect(await names(`q=${encodeURIComponent("100%_'")}`)).toEqual([]);
  });

  test("is narrowed by stage, severity, status and type together, and its tabs keep the rest", async () => {
    const major = await idOf("severities", "major");
    expect(await names(`severity=${major}`)).toEqual(["INC-5", "INC-4"]);
    expect(await names(`severity=${major}&stage=live`)).toEqual(["INC-5"]);
    expect(await names(`status=${await idOf("statuses", "resolved")}&q=reports`)).toEqual(["INC-1"]);
    expect(await names(`type=${await idOf("incident_types", "security_incident")}`)).toEqual(["INC-6"]);
    expect(await names("severity=none")).toEqual([]);
    expect(await page(`/incidents?severity=${major}`)).toContain(`href="/incidents?severity=${major}&amp;stage=live"`);
    expect(await column(site.emulator, "/incidents", "name")).toHaveLength(6);
  });
});
