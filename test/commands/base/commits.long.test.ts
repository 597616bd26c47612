/**
 * A repository of forty commits in which the attribution of each plan is known. Before each commit the workspace is as the files say;
 * then somebody may change it by hand, the commit changes the files, and the plan compares with the commit before.
 */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { openWorld, type World } from "../world.ts";
import { commitAll, initRepository, originsOf, planOf } from "./repository.ts";

type Contents = Readonly<Record<string, string | null>>;

interface Step {
  readonly title: string;
  /** Path → text; null: the file goes. */
  readonly files: Contents;
  /** Method, path and body of requests past the program, before the commit. */
  readonly byHand?: readonly (readonly [method: string, path: string, body?: object])[];
  readonly flags?: Partial<PlanFlags>;
  /** Address → origin of each change. Default: none. */
  readonly origins?: Readonly<Record<string, "files" | "workspace">>;
  /** What is no longer managed, as `address#path`, and the line that removes it. Default: nothing. */
  readonly released?: Readonly<Record<string, string | undefined>>;
}

const SETTINGS = `version: 1
base_url: http://localhost:4010
config: [config]
vars: { word: Old }
environments:
  staging: { overlays: [staging.yaml] }
`;
const severities = (...lines: readonly string[]) => `severities:\n${lines.map((line) => `  - { ${line} }\n`).join("")}`;
const CRITICAL = "slug: critical, name: Critical, default: true";
const MAJOR = "slug: major, name: Major";
const MINOR = "slug: minor, name: Minor";
const ROLES = "incident_roles:\n  - { slug: scribe, name: Scribe }\n  - { slug: liaison, name: Liaison }\n";
const hook = (name: string, path = name) =>
  `  - { name: ${name}, url: "https://example.com/${path}", subscribed_events: [incident.created] }\n`;
const rule = (name: string, text: string, action = "drop") =>
  `    - { name: ${name}, conditions: [{ field: title, operator: contains, value: ${text} }], outcome: { action: ${action} } }\n`;
const workspaceRules = (...rules: readonly string[]) => `routing_rules:\n  workspace:\n${rules.join("")}`;
const SOURCES = "alert_sources:\n  - { name: Grafana, provider: grafana }\n";
const SOURCE_RULES = `routing_rules:\n  sources:\n    Grafana:\n  ${rule("quiet", "test")}`;
const [ONE, TWO, THREE] = [rule("one", "alpha"), rule("two", "beta"), rule("three", "gamma")];
const field = (...options: readonly string[]) =>
  `custom_fields:\n  - { slug: region, name: Region, field_type: single_select, options: [${options.join(", ")}] }\n`;
const SERVICES = `catalog_types:
  - slug: service
    entries:
      - { slug: payments, name: Payments, attributes: { tier: Critical } }
      - { slug: search, name: Search }
`;

const HAND_SEVERITY = ["PATCH", "/api/v1/severities/critical", { name: "Outage" }] as const;

const STEPS: readonly Step[] = [
  {
    title: "a name",
    files: { "config/a.yaml": severities(CRITICAL, "slug: major, name: Big", MINOR) },
    origins: { "severities/major": "files" },
  },
  {
    title: "the name back, beside an edit by hand",
    files: { "config/a.yaml": severities(CRITICAL, MAJOR, MINOR) },
    byHand: [HAND_SEVERITY],
    origins: { "severities/major": "files", "severities/critical": "workspace" },
  },
  {
    title: "a comment, beside an edit by hand",
    files: { "config/a.yaml": `# text\n${severities(CRITICAL, MAJOR, MINOR)}` },
    byHand: [HAND_SEVERITY],
    origins: { "severities/critical": "workspace" },
  },
  {
    title: "a renamed file",
    files: { "config/a.yaml": null, "config/levels.yaml": severities(CRITICAL, MAJOR, MINOR) },
  },
  {
    title: "a renamed file with an edit, beside one by hand",
    files: {
      "config/levels.yaml": null,
      "config/severities.yaml": severities(CRITICAL, "slug: major, name: Large", MINOR),
    },
    byHand: [HAND_SEVERITY],
    origins: { "severities/major": "files", "severities/critical": "workspace" },
  },
  {
    title: "another order",
    files: { "config/severities.yaml": severities(CRITICAL, MINOR, "slug: major, name: Large") },
    origins: { "severities/minor": "files" },
  },
  {
    title: "a resource more",
    files: {
      "config/severities.yaml": severities(CRITICAL, MINOR, "slug: major, name: Large", "slug: low, name: Low"),
    },
    origins: { "severities/low": "files" },
  },
  {
    title: "a resource less",
    files: { "config/severities.yaml": severities(CRITICAL, MINOR, "slug: major, name: Large") },
    origins: { "severities/low": "files" },
  },
  {
    title: "a field more",
    files: { "config/severities.yaml": severities(CRITICAL, `${MINOR}, color: "#112233"`, "slug: major, name: Large") },
    origins: { "severities/minor": "files" },
  },
  {
    title: "a field less",
    files: { "config/severities.yaml": severities(CRITICAL, MINOR, "slug: major, name: Large") },
    released: { "severities/minor#/color": undefined },
  },
  {
    title: "webhooks",
    files: { "config/hooks.yaml": `webhooks:\n${hook("a")}${hook("b")}` },
    origins: { "webhooks/a": "files", "webhooks/b": "files" },
  },
  {
    title: "a move to another file",
    files: { "config/hooks.yaml": `webhooks:\n${hook("a")}`, "config/more.yaml": `webhooks:\n${hook("b")}` },
  },
  {
    title: "an edit of one file, by hand in the other",
    files: { "config/hooks.yaml": `webhooks:\n${hook("a", "new")}` },
    byHand: [
      [
        "POST",
        "/api/v1/webhooks",
        { name: "c", url: "https://example.com/c", subscribed_events: ["incident.created"] },
      ],
    ],
    origins: { "webhooks/a": "files", "webhooks/c": "workspace" },
  },
  { title: "one of two files goes", files: { "config/more.yaml": null }, origins: { "webhooks/b": "files" } },
  { title: "the last file goes", files: { "config/hooks.yaml": null }, released: { webhooks: "webhooks: []" } },
  { title: "an empty list", files: { "config/hooks.yaml": "webhooks: []\n" }, origins: { "webhooks/a": "files" } },
  { title: "an empty list goes", files: { "config/hooks.yaml": null }, released: { webhooks: "webhooks: []" } },
  {
    title: "a new list takes what is there",
    files: { "config/hooks.yaml": "webhooks: []\n" },
    byHand: [
      [
        "POST",
        "/api/v1/webhooks",
        { name: "d", url: "https://example.com/d", subscribed_events: ["incident.created"] },
      ],
    ],
    origins: { "webhooks/d": "files" },
  },
  {
    title: "a resource renamed",
    files: { "config/hooks.yaml": `webhooks:\n${hook("e")}` },
    origins: { "webhooks/e": "files" },
  },
  {
    title: "a resource under another name",
    files: { "config/hooks.yaml": `webhooks:\n${hook("f", "e").replace("url", "renamed_from: e, url")}` },
    origins: { "webhooks/f": "files" },
  },
  {
    title: "roles",
    files: { "config/roles.yaml": ROLES },
    origins: { "incident_roles/scribe": "files", "incident_roles/liaison": "files" },
  },
  {
    title: "a variable in a file",
    files: { "config/roles.yaml": ROLES.replace("name: Scribe", 'name: "$' + '{var:word} scribe"') },
    origins: { "incident_roles/scribe": "files" },
  },
  {
    title: "the value of the variable, in the settings",
    files: { "incidentctl.yaml": SETTINGS.replace("word: Old", "word: New") },
    origins: { "incident_roles/scribe": "files" },
  },
  {
    title: "a text of another file",
    files: {
      "config/roles.yaml": ROLES.replace("name: Liaison", 'name: Liaison, description: "$' + '{file:liaison.md}"'),
      "config/liaison.md": "Speaks.\n",
    },
    origins: { "incident_roles/scribe": "files", "incident_roles/liaison": "files" },
  },
  {
    title: "the other file alone",
    files: { "config/liaison.md": "Speaks and listens.\n" },
    origins: { "incident_roles/liaison": "files" },
  },
  {
    title: "an overlay, without its environment",
    files: { "staging.yaml": "incident_roles:\n  - { slug: scribe, name: Stager }\n" },
  },
  {
    title: "an overlay, with its environment",
    files: { "staging.yaml": "incident_roles:\n  - { slug: scribe, name: Other }\n" },
    flags: { env: "staging" },
    origins: { "incident_roles/scribe": "files" },
  },
  {
    title: "the overlays of the settings",
    files: {
      "incidentctl.yaml": SETTINGS.replace("Old", "New")
        .replace("[staging.yaml]", "[]")
        .replace("overlays: []", "vars: { word: x }"),
      "staging.yaml": null,
    },
    flags: { env: "staging" },
    origins: { "incident_roles/scribe": "files" },
  },
  {
    title: "rules",
    files: { "config/rules.yaml": workspaceRules(ONE, TWO) },
    origins: { "routing_rules/workspace/1": "files", "routing_rules/workspace/2": "files" },
  },
  {
    title: "a rule between them",
    files: { "config/rules.yaml": workspaceRules(ONE, THREE, TWO) },
    origins: { "routing_rules/workspace/2": "files" },
  },
  {
    title: "an edit of a rule, and another one by hand",
    files: { "config/rules.yaml": workspaceRules(rule("one", "alpha"), THREE, rule("two", "delta")) },
    byHand: [["PATCH", "/api/v1/routing_rules/1", { enabled: false }]],
    origins: { "routing_rules/workspace/1": "workspace", "routing_rules/workspace/3": "files" },
  },
  {
    title: "a rule goes",
    files: { "config/rules.yaml": workspaceRules(ONE, rule("two", "delta")) },
    origins: { "routing_rules/workspace/2": "files" },
  },
  {
    title: "a rule by hand",
    files: { "config/roles.yaml": `# text\n${ROLES}` },
    byHand: [["POST", "/api/v1/routing_rules", { conditions: [], outcome: { action: "drop" } }]],
    origins: { "routing_rules/workspace/3": "workspace" },
    released: { "incident_roles/liaison#/description": "description: null" },
  },
  {
    title: "rules of a source",
    files: { "config/source.yaml": SOURCES + SOURCE_RULES },
    origins: { "alert_sources/Grafana": "files", "routing_rules/Grafana/1": "files" },
  },
  {
    title: "rules of a source go, the source stays",
    files: { "config/source.yaml": SOURCES },
    released: { "routing_rules/Grafana": "routing_rules: { sources: { Grafana: [] } }" },
  },
  { title: "options", files: { "config/field.yaml": field("EU", "US") }, origins: { "custom_fields/region": "files" } },
  {
    title: "an option less",
    files: { "config/field.yaml": field("EU") },
    origins: { "custom_fields/region": "files" },
  },
  {
    title: "entries of a built-in type",
    files: { "config/catalog.yaml": SERVICES },
    origins: { "catalog_types/service/entries/payments": "files", "catalog_types/service/entries/search": "files" },
  },
  {
    title: "a value of an entry goes",
    files: { "config/catalog.yaml": SERVICES.replace(", attributes: { tier: Critical }", "") },
    released: { "catalog_types/service/entries/payments#/attributes/tier": "attributes: { tier: null }" },
  },
  {
    title: "the entries go, the type stays",
    files: { "config/catalog.yaml": "catalog_types:\n  - { slug: service }\n" },
    released: { "catalog_types/service/entries": "catalog_types: [{ slug: service, entries: [] }]" },
  },
  {
    title: "the file of the type goes",
    files: { "config/catalog.yaml": null },
    released: { catalog_types: "catalog_types: []" },
  },
];

let world: World;

beforeAll(async () => {
  world = await openWorld({
    "incidentctl.yaml": SETTINGS,
    "staging.yaml": "incident_roles: []\n",
    "config/a.yaml": severities(CRITICAL, MAJOR, MINOR),
  });
  initRepository(world);
  await applyAll({});
});
afterAll(() => world.close());

async function applyAll(flags: Partial<PlanFlags>): Promise<void> {
  const approvals = { yes: true, allowDelete: true, acceptRoutingWindow: true, maxRemovals: { percent: 100 } } as const;
  const { exit, stderr } = await world.run(apply, { paths: [], ...flags, ...approvals, base: "none" });
  if (exit !== 0) throw new Error(stderr);
}

test("the steps are forty", () => {
  expect(STEPS.length).toBeGreaterThanOrEqual(40);
});

test.each(STEPS)("$title", async ({ files, byHand = [], flags = {}, origins = {}, released = {} }) => {
  for (const [method, path, body] of byHand) await world.send(method, path, body);
  const texts = Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  await world.write(Object.fromEntries(texts));
  for (const [path, text] of Object.entries(files)) if (text === null) rmSync(join(world.folder, path));
  commitAll(world.folder);
  const { plan, stderr } = await planOf(world, { ...flags, base: "HEAD~1" });
  expect(stderr).toBe("");
  expect(originsOf(plan)).toEqual(origins);
  const edits = (plan.released ?? []).map(({ address, path, edit }) => [
    path === undefined ? address : `${address}#${path}`,
    edit,
  ]);
  expect(Object.fromEntries(edits)).toEqual(released);
  const { plan: narrow } = await planOf(world, { ...flags, base: "HEAD~1", onlyChanged: true });
  const own = Object.entries(origins).filter(
    ([address, origin]) => origin === "files" || isRuleBeside(address, origins),
  );
  expect(originsOf(narrow)).toEqual(Object.fromEntries(own));
  await applyAll(flags);
});

/** A list of rules changes as a whole. */
function isRuleBeside(address: string, origins: NonNullable<Step["origins"]>): boolean {
  const list = address.slice(0, address.lastIndexOf("/"));
  return list.startsWith("routing_rules/") && origins[`${list}/3`] === "files";
}
