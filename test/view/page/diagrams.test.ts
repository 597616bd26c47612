/** The diagrams in the page of a plan, from what the plan has read. */

import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { openTestWorld, type World } from "../../commands/world.ts";

const here = { paths: ["."], rate: 1_000_000 };

const files = (first: string, form: string): Readonly<Record<string, string>> => ({
  "severities.yaml": `severities:
${first}  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
`,
  "rules.yaml": `routing_rules:
  workspace:
    - { name: drills, conditions: [{ field: title, operator: starts_with, value: drill }], outcome: { action: drop } }
    - name: pages
      conditions: [{ field: title, operator: contains, value: "\${env:PIN}" }]
      outcome: { action: auto_create_incident, severity: critical }
`,
  "forms.yaml": `custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }
forms:
  declare:
    - { system_field: name, visible: true, required: true }
    - { system_field: severity, visible: true, required: true }
${form}`,
});
const REGION = `    - custom_field: region
      visible: true
      required: true
      conditions: [{ condition_field: severity, operator: one_of, values: [critical] }]
`;

async function opened(): Promise<World> {
  const world = await openTestWorld(files("", ""), { requestsPerMinute: 1_000_000 });
  world.io.env.PIN = "hunter22hunter";
  expect(await world.run(apply, { ...here, yes: true, allowDelete: true })).toMatchObject({ exit: 0 });
  return world;
}

/** The data that the page's script evaluates. */
function values(html: string): unknown {
  const [, text = "{}"] = /data-values="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(
    text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&"),
  );
}

test("the page draws the ladder and the form of the plan, and asks the service for nothing more than the plan as text", async () => {
  const world = await opened();
  await world.write(files("  - { slug: blocker, name: Blocker }\n", REGION));
  const requestsOf = async (format: "text" | "html"): Promise<readonly string[]> => {
    const before = world.requests.length;
    expect(await world.run(plan, { ...here, format })).toMatchObject({ exit: 0 });
    return world.requests.slice(before).map(({ method, url }) => `${method} ${url}`);
  };
  expect(await requestsOf("html")).toEqual(await requestsOf("text"));
  const { stdout } = await world.run(plan, { ...here, format: "html" });
  expect(stdout).toContain('aria-label="severities in order, now and planned"');
  expect(stdout).toContain("1  Blocker");
  expect(values(stdout)).toMatchObject({
    form: {
      before: { form: [{ slug: "name" }, { slug: "severity" }, { slug: "summary" }] },
      after: {
        form: [
          ...[{ slug: "name" }, { slug: "severity" }, { slug: "summary" }],
          {
            slug: "region",
            isRequired: true,
            conditions: [{ reads: "severity", operator: "one_of", values: ["critical"] }],
          },
        ],
      },
    },
  });
});

test("a value from the environment is in no diagram, neither from the files nor from the service", async () => {
  const world = await opened();
  await world.write({
    ...files("", ""),
    "rules.yaml": `routing_rules:
  workspace:
    - { name: drills, conditions: [{ field: title, operator: contains, value: drill }], outcome: { action: drop } }
    - { name: others, outcome: { action: notify_only, notify: { type: owning_team, of: service } } }
`,
  });
  const { stdout } = await world.run(plan, { ...here, format: "html" });
  expect(stdout).not.toContain("hunter22hunter");
  expect(values(stdout)).toMatchObject({
    lists: [
      { isOfSource: false, before: [{ conditions: [{ value: "(secret)", isSecret: true }] }, {}], after: [{}, {}] },
    ],
  });
});

test("an outcome that stays has one text, in whatever order the service and the files give its members", async () => {
  const rulesOf = (title: string, outcome: string) => ({
    "rules.yaml": `routing_rules: { workspace: [{ conditions: [{ field: title, operator: contains, value: ${title} }], outcome: ${outcome} }] }\n`,
  });
  const world = await openTestWorld(
    rulesOf("a", "{ invite: [{ of: service, type: owning_team }], severity: minor, action: auto_create_incident }"),
  );
  await world.run(apply, { ...here, yes: true, allowDelete: true });
  await world.write(
    rulesOf("b", "{ action: auto_create_incident, severity: minor, invite: [{ type: owning_team, of: service }] }"),
  );
  const { stdout } = await world.run(plan, { ...here, format: "html" });
  const outcomes = [...stdout.matchAll(/<p class="then">(.*?)<\/p>/g)].map(([, text]) => text);
  expect(outcomes).toHaveLength(2);
  expect(new Set(outcomes).size).toBe(1);
});

test("a list that the plan does not change is not drawn", async () => {
  const world = await opened();
  await world.write(files("  - { slug: blocker, name: Blocker }\n", ""));
  const { stdout } = await world.run(plan, { ...here, format: "html" });
  expect(values(stdout)).toEqual({});
  expect(stdout).not.toContain("as a flow");
});

describe("the page of a run", () => {
  const changed = () => ({
    ...files("  - { slug: blocker, name: Blocker }\n", REGION),
    "rules.yaml": `routing_rules:
  workspace:
    - { name: drills, conditions: [{ field: title, operator: starts_with, value: drill }], outcome: { action: drop } }
    - { name: others, outcome: { action: auto_create_incident, severity: blocker } }
`,
  });

  test("draws the workspace before and after it, and asks the service for nothing more", async () => {
    const requestsOf = async (format: "text" | "html"): Promise<readonly [string, readonly string[]]> => {
      const world = await opened();
      await world.write(changed());
      const before = world.requests.length;
      const { exit, stdout } = await world.run(apply, { ...here, format, yes: true, acceptRoutingWindow: true });
      expect(exit).toBe(0);
      return [stdout, world.requests.slice(before).map(({ method, url }) => `${method} ${url}`)];
    };
    const [[page, asked], [, askedAsText]] = [await requestsOf("html"), await requestsOf("text")];
    expect(asked).toEqual(askedAsText);
    expect(page).toContain('aria-label="severities in order, before and after"');
    expect(page).toContain("1  Blocker");
    expect(page).toContain('data-sides="Before/After"');
    expect(page).not.toContain("requires --accept-routing-window");
    expect(page).not.toContain("hunter22hunter");
    expect(values(page)).toMatchObject({
      form: { before: { form: { length: 3 } }, after: { form: { length: 4 } } },
      lists: [{ before: { length: 2 }, after: [{ label: "drills" }, { label: "others" }] }],
    });
  });

  test("draws what it planned if it did not end as planned", async () => {
    const world = await opened();
    await world.write(changed());
    const { fetch } = world.io;
    const refusing: typeof fetch = async (url, init) => {
      if (init.method !== "POST" || !url.endsWith("/severities")) return fetch(url, init);
      const error = { type: "validation_error", message: "name is taken", request_id: "r" };
      return Response.json({ error }, { status: 422, headers: { date: new Date().toUTCString() } });
    };
    Object.assign(world.io, { fetch: refusing });
    const { exit, stdout } = await world.run(apply, { ...here, format: "html", yes: true, acceptRoutingWindow: true });
    expect(exit).toBe(4);
    expect(stdout).toContain('aria-label="severities in order, before and planned"');
    expect(stdout).toContain('data-sides="Before/Planned"');
  });

  test("of a saved plan has diagrams, and so has the plan that undoes it", async () => {
    const world = await opened();
    const summary = "    - { system_field: summary, visible: true, required: true }\n";
    // Without its rule in the files, the value of the environment in the former list would not be known.
    const rules = String(files("", "")["rules.yaml"]).replace("severity: critical", "severity: blocker");
    const runbooks = `runbooks:
  - { slug: failover, name: Failover, conditions: [{ condition_field: severity, operator: one_of, values: [critical] }] }
`;
    await world.write({
      ...files("  - { slug: blocker, name: Blocker }\n", summary),
      ...{ "rules.yaml": rules, "runbooks.yaml": runbooks },
    });
    expect(await world.run(plan, { ...here, out: "change.plan" })).toMatchObject({ exit: 0 });
    const approved = { ...here, format: "html" as const, acceptRoutingWindow: true };
    const applied = await world.run(apply, { ...approved, plan: "change.plan", yes: true });
    expect(applied).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("severities in order, before and after"),
    });
    const { exit, stdout } = await world.run(undo, { ...here, format: "html" });
    expect(exit).toBe(0);
    expect(stdout).toContain('aria-label="severities in order, now and planned"');
    expect(stdout).toContain('aria-label="References around runbooks/failover"');
    expect(stdout).not.toContain("hunter22hunter");
    const summaryIs = (isRequired: boolean) => ({
      form: expect.arrayContaining([expect.objectContaining({ slug: "summary", isRequired })]),
    });
    expect(values(stdout)).toMatchObject({
      form: { before: summaryIs(true), after: summaryIs(false) },
      lists: [
        {
          before: [{}, { outcome: { severity: "blocker" } }],
          after: [{}, { outcome: { severity: "critical" } }],
        },
      ],
    });
  });

  test("that undoes a new order draws the former one", async () => {
    const world = await opened();
    const order = (...slugs: string[]) =>
      `severities:\n${slugs.map((slug) => `  - { slug: ${slug}, name: ${slug} }\n`).join("")}`;
    await world.write({ "severities.yaml": order("blocker", "critical", "major", "minor", "trivial") });
    expect(await world.run(apply, { ...here, yes: true })).toMatchObject({ exit: 0 });
    await world.write({ "severities.yaml": order("blocker", "minor", "trivial", "major", "critical") });
    expect(await world.run(apply, { ...here, yes: true })).toMatchObject({ exit: 0 });
    const { stdout } = await world.run(undo, { ...here, format: "html" });
    const [ladder = ""] = /<svg[^>]*aria-label="severities in order.*?<\/svg>/s.exec(stdout) ?? [];
    expect([...ladder.matchAll(/>(\d {2}\w+)</g)].map(([, rung]) => rung).toSorted()).toEqual([
      "1  blocker",
      "1  blocker",
      "2  critical",
      "2  minor",
      "3  major",
      "3  trivial",
      "4  major",
      "4  minor",
      "5  critical",
      "5  trivial",
    ]);
  });
});
