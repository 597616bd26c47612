/** The base of a plan: which changes are of the change of the files, read by real git. */

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { show } from "../../../src/app/plan/show-command.ts";
import { openWorld, type World } from "../world.ts";
import { commitAll, gitIn, initRepository, inNewFolder, originsOf, planOf } from "./repository.ts";

const SEVERITIES = `severities:
  - { slug: critical, name: Critical, default: true }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor }
`;
const WEBHOOKS = `webhooks:
  - { name: a, url: "https://example.com/a", subscribed_events: [incident.created] }
`;
const FILES = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\nconfig: [config]\n",
  "config/severities.yaml": SEVERITIES,
  "config/webhooks.yaml": WEBHOOKS,
};
const edited = SEVERITIES.replace("name: Major", "name: Big");

let world: World;
let first: string;

beforeEach(async () => {
  world = await openWorld(FILES);
  const applied = await world.run(apply, { paths: [], yes: true, allowDelete: true, base: "none" });
  expect(applied).toMatchObject({ exit: 0 });
  rmSync(join(world.folder, ".incidentctl"), { recursive: true, force: true });
  first = initRepository(world);
});
afterEach(() => world.close());

const drifted = () => world.send("PATCH", "/api/v1/severities/minor", { name: "Small" });

describe("a plan with a base", () => {
  test("tells the change of the files from a difference that was there before", async () => {
    await drifted();
    await world.write({ "config/severities.yaml": edited });
    const { plan: made } = await planOf(world);
    expect(made.base).toEqual({ revision: first, name: "HEAD" });
    expect(originsOf(made)).toEqual({ "severities/major": "files", "severities/minor": "workspace" });
    const { stdout } = await world.run(plan, { paths: [] });
    expect(stdout).toContain(
      'Of this change (1)\n\nseverities\n  ~ severities/major  name "Major" → "Big"\n\nAlready different (1): changed in the workspace, or not applied yet\n\nseverities\n  ~ severities/minor  name "Small" → "Minor"\n',
    );
  });

  test("says of deletions that they are shown above the heading that counts them", async () => {
    await drifted();
    const headings = async () => {
      const { stdout: text } = await world.run(plan, { paths: [] });
      const { stdout: comment } = await world.run(plan, { paths: [], format: "markdown" });
      return [text, comment].map((report) => report.match(/^(?:### )?(?:Of this|Already)[^:\n]*|^ *\d+ shown above/gm));
    };
    await world.write({ "config/webhooks.yaml": "webhooks: []\n" });
    expect(await headings()).toEqual([
      ["Of this change (1)", "  1 shown above", "Already different (1)"],
      ["### Of this change (1)", "1 shown above", "### Already different (1)"],
    ]);
    await world.write({ "config/severities.yaml": edited });
    expect(await headings()).toEqual([
      ["Of this change (2)", "  1 shown above", "Already different (1)"],
      ["### Of this change (2)", "1 shown above", "### Already different (1)"],
    ]);
  });

  test("has no headings where everything is of this change", async () => {
    await world.write({ "config/severities.yaml": edited });
    expect((await world.run(plan, { paths: [] })).stdout).not.toContain("Of this change");
  });

  test("names what is no longer managed, with the line that removes it, in place of a match", async () => {
    rmSync(join(world.folder, "config/webhooks.yaml"));
    const { plan: made } = await planOf(world);
    expect(made.changes).toEqual([]);
    expect(made.released).toEqual([
      {
        address: "webhooks",
        resources: 1,
        because: "config/webhooks.yaml is gone",
        edit: "webhooks: []",
        file: "config/webhooks.yaml",
      },
    ]);
    const { stdout } = await world.run(plan, { paths: [] });
    expect(stdout).toContain("  webhooks (1 resource)  config/webhooks.yaml is gone; to remove it: webhooks: []\n");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("No changes. 1 resource is no longer managed.");
    const { stdout: markdown } = await world.run(plan, { paths: [], format: "markdown" });
    expect(markdown).toContain("🟡 **No changes. 1 resource is no longer managed.**");
    expect(markdown).toContain(
      "### No longer managed (stays in the workspace as it is)\n\n- `webhooks (1 resource)`: ",
    );
    // The line does what it says.
    await world.write({ "config/webhooks.yaml": `${made.released?.[0]?.edit}\n` });
    expect(originsOf((await planOf(world)).plan)).toEqual({ "webhooks/a": "files" });
  });

  test("says of an empty list that is no longer managed how to keep it empty", async () => {
    await world.write({ "config/webhooks.yaml": "webhooks: []\n" });
    commitAll(world.folder);
    rmSync(join(world.folder, "config/webhooks.yaml"));
    const { stdout } = await world.run(plan, { paths: [] });
    expect(stdout).toContain("  webhooks (empty list)  config/webhooks.yaml is gone; to keep it empty: webhooks: []\n");
  });

  test("is the plan without one but for what explains it, also saved and applied", async () => {
    await drifted();
    await world.write({ "config/severities.yaml": edited });
    rmSync(join(world.folder, "config/webhooks.yaml"));
    const [withBase, without] = [await planOf(world), await planOf(world, { base: "none" })];
    const { base: _base, released: _released, changes, seal, ...rest } = withBase.plan;
    const bare = { ...rest, changes: changes.map(({ origin: _origin, ...change }) => change), seal };
    expect({ ...bare, seal: { ...seal, hash: "" } }).toEqual({
      ...without.plan,
      seal: { ...without.plan.seal, hash: "" },
    });
    await world.run(plan, { paths: [], out: "change.plan" });
    expect((await world.run(show, { planfile: "change.plan" })).stdout).toContain("Already different (1)");
    // What the base was at the time is not looked for again.
    commitAll(world.folder);
    expect(await world.run(apply, { paths: [], plan: "change.plan", yes: true })).toMatchObject({ exit: 0 });
  });

  test("takes a file that moves, or is renamed, for no change", async () => {
    renameSync(join(world.folder, "config/severities.yaml"), join(world.folder, "config/levels.yaml"));
    const { plan: made } = await planOf(world);
    expect(made.changes).toEqual([]);
    expect(made.released).toBeUndefined();
  });

  test("names a field that the files do not declare any more", async () => {
    await world.write({ "config/severities.yaml": SEVERITIES.replace("name: Minor", "name: Minor, color: red") });
    await world.run(apply, { paths: [], yes: true, base: "none" });
    commitAll(world.folder);
    await world.write({ "config/severities.yaml": SEVERITIES });
    const { plan: made } = await planOf(world);
    expect(made.released).toMatchObject([{ address: "severities/minor", path: "/color" }]);
    expect((await world.run(plan, { paths: [] })).stdout).toContain("1 field is no longer managed.");
  });
});

describe("--only-changed", () => {
  test("leaves out what was different before, and says that the plan is partial", async () => {
    await drifted();
    await world.write({ "config/severities.yaml": edited, "config/webhooks.yaml": "webhooks: []\n" });
    const { plan: made } = await planOf(world, { onlyChanged: true });
    expect(made.partial).toEqual(["--only-changed"]);
    expect(originsOf(made)).toEqual({ "severities/major": "files", "webhooks/a": "files" });
    await world.run(plan, { paths: [], onlyChanged: true, out: "change.plan" });
    const applied = await world.run(apply, { paths: [], plan: "change.plan", yes: true, allowDelete: true });
    expect(applied).toMatchObject({ exit: 0 });
    expect(originsOf((await planOf(world)).plan)).toEqual({ "severities/minor": "workspace" });
  });

  test("plans nothing where nothing has changed", async () => {
    await drifted();
    const { plan: made } = await planOf(world, { onlyChanged: true });
    expect([made.changes, made.partial]).toEqual([[], ["--only-changed"]]);
  });

  test("is an error without a base", async () => {
    const { exit, stderr } = await world.run(plan, { paths: [], onlyChanged: true, base: "none" });
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: "error: --only-changed compares with a base, and there is none; choose one with --base\n",
    });
  });
});

describe("the base", () => {
  test("is the merge base with the remote's default branch, also where that has gone on", async () => {
    await inNewFolder(async (folder) => {
      gitIn(folder, "clone", "--quiet", world.folder, "clone");
      const clone = join(folder, "clone");
      commitAll(world.folder, "later");
      gitIn(clone, "fetch", "--quiet");
      writeFileSync(join(clone, "config/severities.yaml"), edited);
      commitAll(clone, "mine");
      const { plan: made } = await planOf(world, {}, clone);
      expect(made.base).toEqual({ revision: first, name: "the merge base with origin" });
      expect(originsOf(made)).toEqual({ "severities/major": "files" });
    });
  });

  test("is a warning in a shallow clone that lacks it, with the way out", async () => {
    await world.write({ "config/severities.yaml": edited });
    commitAll(world.folder, "second");
    await inNewFolder(async (folder) => {
      gitIn(folder, "clone", "--quiet", "--depth=1", `file://${world.folder}`, "clone");
      const clone = join(folder, "clone");
      gitIn(clone, "update-ref", "-d", "refs/remotes/origin/main");
      gitIn(clone, "symbolic-ref", "-d", "refs/remotes/origin/HEAD");
      const { plan: made } = await planOf(world, {}, clone);
      expect([made.base, originsOf(made)]).toEqual([undefined, { "severities/major": undefined }]);
      expect(made.warnings).toMatchObject([{ code: "W_BASE" }]);
      expect(made.warnings[0]?.message).toContain("git fetch --unshallow");
      expect(made.warnings[0]?.message).toContain("fetch-depth: 0");
    });
  });

  test("is read in a linked work tree, and below the root of the repository", async () => {
    mkdirSync(join(world.folder, "ops"));
    for (const name of ["incidentctl.yaml", "config"]) {
      renameSync(join(world.folder, name), join(world.folder, "ops", name));
    }
    const moved = commitAll(world.folder, "below the root");
    await inNewFolder(async (folder) => {
      const linked = join(folder, "linked");
      gitIn(world.folder, "worktree", "add", "--quiet", "-b", "linked", linked);
      writeFileSync(join(linked, "ops/config/severities.yaml"), edited);
      const { plan: made } = await planOf(world, {}, join(linked, "ops"));
      expect(made.base).toEqual({ revision: moved, name: "HEAD" });
      expect(originsOf(made)).toEqual({ "severities/major": "files" });
    });
  });

  test("reads a submodule from the submodule's own objects", async () => {
    await inNewFolder(async (folder) => {
      const shared = join(folder, "shared");
      mkdirSync(shared);
      gitIn(shared, "init", "--quiet");
      writeFileSync(join(shared, "webhooks.yaml"), WEBHOOKS);
      commitAll(shared);
      rmSync(join(world.folder, "config/webhooks.yaml"));
      gitIn(world.folder, "submodule", "--quiet", "add", shared, "config/shared");
      commitAll(world.folder, "with a submodule");
      const inside = join(world.folder, "config/shared");
      writeFileSync(join(inside, "webhooks.yaml"), WEBHOOKS.replace("example.com/a", "example.com/b"));
      commitAll(inside, "another address");
      const { plan: made, stderr } = await planOf(world);
      expect([stderr, made.warnings]).toEqual(["", []]);
      expect(originsOf(made)).toEqual({ "webhooks/a": "files" });
    });
  });

  test("may be a directory, and a revision that does not exist is an error", async () => {
    await inNewFolder(async (folder) => {
      for (const [name, text] of Object.entries(FILES)) {
        mkdirSync(join(folder, "config"), { recursive: true });
        writeFileSync(join(folder, name), text.replace("name: Minor", "name: Small"));
      }
      await drifted();
      expect((await planOf(world, { base: folder })).plan).toMatchObject({
        base: { revision: folder },
        changes: [{ address: "severities/minor", origin: "files" }],
      });
    });
    for (const base of ["nowhere", "./nowhere", "-x", "HEAD~9"]) {
      const { exit, stderr } = await world.run(plan, { paths: [], base });
      expect([base, exit]).toEqual([base, 1]);
      expect(stderr).toContain(`--base "${base}": there is no`);
    }
  });

  test("is chosen by the settings", async () => {
    await world.write({ "incidentctl.yaml": `${FILES["incidentctl.yaml"]}base: none\n` });
    expect((await planOf(world)).plan.base).toBeUndefined();
    await world.write({ "incidentctl.yaml": `${FILES["incidentctl.yaml"]}base: ${first}\n` });
    expect((await planOf(world)).plan.base).toEqual({ revision: first, name: first });
  });

  test("is a warning if its files have errors, and nothing is attributed", async () => {
    await world.write({ "config/severities.yaml": "severities: [{ slug: critical, nme: x }]\n" });
    const broken = commitAll(world.folder, "broken");
    await world.write({ "config/severities.yaml": edited });
    const { plan: made } = await planOf(world);
    expect(made.base).toBeUndefined();
    expect(made.warnings).toMatchObject([{ code: "W_BASE" }]);
    expect(made.warnings[0]?.message).toContain(`the base HEAD (${broken.slice(0, 10)}) cannot be compared`);
    expect(made.warnings[0]?.message).toContain("config/severities.yaml:1:");
  });

  test("has its own settings, and a configuration that the change begins has nothing before it", async () => {
    const folder = basename(world.folder);
    expect(folder).not.toBe("");
    gitIn(world.folder, "rm", "--quiet", "-r", "--cached", "config", "incidentctl.yaml");
    gitIn(world.folder, "commit", "--quiet", "--message", "without");
    await drifted();
    expect(originsOf((await planOf(world)).plan)).toEqual({ "severities/minor": "files" });
  });

  test("follows links inside the tree, and no others", async () => {
    renameSync(join(world.folder, "config"), join(world.folder, "real"));
    symlinkSync("real", join(world.folder, "config"));
    commitAll(world.folder, "a link");
    await world.write({ "real/severities.yaml": edited });
    expect(originsOf((await planOf(world)).plan)).toEqual({ "severities/major": "files" });
    rmSync(join(world.folder, "config"));
    symlinkSync("/etc", join(world.folder, "config"));
    commitAll(world.folder, "a link that leads out");
    rmSync(join(world.folder, "config"));
    symlinkSync("real", join(world.folder, "config"));
    expect((await planOf(world)).plan.warnings).toMatchObject([{ code: "W_BASE" }]);
  });

  test("runs no command that git is configured to run", async () => {
    const mark = join(world.folder, ".git", "mark");
    const command = `touch ${mark}`;
    for (const [name, value] of [
      ["core.fsmonitor", command],
      ["core.pager", command],
      ["diff.external", command],
      ["filter.x.smudge", command],
      ["filter.x.clean", command],
      ["diff.x.textconv", command],
    ] as const) {
      gitIn(world.folder, "config", name, value);
    }
    writeFileSync(join(world.folder, ".git/info/attributes"), "* filter=x diff=x\n");
    await world.write({ "config/severities.yaml": edited });
    expect(originsOf((await planOf(world)).plan)).toEqual({ "severities/major": "files" });
    expect(() => renameSync(mark, mark)).toThrow("ENOENT");
  });

  test("is none in a repository without a commit, and unknown without git", async () => {
    rmSync(join(world.folder, ".git"), { recursive: true });
    expect((await planOf(world)).plan.base).toBeUndefined();
    gitIn(world.folder, "init", "--quiet");
    const { plan: made } = await planOf(world);
    expect([made.base, made.warnings]).toEqual([undefined, []]);
    world.io.env.PATH = join(world.folder, "config");
    expect((await planOf(world)).plan.warnings).toMatchObject([
      { code: "W_BASE", message: expect.stringContaining("git is not installed") },
    ]);
  });
});
