import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../src/app/apply/apply-definition.ts";
import { doctor } from "../../src/app/doctor/doctor-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import type { DriftOptions } from "../../src/app/drift/drift-definition.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../src/app/plan/plan-definition.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

const settings = (ignore: string, more = "") => `version: 1\nignore: [${ignore}]\n${more}`;
const SEVERITIES = `severities:
  - { slug: critical, name: Critical }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
`;
const CONFIG = `${SEVERITIES}webhooks: []\n`;

/** A world whose settings ignore these patterns. */
async function ignoring(ignore: string, config = CONFIG, more = ""): Promise<void> {
  world = await openWorld({ "config.yaml": config, "incidentctl.yaml": settings(ignore, more) });
}
const hook = (name: string) =>
  world.send("POST", "/api/v1/webhooks", {
    ...{ name, url: "https://a.example.com/x", subscribed_events: ["incident.created"] },
  });
const planned = async (options: Partial<PlanFlags> = {}) => {
  const ended = await world.run(plan, { paths: [], format: "json", ...options });
  expect(ended.exit, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
};
const applied = (options: Partial<ApplyFlags> = {}) => world.run(apply, { paths: [], yes: true, ...options });
const drifted = async (options: Partial<DriftOptions> = {}) => {
  const ended = await world.run(drift, { paths: [], format: "json", ...options });
  return { exit: ended.exit, ...JSON.parse(ended.stdout) };
};
const severity = async (slug: string): Promise<Record<string, unknown>> => {
  const { severities } = (await world.send("GET", "/api/v1/severities?include_disabled=true")) as {
    readonly severities: readonly Record<string, unknown>[];
  };
  return severities.find((one) => one.slug === slug) ?? {};
};
const webhookNames = async (): Promise<readonly string[]> => {
  const { webhooks } = (await world.send("GET", "/api/v1/webhooks")) as {
    readonly webhooks: readonly { readonly name: string }[];
  };
  return webhooks.map(({ name }) => name);
};

describe("an ignored resource", () => {
  test("is no change of plan, drift and apply, is counted apart, and every other one is", async () => {
    await ignoring('"webhooks/legacy *"');
    await hook("legacy chat");
    await hook("by hand");
    const made = await planned();
    expect(made.changes.map(({ address }: { readonly address: string }) => address)).toEqual(["webhooks/by hand"]);
    expect(made).toMatchObject({ summary: { delete: 1, ignored: 1 }, ignored: [{ address: "webhooks/legacy chat" }] });
    expect(made.accepted).toEqual([]);
    expect(await drifted()).toMatchObject({
      exit: 2,
      summary: { delete: 1, ignored: 1 },
      drift: { new: [{ address: "webhooks/by hand" }] },
    });
    const done = await applied({ allowDelete: true });
    expect(done.exit, done.stderr).toBe(0);
    expect(await webhookNames()).toEqual(["legacy chat"]);
    expect(await drifted()).toMatchObject({ exit: 0, summary: { ignored: 1 } });
    const empty = await applied();
    expect(empty).toMatchObject({ exit: 0 });
    expect(empty.stdout).toContain("No changes. The workspace matches what the files declare. 1 ignored.");
  });

  test("is shown apart in every format", async () => {
    await ignoring('"webhooks/legacy *"');
    await hook("legacy chat");
    const shown = async (format: "text" | "markdown" | "html") => (await world.run(plan, { paths: [], format })).stdout;
    expect(await shown("text")).toContain("Ignored by the settings\n  webhooks/legacy chat\n\nNot managed");
    expect(await shown("markdown")).toContain(
      "<details><summary>Ignored by the settings: 1</summary>\n\n- `webhooks/legacy chat`\n",
    );
    expect(await shown("html")).toContain(
      "<h2>Ignored by the settings</h2>\n<ul>\n<li><code>webhooks/legacy chat</code></li>",
    );
    for (const format of ["text", "markdown", "html"] as const) {
      const { stdout } = await world.run(drift, { paths: [], format });
      expect(stdout).toContain("1 ignored.");
      expect(stdout).toContain("Ignored by the settings");
    }
  });

  test("is left out of a narrowed plan that does not reach it", async () => {
    await ignoring(
      '"webhooks/legacy *", "severities/critical#/color"',
      CONFIG.replace("Critical }", 'Critical, color: "#000000" }'),
    );
    await hook("legacy chat");
    expect((await planned({ kinds: "webhooks" })).ignored).toEqual([{ address: "webhooks/legacy chat" }]);
    expect((await planned({ target: ["severities/critical"] })).ignored).toEqual([
      { address: "severities/critical", path: "/color" },
    ]);
    expect((await planned({ exclude: ["webhooks/legacy chat"] })).ignored).toEqual([
      { address: "severities/critical", path: "/color" },
    ]);
  });

  test("leaves the base of max_removals, in a plan and in doctor", async () => {
    await ignoring('"webhooks/legacy *"', CONFIG, "limits: { max_removals: 50% }\n");
    for (const name of ["legacy a", "legacy b", "legacy c", "one", "two"]) await hook(name);
    expect((await planned()).blocked).toContainEqual(
      expect.objectContaining({
        code: "MAX_REMOVALS",
        message: "removing or disabling 2 of 2 webhooks exceeds the limit of 1",
      }),
    );
    const { stdout } = await world.run(doctor, { paths: [] });
    expect(stdout).toMatch(/webhooks +5 live, managed, at most 1 removal in one apply/);
  });

  test("holds the resource that the service would delete it with", async () => {
    await ignoring('"catalog_types/office/entries/*"', "catalog_types: []\n", "removal: { default: delete }\n");
    await world.send("POST", "/api/v1/catalog/types", { name: "Office", slug: "office" });
    await world.send("POST", "/api/v1/catalog/types/office/entries", { name: "Berlin", slug: "berlin" });
    await world.send("POST", "/api/v1/catalog/types", { name: "Planet", slug: "planet" });
    const made = await planned();
    expect(made.changes.map(({ action, address }: Record<string, string>) => `${action} ${address}`)).toEqual([
      "delete catalog_types/planet",
    ]);
    expect(made.warnings).toContainEqual(
      expect.objectContaining({
        code: "W_RETAINED",
        message:
          "catalog_types/office is not in the configuration but stays: used by catalog_types/office/entries/berlin, and a catalog type cannot be disabled",
      }),
    );
    expect((await applied({ allowDelete: true })).exit).toBe(0);
    expect(await world.send("GET", "/api/v1/catalog/types/office/entries")).toMatchObject({
      entries: [{ slug: "berlin" }],
    });
  });

  test("may be referenced by declared rules", async () => {
    await ignoring(
      '"severities/local"',
      `${SEVERITIES}alert_sources: [{ name: Datadog, provider: datadog }]
routing_rules: { sources: { Datadog: [{ outcome: { action: auto_create_incident, severity: local } }] } }
`,
    );
    const missing = await world.run(plan, { paths: [] });
    expect(missing.exit).toBe(1);
    expect(missing.stderr).toContain("severities/local, which is neither in the files nor in the workspace");
    await world.send("POST", "/api/v1/severities", { name: "Local" });
    expect((await applied()).exit).toBe(0);
    expect(await severity("local")).toMatchObject({ name: "Local" });
    expect(await drifted()).toMatchObject({ exit: 0 });
  });

  test("keeps its place when the others are put in order", async () => {
    await ignoring('"severities/local"');
    await world.send("POST", "/api/v1/severities", { name: "Local", position: 1 });
    await world.send("PATCH", "/api/v1/severities/minor", { position: 1 });
    const made = await planned();
    expect(made.changes).toMatchObject([{ action: "move", address: "severities/minor" }]);
    expect((await applied()).exit).toBe(0);
    expect(await severity("local")).toMatchObject({ position: 1 });
    expect(await drifted()).toMatchObject({ exit: 0 });
  });

  test("is no longer ignored under a new name: to rename it is an error", async () => {
    await ignoring(
      '"webhooks/legacy *"',
      CONFIG.replace(
        "webhooks: []",
        'webhooks: [{ name: chat, renamed_from: legacy chat, url: "https://a.example.com/x", subscribed_events: [incident.created] }]',
      ),
    );
    await hook("legacy chat");
    const { exit, stderr } = await world.run(plan, { paths: [] });
    expect(exit).toBe(1);
    expect(stderr).toContain("E_IGNORE]: webhooks/chat is the live webhooks/legacy chat, which the settings ignore");
  });

  test("counts as one that stays, for warnings about what the workspace needs", async () => {
    const statuses = `statuses:
  - { slug: triage, name: Triage, lifecycle_stage: triage }
  - { slug: investigating, name: Investigating, lifecycle_stage: active }
  - { slug: canceled, name: Canceled, lifecycle_stage: canceled }
`;
    await ignoring('"statuses/*closed*"', statuses);
    await world.send("POST", "/api/v1/statuses", { name: "Our closed", lifecycle_stage: "closed" });
    const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
      warnings.map(({ code }) => code);
    const validated = () => world.run(validate, { paths: [] });
    expect(codes(await planned())).not.toContain("A001");
    expect((await validated()).exit).toBe(0);
    await world.write({ "incidentctl.yaml": settings("") });
    expect(codes(await planned())).toContain("A001");
    expect((await validated()).exit).not.toBe(0);
  });

  test("is left out by pull, in lists that the files have and in new ones", async () => {
    await ignoring('"webhooks/legacy *", "severities/local"', CONFIG);
    await hook("legacy chat");
    await hook("by hand");
    await world.send("POST", "/api/v1/severities", { name: "Local" });
    expect((await world.run(pull, { paths: [] })).exit).toBe(0);
    const text = readFileSync(join(world.folder, "config.yaml"), "utf8");
    expect(text).toContain("by hand");
    expect(text).not.toMatch(/legacy|local/);
    await world.write({ "config.yaml": SEVERITIES });
    expect((await world.run(pull, { paths: [], kinds: "webhooks" })).exit).toBe(0);
    const made = readFileSync(join(world.folder, "webhooks.yaml"), "utf8");
    expect(made).toContain("by hand");
    expect(made).not.toContain("legacy");
  });

  test("is rehearsed like the rest: the replica has it, and the next plan is empty", async () => {
    await ignoring('"webhooks/legacy *", "severities/critical#/name"', CONFIG.replace("Minor,", "Smallest,"));
    await hook("legacy chat");
    await hook("by hand");
    await world.send("PATCH", "/api/v1/severities/critical", { name: "By hand" });
    const { exit, stdout } = await world.run(rehearse, { paths: [] });
    expect(stdout).toContain("Rehearsal: all checks passed.");
    expect(exit).toBe(0);
  });

  test("is not changed by an undo, which names it", async () => {
    await ignoring(
      '"severities/local"',
      CONFIG.replace(
        "webhooks: []",
        'webhooks: [{ name: chat, url: "https://a.example.com/x", subscribed_events: [incident.created] }]',
      ),
    );
    expect((await applied()).exit).toBe(0);
    await world.write({ "config.yaml": CONFIG, "incidentctl.yaml": settings('"webhooks/*"') });
    const made = await world.run(undo, { paths: [], format: "json", out: "undo.plan" });
    expect(made.exit, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ changes: [], ignored: [{ address: "webhooks/chat" }] });
    await world.write({ "incidentctl.yaml": settings('"severities/local"') });
    const undone = await world.run(undo, { paths: [], format: "json" });
    expect(JSON.parse(undone.stdout)).toMatchObject({ changes: [{ action: "delete", address: "webhooks/chat" }] });
  });
});

describe("an ignored field", () => {
  test("is neither compared nor changed, and the other fields are", async () => {
    await ignoring('"severities/*#/name"', CONFIG.replace("name: Critical", 'name: Critical, color: "#101010"'));
    await world.send("PATCH", "/api/v1/severities/critical", { name: "By hand" });
    const made = await planned();
    expect(made.changes).toMatchObject([{ address: "severities/critical", fields: [{ path: "/color" }] }]);
    expect(made.ignored).toEqual(
      ["critical", "major", "minor"].map((slug) => ({ address: `severities/${slug}`, path: "/name" })),
    );
    expect((await applied()).exit).toBe(0);
    expect(await severity("critical")).toMatchObject({ name: "By hand", color: "#101010" });
    expect(await drifted()).toMatchObject({ exit: 0 });
  });

  test("is set when its resource is created", async () => {
    await ignoring(
      '"severities/*#/color"',
      CONFIG.replace("webhooks:", '  - { slug: new, name: New, color: "#202020" }\nwebhooks:'),
    );
    expect((await applied()).exit).toBe(0);
    expect(await severity("new")).toMatchObject({ color: "#202020" });
    await world.send("PATCH", "/api/v1/severities/new", { color: "#303030" });
    expect(await drifted()).toMatchObject({ exit: 0 });
  });

  test("may say whether a resource is enabled", async () => {
    await ignoring('"severities/major#/enabled"');
    await world.send("PATCH", "/api/v1/severities/major", { enabled: false });
    expect(await planned()).toMatchObject({ changes: [] });
    expect((await world.run(pull, { paths: [] })).exit).toBe(0);
    expect(readFileSync(join(world.folder, "config.yaml"), "utf8")).toBe(CONFIG);
  });

  test("may be one value of a catalog entry, which stays when the others are sent", async () => {
    const config = `catalog_types:
  - slug: office
    name: Office
    attributes: [{ name: City, attribute_type: text }, { name: Floor, attribute_type: text }]
    entries: [{ slug: hq, name: HQ, attributes: { city: Berlin, floor: "1" } }]
`;
    await ignoring('"catalog_types/office/entries/*#/attributes/floor"', config);
    expect((await applied()).exit).toBe(0);
    const entry = async () => {
      const { entries } = (await world.send("GET", "/api/v1/catalog/types/office/entries")) as {
        readonly entries: readonly Record<string, unknown>[];
      };
      return entries[0] ?? {};
    };
    const { id } = await entry();
    await world.send("PATCH", `/api/v1/catalog/entries/${id}`, { attributes: { city: "Bonn", floor: "7" } });
    const made = await planned();
    expect(made.ignored).toEqual([{ address: "catalog_types/office/entries/hq", path: "/attributes/floor" }]);
    expect(made.changes).toMatchObject([{ address: "catalog_types/office/entries/hq" }]);
    expect((await applied()).exit).toBe(0);
    expect(await entry()).toMatchObject({ attributes: { city: "Berlin", floor: "7" } });
    expect(await drifted()).toMatchObject({ exit: 0 });
  });

  test("is left out by pull, also of a resource that the files do not have", async () => {
    const config = CONFIG.replace("name: Critical", 'name: Critical, color: "#101010"');
    await ignoring('"severities/*#/color"', config);
    await world.send("PATCH", "/api/v1/severities/critical", { color: "#202020", name: "By hand" });
    await world.send("POST", "/api/v1/severities", { name: "New", color: "#303030" });
    expect((await world.run(pull, { paths: [] })).exit).toBe(0);
    const text = readFileSync(join(world.folder, "config.yaml"), "utf8");
    expect(text).toContain('{ slug: critical, name: By hand, color: "#101010" }');
    expect(text).toMatch(/slug: new, name: New \}/);
  });

  test("may hold a reference that nothing follows", async () => {
    await ignoring(
      '"webhooks/chat#/url"',
      CONFIG.replace(
        "webhooks: []",
        'webhooks: [{ name: chat, url: "https://b.example.com/x", subscribed_events: [incident.created] }]',
      ),
    );
    await hook("chat");
    expect(await planned()).toMatchObject({ changes: [], summary: { unchanged: 4 } });
  });
});
