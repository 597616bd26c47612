import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { accept } from "../../../src/app/drift/accept-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { rehearse } from "../../../src/app/rehearse/rehearse-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fetch } from "../../../src/core/fetch.ts";
import { serve } from "../../../src/emulator/serve.ts";
import { connect, load, plan as planOf } from "../../../src/library.ts";
import { AcceptingStage, addresses, CONFIG, UNTIL } from "./accepting-stage.ts";

/** Sends a request with the service's token. */
const signedIn: Fetch = (input, init) => {
  const { emulator, io } = stage.world;
  return io.fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${emulator.serviceToken}` } });
};

const stage = new AcceptingStage();
const { opened, rename, hook, severity, accepted, planned, applied } = stage;

describe("acceptances and other commands", () => {
  test("a saved plan holds them, and is stale when the file changes", async () => {
    await opened(CONFIG.replace("name: Major", "name: Bad"));
    await rename("critical", "SEV1");
    await accepted("severities/critical");
    await planned({ out: "a.plan" });
    expect((await applied({ plan: "a.plan" })).exit).toBe(0);
    expect(await severity("critical")).toMatchObject({ name: "SEV1" });
    await rename("major", "Worse");
    await planned({ out: "b.plan" });
    writeFileSync(join(stage.world.folder, "incidentctl.accepted.json"), '{"version":2,"accepted":[]}');
    const stale = await applied({ plan: "b.plan" });
    expect(stale.exit).toBe(5);
    expect(stale.stderr).toContain("the accepted differences have changed since");
  });

  test("a plan of the library holds them", async () => {
    await opened();
    await rename("critical", "SEV1");
    await hook("by hand");
    const service = connect({ baseUrl: "http://localhost:4010", token: undefined, fetch: signedIn });
    const planned = async () =>
      planOf(await load([stage.world.folder]), service, { now: () => new Date("2026-11-21T08:00:00Z") });
    expect(addresses(await planned())).toEqual(["severities/critical", "webhooks/by hand"]);
    await accepted("webhooks/by hand");
    const made = await planned();
    expect(addresses(made)).toEqual(["severities/critical"]);
    expect(made.accepted).toMatchObject([
      { address: "webhooks/by hand", until: UNTIL, by: "ann", why: "for the audit" },
    ]);
    expect(made.summary.accepted).toBe(1);
    writeFileSync(join(stage.world.folder, "incidentctl.accepted.json"), "{");
    await expect(planned()).rejects.toThrow("incidentctl.accepted.json is not valid");
  });

  test("a narrowed plan names those that it reaches", async () => {
    await opened();
    await rename("critical", "SEV1");
    await hook("by hand");
    await accepted("severities/critical");
    await accepted("webhooks/by hand");
    expect((await planned({ kinds: "webhooks" })).accepted).toMatchObject([{ address: "webhooks/by hand" }]);
    expect((await planned({ target: ["severities/critical"] })).accepted).toMatchObject([{ path: "/name" }]);
    expect((await planned({ exclude: ["severities/critical"] })).accepted).toMatchObject([
      { address: "webhooks/by hand" },
    ]);
  });

  test("a rehearsal holds them on the replica", async () => {
    await opened(CONFIG.replace("name: Major", "name: Bad"));
    await rename("critical", "SEV1");
    await hook("by hand");
    await accepted("severities/critical");
    await accepted("webhooks/by hand");
    const { exit, stdout } = await stage.world.run(rehearse, { paths: [] });
    expect(stdout).toContain("Rehearsal: all checks passed.");
    expect(exit).toBe(0);
  });

  test("an undo restores what its run changed, and leaves them alone", async () => {
    await opened(CONFIG.replace("name: Major", "name: Bad"));
    await rename("critical", "SEV1");
    await hook("by hand");
    await accepted("severities/critical");
    await accepted("webhooks/by hand");
    expect((await applied()).exit).toBe(0);
    const made = await stage.world.run(undo, { paths: [], format: "json", out: "undo.plan" });
    expect(addresses(JSON.parse(made.stdout))).toEqual(["severities/major"]);
    expect((await applied({ plan: "undo.plan" })).exit).toBe(0);
    expect(await severity("critical")).toMatchObject({ name: "SEV1" });
    expect(await severity("major")).toMatchObject({ name: "Major" });
  });

  test("a pull writes them into the files, and they are resolved", async () => {
    await opened();
    await rename("critical", "SEV1");
    await accepted("severities/critical");
    expect((await stage.world.run(pull, { paths: [] })).exit).toBe(0);
    expect(readFileSync(join(stage.world.folder, "config.yaml"), "utf8")).toContain("name: SEV1");
    expect(await planned()).toMatchObject({ changes: [], accepted: [] });
  });

  test("an overlay that declares another value is a conflict in its environment only", async () => {
    await opened(CONFIG, "version: 1\nconfig: [config.yaml]\nenvironments: { staging: { overlays: [over.yaml] } }\n");
    await stage.world.write({ "over.yaml": "severities: [{ slug: critical, name: Outage }]\n" });
    await rename("critical", "SEV1");
    await accepted("severities/critical");
    expect(await planned()).toMatchObject({ changes: [], blocked: [] });
    expect(await planned({ env: "staging" })).toMatchObject({ blocked: [{ code: "ACCEPTED" }] });
  });

  test("a damaged file ends plan and apply before anything is read or written", async () => {
    await opened(CONFIG.replace("name: Major", "name: Bad"));
    for (const text of ["{", '{"version":9,"accepted":[]}', '{"version":2,"accepted":[{"why":"x"}]}']) {
      writeFileSync(join(stage.world.folder, "incidentctl.accepted.json"), text);
      for (const { exit, stderr } of [await stage.world.run(plan, { paths: [] }), await applied()]) {
        expect(exit).toBe(1);
        expect(stderr).toContain("restore it, or delete it to accept nothing");
      }
    }
    expect(stage.world.requests).toEqual([]);
  });

  test("a file of version 1 is still read, and blocks a plan whose difference has changed on either side", async () => {
    await opened();
    await rename("critical", "SEV1");
    await hook("by hand");
    await accepted("severities/critical");
    await accepted("webhooks/by hand");
    const file = join(stage.world.folder, "incidentctl.accepted.json");
    const items = JSON.parse(readFileSync(file, "utf8")).accepted as Record<string, string>[];
    const fields = items.filter(({ path }) => path === "/name");
    const first = fields.map(({ declared: _declared, by: _by, why, ...item }) => ({ ...item, because: why }));
    writeFileSync(file, JSON.stringify({ version: 1, accepted: first }));
    const made = await planned();
    expect(made.accepted).toEqual([
      { address: "severities/critical", path: "/name", until: UNTIL, why: "for the audit" },
    ]);
    await rename("critical", "SEV-1");
    expect(await planned()).toMatchObject({ blocked: [{ code: "ACCEPTED" }, { code: "DELETE" }] });
  });

  test("the author is a flag, or the user of the environment", async () => {
    await opened();
    await rename("critical", "SEV1");
    const author = () =>
      JSON.parse(readFileSync(join(stage.world.folder, "incidentctl.accepted.json"), "utf8")).accepted[0].by;
    stage.world.io.env.GITHUB_ACTOR = "octocat";
    await accepted("severities/critical");
    expect(author()).toBe("octocat");
    await accepted("severities/critical", { by: " carol " });
    expect(author()).toBe("carol");
    for (const name of ["GITHUB_ACTOR", "USER"]) delete stage.world.io.env[name];
    await accepted("severities/critical");
    expect(author()).toBeUndefined();
    const run = (by: string) =>
      stage.world.run(accept, { paths: [], address: "severities/critical", until: UNTIL, because: "x", by });
    expect((await run(" ")).exit).toBe(64);
    expect((await run("x".repeat(101))).exit).toBe(64);
  });
});

test("the built program accepts, plans and applies over loopback", async () => {
  await opened(CONFIG.replace("name: Major", "name: Bad"));
  const served = await serve(stage.world.emulator);
  try {
    await rename("critical", "SEV1");
    const cli = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
    const env = { ...process.env, INCIDENTCTL_URL: served.url, INCIDENTCTL_TOKEN: stage.world.emulator.serviceToken };
    const run = (...words: readonly string[]) =>
      promisify(execFile)(process.execPath, [cli, ...words], { cwd: stage.world.folder, env });
    await run("drift", "accept", "severities/critical", "--until", "2099-12-31", "--because", "audit", "--by", "ann");
    const made = JSON.parse((await run("plan", "--format", "json")).stdout);
    expect(made).toMatchObject({ summary: { update: 1, accepted: 1 }, accepted: [{ by: "ann", why: "audit" }] });
    expect((await run("apply", "--yes")).stdout).toContain("except for accepted differences");
    expect(await severity("critical")).toMatchObject({ name: "SEV1" });
    await stage.world.write({ "config.yaml": CONFIG.replace("Critical", "Outage") });
    await expect(run("apply", "--yes")).rejects.toMatchObject({ code: 3 });
  } finally {
    await served.close();
  }
});
