import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { drift } from "../../src/app/drift/drift-command.ts";
import { fmt } from "../../src/app/files/fmt-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { init } from "../../src/app/init/init-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { load } from "../../src/config/load/load.ts";
import { kinds } from "../../src/kinds/index.ts";
import { openWorld, type World } from "./world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
async function open(...args: Parameters<typeof openWorld>): Promise<World> {
  world = await openWorld(...args);
  return world;
}

const files = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

describe("init", () => {
  test("creates a valid, formatted configuration that can be planned, without a network", async () => {
    const { folder, run, requests } = await open({});
    const ended = await run(init, {});
    expect(ended).toMatchObject({
      exit: 0,
      stdout: "incidentctl.yaml\nworkspace.schema.json\nsettings.schema.json\n.gitignore\nconfig/severities.yaml\n",
    });
    expect(requests).toEqual([]);
    expect(files(folder)).toEqual([
      ".gitignore",
      "config/severities.yaml",
      "incidentctl.yaml",
      "settings.schema.json",
      "workspace.schema.json",
    ]);
    const [first] = readFileSync(join(folder, "config/severities.yaml"), "utf8").split("\n");
    expect(first).toBe("# yaml-language-server: $schema=../workspace.schema.json");
    expect(readFileSync(join(folder, "incidentctl.yaml"), "utf8")).toContain("base_url: http://localhost:4010\n");
    expect(await run(validate, { paths: [] })).toMatchObject({ exit: 0 });
    expect(await run(fmt, { paths: [], check: true })).toMatchObject({ exit: 0, stdout: "" });
    expect(await run(plan, { paths: [], rate: 1_000_000 })).toMatchObject({ exit: 0 });
  });

  test("overwrites nothing, and reports it; the second time it writes nothing", async () => {
    const { folder, run } = await open({ "incidentctl.yaml": "version: 1\n", ".gitignore": "node_modules\n" });
    mkdirSync(join(folder, "config"));
    writeFileSync(join(folder, "config/mine.yaml"), "severities: []\n");
    const ended = await run(init, {});
    expect(ended).toMatchObject({ exit: 0, stdout: "workspace.schema.json\nsettings.schema.json\n" });
    expect(ended.stderr).toContain("incidentctl.yaml exists already and was not changed");
    expect(ended.stderr).toContain("add a line to .gitignore: .incidentctl/  (");
    expect(readFileSync(join(folder, "incidentctl.yaml"), "utf8")).toBe("version: 1\n");
    expect(files(folder)).toEqual([
      ".gitignore",
      "config/mine.yaml",
      "incidentctl.yaml",
      "settings.schema.json",
      "workspace.schema.json",
    ]);
    expect((await run(init, {})).stdout).toBe("");
  });

  test("--pull fills it from the workspace: the next plan and the next pull are empty", async () => {
    const { folder, run } = await open({}, { requestsPerMinute: 1_000_000 });
    const ended = await run(init, { directory: "here", pull: true, rate: 1_000_000 });
    expect(ended).toMatchObject({ exit: 0 });
    const written = files(join(folder, "here"));
    expect(written).toContain("config/severities.yaml");
    expect(ended.stdout).toMatch(new RegExp(`\n\nWrote ${written.length} files\\.\n$`));
    expect(readFileSync(join(folder, "here/config/severities.yaml"), "utf8")).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/workspace/,
    );
    const paths = [join(folder, "here")];
    const planned = await run(plan, { paths, detailedExitcode: true, rate: 1_000_000 });
    expect(planned).toMatchObject({ exit: 0 });
    expect((await run(pull, { paths, rate: 1_000_000 })).stdout).toBe("The files match the workspace.\n");
  });

  test("--pull writes an empty list for each readable kind without resources, and drift shows what is added by hand", async () => {
    const { folder, run, send } = await open({}, { requestsPerMinute: 1_000_000 });
    expect(await run(init, { directory: "here", pull: true, rate: 1_000_000 })).toMatchObject({ exit: 0 });
    const paths = [join(folder, "here")];
    const { managed } = await load(paths, { kinds, env: {}, cwd: folder });
    const top = kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name);
    expect([...new Set(managed.map(({ kind }) => kind))]).toEqual(expect.arrayContaining(top));
    expect(readFileSync(join(folder, "here/config/webhooks.yaml"), "utf8")).toMatch(
      /^# The workspace has none\. With this empty list, plan and drift show what somebody adds by hand\.\nwebhooks: \[\]\n/m,
    );
    await send("POST", "/api/v1/webhooks", {
      ...{ name: "pager", url: "https://a.example.com/x", subscribed_events: ["incident.created"] },
    });
    await send("POST", "/api/v1/catalog/types/team/entries", { slug: "ops", name: "Ops" });
    const drifted = await run(drift, { paths, format: "json", rate: 1_000_000 });
    expect(drifted.exit).toBe(2);
    expect(JSON.parse(drifted.stdout).changes).toMatchObject([
      { address: "catalog_types/team/entries/ops" },
      { address: "webhooks/pager" },
    ]);
    // What is left are built-in types, of which the files need not say anything, and nothing has not been read.
    expect(JSON.parse(drifted.stdout).unmanaged).toMatchObject([{ address: "catalog_types", resources: 4 }]);
    expect(await run(pull, { paths, rate: 1_000_000 })).toMatchObject({ exit: 0 });
    expect(await run(plan, { paths, detailedExitcode: true, rate: 1_000_000 })).toMatchObject({ exit: 0 });
  });

  test("--pull writes the empty list of the workspace's rules beside those of the sources", async () => {
    const { folder, run, send } = await open({}, { requestsPerMinute: 1_000_000 });
    await send("POST", "/api/v1/alert_sources", { name: "Datadog", provider: "datadog" });
    await send("POST", "/api/v1/routing_rules?source=Datadog", { conditions: [], outcome: { action: "drop" } });
    expect(await run(init, { directory: "here", pull: true, rate: 1_000_000 })).toMatchObject({ exit: 0 });
    const rules = readFileSync(join(folder, "here/config/routing-rules.yaml"), "utf8");
    expect(rules).toContain(
      "\nrouting_rules:\n  workspace: []\n\n  sources:\n    Datadog:\n      - outcome: { action: drop }\n",
    );
    await send("POST", "/api/v1/routing_rules", { conditions: [], outcome: { action: "drop" } });
    const drifted = await run(drift, { paths: [join(folder, "here")], format: "json", rate: 1_000_000 });
    expect(JSON.parse(drifted.stdout).changes).toMatchObject([{ address: "routing_rules/workspace/1" }]);
  });

  test.each([
    ["github", [".github/workflows/incidentctl-review.yml", ".github/workflows/incidentctl-proposal.yml"]],
    ["gitlab", [".gitlab-ci.yml"]],
  ] as const)("--ci %s copies its pipelines", async (ci, wanted) => {
    const { folder, run } = await open({});
    const { exit, stderr } = await run(init, { ci });
    expect(exit).toBe(0);
    // The program itself is packed by a command that can be copied.
    expect(stderr).toMatch(/^ {2}mkdir -p ci && mv "\$\(npm pack --ignore-scripts \S+\)" ci\/incidentctl\.tgz$/m);
    expect(files(folder)).toEqual(expect.arrayContaining([...wanted]));
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toMatch(/^\.incidentctl\/\n(?:.*\n)+reports\/\n$/m);
    expect(await run(validate, { paths: [] })).toMatchObject({ exit: 0 });
  });

  test("--uses writes workflows of a few lines, which need no packed program", async () => {
    const { folder, run } = await open({});
    const uses = `acme/incidentctl@${"c".repeat(40)}`;
    const { exit, stderr } = await run(init, { ci: "github", uses });
    expect(exit).toBe(0);
    expect(stderr).not.toContain("npm pack");
    const text = readFileSync(join(folder, ".github/workflows/incidentctl-apply.yml"), "utf8");
    expect(text).toContain(`uses: acme/incidentctl/.github/workflows/incidentctl-apply.yml@${"c".repeat(40)}\n`);
    expect(await run(init, { ci: "gitlab", uses })).toMatchObject({ exit: 64 });
    expect(await run(init, { ci: "github", uses: "acme/incidentctl@main" })).toMatchObject({ exit: 64 });
  });

  test("a URL that must not receive a token is a usage error", async () => {
    const { folder, run } = await open({});
    expect((await run(init, { url: "http://incidents.example.com" })).exit).toBe(64);
    expect(files(folder)).toEqual([]);
  });

  test("the prompt for the URL may be left empty", async () => {
    const { folder, io, run } = await open({}, { answer: "" });
    delete io.env.INCIDENTCTL_URL;
    expect((await run(init, {})).exit).toBe(0);
    expect(readFileSync(join(folder, "incidentctl.yaml"), "utf8")).toContain(
      "# base_url: https://incidents.example.com\n",
    );
    expect(await run(validate, { paths: [] })).toMatchObject({ exit: 0 });
  });
});

describe("pipelines", () => {
  test("apply what is on the default branch of the remote, and on main where the clone does not say", async () => {
    const { folder, run, write } = await open({ ".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/trunk\n" });
    const workflow = () => readFileSync(join(folder, ".github/workflows/incidentctl-apply.yml"), "utf8");
    expect(await run(init, { ci: "github" })).toMatchObject({ exit: 0 });
    expect(workflow()).toContain("branches: [trunk]");
    await write({ "other/.git/HEAD": "ref: refs/heads/trunk\n" });
    expect(await run(init, { ci: "github", directory: "other" })).toMatchObject({ exit: 0 });
    expect(readFileSync(join(folder, "other/.github/workflows/incidentctl-apply.yml"), "utf8")).toContain(
      "branches: [main]",
    );
  });

  test.each([
    ["github", "GitHub reads .github/workflows only at the root"],
    ["gitlab", "GitLab reads .gitlab-ci.yml only at the root"],
  ] as const)("of %s below the root of a repository are reported: nobody would run them", async (ci, said) => {
    const { run } = await open({ ".git/HEAD": "ref: refs/heads/main\n" });
    const { exit, stderr } = await run(init, { ci, directory: "ops/incidents" });
    expect(exit).toBe(0);
    expect(stderr).toContain(said);
    expect(stderr).toContain("name the directory ops/incidents in INCIDENTCTL_UNITS");
    expect((await run(init, { ci, directory: "." })).stderr).not.toContain(said);
  });
});

test.each([
  [undefined, "Next: incidentctl validate"],
  [".", "Next: incidentctl validate"],
  ["teams/payments", "Next: cd teams/payments, then incidentctl validate"],
])("the next step of init in %s names the directory to go to, if any", async (directory, next) => {
  const own = await open({});
  const { stdout, stderr } = await own.run(init, directory === undefined ? {} : { directory });
  expect(stdout + stderr).toContain(next);
});
