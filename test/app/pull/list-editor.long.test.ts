import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fmt } from "../../../src/app/files/fmt-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { type Dialects, dialectChoices } from "../../../src/emulator/dialects.ts";
import { openTestWorld, openWorld, type World } from "../../commands/world.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { folder as exampleFolder, loadExamples, modules } from "../../support/samples/example-workspace.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { readsAs, styled } from "../../support/samples/yaml-styles.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const fast = { requestsPerMinute: 1_000_000 };
const here = { paths: ["."], rate: 1_000_000 };

/** Every file of the folder that declares something. */
function files(world: World): Readonly<Record<string, string>> {
  const names = readdirSync(world.folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.yaml$/.test(name));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(world.folder, name), "utf8")]));
}

async function expectNothingToPlan(world: World): Promise<void> {
  const planned = await world.run(plan, { ...here, detailedExitcode: true });
  expect(planned.stdout + planned.stderr).toContain("No changes.");
  expect(planned.exit).toBe(0);
}

/** The workspace of the examples, and an empty folder. */
async function exampleWorkspace(dialects: Partial<Dialects> = {}): Promise<World> {
  const world = await openTestWorld({}, { dialects, ...fast });
  const on = serviceFor({}, world.emulator);
  await on.carryOut(await on.planFor(await loadExamples(modules)));
  return world;
}

/** The same, with the example files in the folder. */
async function exampleFiles(): Promise<World> {
  const world = await exampleWorkspace();
  cpSync(exampleFolder, world.folder, { recursive: true });
  world.io.env.INCIDENTCTL_URL = "https://incidents.example.com";
  return world;
}

describe("a pull into an empty folder", () => {
  const switches = dialectChoices().map(([name, [, other]]): Partial<Dialects> => ({ [name]: other }));
  const whole: Partial<Dialects> = Object.assign({}, ...switches);

  test.each(process.env.CAMPAIGN_PULLS === undefined ? [{}, whole] : [{}, ...switches, whole])(
    "the examples, with %o: the next plan and the next pull are empty",
    async (dialects) => {
      const world = await exampleWorkspace(dialects);
      const first = await world.run(pull, here);
      expect(first).toMatchObject({ exit: 0, stderr: "" });
      await expectNothingToPlan(world);
      const before = files(world);
      expect(await world.run(fmt, { paths: ["."], check: true })).toMatchObject({ exit: 0, stdout: "" });
      expect(await world.run(pull, here)).toMatchObject({ exit: 0, stdout: "The files match the workspace.\n" });
      expect(files(world)).toEqual(before);
      expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    },
  );
});

const RUNS = sampleSize(120, process.env.CAMPAIGN_PULLS);
const ROWS: readonly Partial<Dialects>[] = [
  {},
  { options: "replace", condition_values: "id" },
  { envelope: "wrapped", fallback: "sticky", delete_guard: "incidents" },
  { condition_values: "id", locked_fields: "ignore" },
];

describe("a pull over existing files", () => {
  test(
    "for any files, workspace and style the next plan is empty, and the next pull changes nothing",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          configuration,
          configuration,
          fc.array(fc.nat(20), { minLength: 3, maxLength: 9 }),
          fc.constantFrom(1, 2, 4),
          fc.constantFrom(...ROWS),
          async (mine, theirs, choices, indent, dialects) => {
            const text = styled(mine, choices, indent, false);
            fc.pre(readsAs(text, mine));
            const world = await openWorld({ "a.yaml": text }, { dialects, ...fast });
            try {
              const on = serviceFor({}, world.emulator);
              await on.converge(theirs);
              const pulled = await world.run(pull, here);
              expect(
                `${pulled.stderr}${pulled.stderr === "" ? "" : `${text}\n=>\n${files(world)["a.yaml"]}`}`.slice(
                  0,
                  3000,
                ),
              ).toBe("");
              const before = files(world);
              await expectNothingToPlan(world);
              expect(await world.run(pull, here)).toMatchObject({
                exit: 0,
                stdout: "The files match the workspace.\n",
              });
              expect(files(world)).toEqual(before);
            } finally {
              await world.close();
            }
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    120_000 + RUNS * 3_000,
  );
});

describe("a pull over the example files", () => {
  const PATCHES: readonly (readonly [method: string, path: string, body: object])[] = [
    ["PATCH", "/severities/major", { description: "Half of the shops cannot sell.", position: 1 }],
    ["PATCH", "/incident_roles/scribe", { name: "Note taker" }],
    ["POST", "/incident_types", { name: "Supply chain" }],
    ["PATCH", "/runbooks/card_payments_failing", { summary: "Move cards, then look." }],
    ["PATCH", "/webhooks/{executive pager}", { subscribed_events: ["lead.assigned", "incident.created"] }],
  ];

  /** Does by hand what a person would; `{name}` stands for the id of a webhook. */
  async function byHand(world: World): Promise<void> {
    for (const [method, path, body] of PATCHES) {
      const hooks = (await world.send("GET", "/api/v1/webhooks?include_disabled=true")) as {
        webhooks: { id: string; name: string }[];
      };
      const real = path.replace(/\{(.+)\}/, (_, name) => hooks.webhooks.find((hook) => hook.name === name)?.id ?? name);
      await world.send(method, `/api/v1${real}`, body);
    }
  }

  test("changes only what was edited in the service, and no other byte", async () => {
    const world = await exampleFiles();
    expect(await world.run(pull, here)).toMatchObject({ exit: 0, stdout: "The files match the workspace.\n" });
    await byHand(world);
    const dry = await world.run(pull, { ...here, dryRun: true });
    const before = files(world);
    expect(dry.exit).toBe(0);
    expect(dry.stdout).toMatchSnapshot();
    const ended = await world.run(pull, here);
    expect(ended).toMatchObject({ exit: 0, stderr: "" });
    expect(ended.stdout).toMatchSnapshot();
    await expectNothingToPlan(world);
    const changed = Object.entries(files(world)).filter(([name, text]) => text !== before[name]);
    expect(changed.map(([name]) => name)).toEqual([
      "incident-roles.yaml",
      "incident-types.yaml",
      "runbooks.yaml",
      "severities.yaml",
      "webhooks.yaml",
    ]);
  });

  test("a value from a variable is a conflict: reported, exit 7, and not overwritten", async () => {
    const world = await exampleFiles();
    const hooks = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: { id: string; name: string }[] };
    const id = hooks.webhooks.find(({ name }) => name === "status page")?.id;
    await world.send("PATCH", `/api/v1/webhooks/${id}`, { url: "https://elsewhere.example.com/" });
    const before = files(world);
    const ended = await world.run(pull, here);
    expect(ended.exit).toBe(7);
    expect(ended.stderr).toMatch(
      /^conflict: webhooks\/status page url: the file takes it from a substitution.*\(webhooks.yaml:5:10\)\n$/,
    );
    expect(files(world)).toEqual(before);
    const json = await world.run(pull, { ...here, format: "json" });
    expect(JSON.parse(json.stdout)).toMatchObject({
      format_version: 1,
      written: false,
      files: [],
      conflicts: [{ address: "webhooks/status page", path: "/url", at: { file: "webhooks.yaml", line: 5 } }],
    });
  });
});

describe("a pull", () => {
  test("an anchor with two aliases is not changed for one of them", async () => {
    const text =
      "severities:\n  - { slug: critical, name: Critical, description: &d Bad }\n  - { slug: major, name: Major, description: *d }\n  - { slug: minor, name: Minor }\n";
    const world = await openTestWorld({ "a.yaml": text }, fast);
    await world.send("PATCH", "/api/v1/severities/critical", { description: "Worse" });
    await world.send("PATCH", "/api/v1/severities/major", { description: "Bad" });
    const ended = await world.run(pull, here);
    expect(ended.exit).toBe(7);
    expect(ended.stderr).toContain("conflict: severities/critical description: an anchor shares it");
    expect(files(world)["a.yaml"]).toBe(text);
  });

  test("a conflict that keeps a reference to a removed resource is reported", async () => {
    const fields = "custom_fields:\n  - { slug: tier, name: Tier, field_type: single_select, options: [Gold] }\n";
    const conditions = "[{ condition_field: custom_field, custom_field: &f tier, operator: one_of, values: [Gold] }]";
    const text = `${fields}runbooks:\n  - { slug: a, name: A, summary: One., conditions: ${conditions} }\n  - { slug: b, name: B, summary: *f }\n`;
    const world = await openTestWorld({ "a.yaml": text }, fast);
    const [severity] = ((await world.send("GET", "/api/v1/severities")) as { severities: { id: string }[] }).severities;
    const condition = { condition_field: "severity", operator: "one_of", values: [severity?.id] };
    await world.send("POST", "/api/v1/runbooks", { name: "A", summary: "One.", conditions: [condition] });
    await world.send("POST", "/api/v1/runbooks", { name: "B", summary: "tier" });
    const ended = await world.run(pull, here);
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain("Nothing was written");
    expect(ended.stderr).toContain("conflict: runbooks/a conditions: an anchor shares it");
    expect(files(world)["a.yaml"]).toBe(text);
  });

  test("a rule with a repeated condition is written as it is, since a plan would remove one of the two", async () => {
    const rule = (conditions: string): string =>
      `routing_rules:\n  workspace:\n    - { conditions: [${conditions}], outcome: { action: drop } }\n`;
    const condition = "{ field: team, operator: is_one_of, value: [db] }";
    const world = await openTestWorld({ "a.yaml": rule(condition) }, fast);
    const conditions = Array(2).fill({ field: "team", operator: "is_one_of", value: ["db"] });
    await world.send("POST", "/api/v1/routing_rules", { conditions, outcome: { action: "drop" } });
    expect(await world.run(pull, here)).toMatchObject({ exit: 0, stderr: "" });
    expect(files(world)["a.yaml"]).toBe(rule(`${condition}, ${condition}`));
    await expectNothingToPlan(world);
  });

  test("a source whose name has the characters of a substitution keeps its rules, in new files and in existing ones", async () => {
    const world = await openTestWorld({ "a.yaml": "webhooks: []\n" }, fast);
    await world.send("POST", "/api/v1/alert_sources", { name: `Probe \${x}`, provider: "generic" });
    const rules = "/api/v1/routing_rules?source=Probe+%24%7Bx%7D";
    await world.send("POST", rules, { conditions: [], outcome: { action: "drop" } });
    expect(await world.run(pull, { ...here, kinds: "alert_sources,routing_rules" })).toMatchObject({ exit: 0 });
    expect(files(world)["routing-rules.yaml"]).toContain(`"Probe $\${x}":`);
    await expectNothingToPlan(world);
    const outcome = { action: "notify_only", notify: { type: "channel", channel_id: "C1" } };
    await world.send("PATCH", "/api/v1/routing_rules/1?source=Probe+%24%7Bx%7D", { outcome });
    expect(await world.run(pull, here)).toMatchObject({ exit: 0 });
    expect(files(world)["routing-rules.yaml"]).toMatch(/"Probe \$\$\{x\}":\n.*C1/);
    await expectNothingToPlan(world);
  });

  test("rules stay unchanged and are reported if one of them cannot be changed", async () => {
    const first = "{ conditions: [{ field: &f team, operator: is_one_of, value: [db] }], outcome: { action: drop } }";
    const second = "{ conditions: [{ field: *f, operator: is_one_of, value: [web] }], outcome: { action: drop } }";
    const text = `routing_rules:\n  workspace:\n    - ${first}\n    - ${second}\n`;
    const world = await openTestWorld({ "a.yaml": text }, fast);
    for (const [field, value] of [
      ["service", "db"],
      ["team", "web"],
    ]) {
      const conditions = [{ field, operator: "is_one_of", value: [value] }];
      const outcome = { action: "notify_only", notify: { type: "channel", channel_id: "C1" } };
      await world.send("POST", "/api/v1/routing_rules", { conditions, outcome });
    }
    const ended = await world.run(pull, here);
    expect(ended.exit).toBe(7);
    expect(ended.stderr).toContain("conflict: routing_rules/workspace/1 conditions: an anchor shares it");
    expect(ended.stderr).toContain("conflict: routing_rules/workspace/2 outcome: a plan would still update it");
    expect(files(world)["a.yaml"]).toBe(text);
  });

  test("a kind without a file is skipped, unless --kinds names it", async () => {
    const world = await openTestWorld(
      {
        "a.yaml":
          "severities:\n  - { slug: critical, name: Critical }\n  - { slug: major, name: Major }\n  - { slug: minor, name: Minor }\n",
      },
      fast,
    );
    await world.send("POST", "/api/v1/webhooks", { name: "pager", url: "https://pager.example.com/" });
    expect(await world.run(pull, here)).toMatchObject({ exit: 0, stdout: "The files match the workspace.\n" });
    expect((await world.run(pull, { ...here, kinds: "webhooks" })).exit).toBe(0);
    expect(files(world)["webhooks.yaml"]?.replace(/^#.*\n/gm, "")).toBe(
      "webhooks:\n  - { name: pager, url: https://pager.example.com/ }\n",
    );
    await expectNothingToPlan(world);
  });

  test("a new file refers to the schema for editors", async () => {
    const world = await openTestWorld({
      "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\nconfig: [.]\n",
      "workspace.schema.json": "{}\n",
    });
    const pulled = await world.run(pull, { ...here, paths: [], kinds: "severities" });
    expect(pulled.exit).toBe(0);
    const [first] = (files(world)["severities.yaml"] ?? "").split("\n");
    expect(first).toBe("# yaml-language-server: $schema=./workspace.schema.json");
  });

  test("two resources with the same name are pinned", async () => {
    const world = await openTestWorld({}, fast);
    for (const path of ["a", "b"])
      await world.send("POST", "/api/v1/webhooks", { name: "pager", url: `https://pager.example.com/${path}` });
    expect((await world.run(pull, { ...here, kinds: "webhooks" })).exit).toBe(0);
    expect(files(world)["webhooks.yaml"]).toMatch(
      /^webhooks:\n {2}- \{ name: pager, id: .+\n {2}- \{ name: pager, id: .+\n$/m,
    );
    await expectNothingToPlan(world);
  });

  test("values that files cannot have are left out and reported, and an incomplete kind is not managed", async () => {
    const world = await openTestWorld({}, fast);
    await world.send("POST", "/api/v1/webhooks", {
      name: "pager",
      url: `https://pager.example.com/ff_${"a".repeat(36)}`,
    });
    await world.send("POST", "/api/v1/runbooks", { name: "Odd \u202e one", summary: "Costs $5." });
    const ended = await world.run(pull, { ...here, kinds: "webhooks,runbooks" });
    expect(ended.exit).toBe(7);
    expect(ended.stderr).not.toContain("ff_a");
    expect(ended.stderr).toContain("conflict: webhooks/pager url: it has text that looks like a token of the service");
    expect(files(world)["webhooks.yaml"]?.replace(/^#.*\n/gm, "")).toBe("webhooks:\n  - name: pager\n");
    await expectNothingToPlan(world);
  });

  test("files with CRLF, a byte order mark, tight lists and odd indentation keep them", async () => {
    const text =
      "\ufeff# ours\r\nseverities:\r\n- {slug: critical,   name: 'Critical'}   # the worst\r\n-   slug: major\r\n    name:    Major\r\n\r\n# the least\r\n- {slug: minor, name: Minor}\r\n";
    const world = await openTestWorld({ "a.yaml": text }, fast);
    await world.send("PATCH", "/api/v1/severities/critical", { name: "It's out" });
    await world.send("PATCH", "/api/v1/severities/major", { name: "Big" });
    await world.send("POST", "/api/v1/severities", { name: "Tiny" });
    expect((await world.run(pull, here)).stderr).toBe("");
    expect(files(world)["a.yaml"]).toBe(
      text
        .replace("'Critical'", "'It''s out'")
        .replace("    Major", "    Big")
        .replace("Minor}\r\n", "Minor}\r\n- { slug: tiny, name: Tiny }\r\n"),
    );
    await expectNothingToPlan(world);
  });

  test("a kind that the token cannot read is reported and left out, and exits with 6 if it is named", async () => {
    const world = await openTestWorld({}, fast);
    const { io } = world;
    const signedIn = { ...here, url: "http://localhost:4010" };
    const asService: typeof pull = (options, own, console) => {
      delete io.env.INCIDENTCTL_ADMIN_TOKEN;
      return pull(options, own, console);
    };
    const ended = await world.run(asService, signedIn);
    expect(ended).toMatchObject({ exit: 0 });
    expect(ended.stderr).toContain("not pulled, because this token cannot read them: api_keys, agents");
    expect((await world.run(asService, { ...signedIn, kinds: "agents" })).exit).toBe(6);
  });

  test("kinds with overlays are left unchanged and reported", async () => {
    const world = await openTestWorld(
      {
        "incidentctl.yaml": "version: 1\nconfig: [config]\nenvironments: { staging: { overlays: [staging.yaml] } }\n",
        "config/a.yaml":
          "severities:\n  - { slug: critical, name: Critical }\n  - { slug: major, name: Major }\n  - { slug: minor, name: Minor }\n",
        "staging.yaml": "severities:\n  - { slug: major, $remove: true }\n  - { slug: critical, name: Worst }\n",
      },
      fast,
    );
    const before = files(world);
    const ended = await world.run(pull, { paths: [], rate: 1_000_000, env: "staging" });
    expect(ended.exit).toBe(7);
    expect(ended.stderr).toContain("conflict: severities/critical name: a plan would still update it");
    expect(files(world)).toEqual(before);
  });
});
