/** Drift and pulls on a stand-in for GitHub: issues, alarms, notifications, and requests with what people changed by hand. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Run } from "./simulator/github.ts";
import { logOf, openBeforeEach, rename, workspace, world } from "./simulator/severities-world.ts";
import { script } from "./workflow.ts";

const DRIFT = "incidentctl-drift.yml";
const PULL = "incidentctl-pull.yml";

openBeforeEach(() => ({ ".gitignore": ".incidentctl/\n" }));

function renameByHand(name: string, slug = "critical"): Promise<unknown> {
  return workspace.send("PATCH", `/api/v1/severities/${slug}`, { name });
}

/** The titles of the open issues, in alphabetical order: units are checked in parallel. */
function openIssues(): readonly string[] {
  return world.github.issues
    .filter(({ state }) => state === "open")
    .map(({ title }) => title)
    .sort();
}

describe("drift", { timeout: 600_000 }, () => {
  test("has one issue for each unit, which changes with the drift and is closed after it", async () => {
    world.github.variables.INCIDENTCTL_UNITS = JSON.stringify([
      { name: "payments", directory: "payments" },
      { name: "workspace", directory: "." },
    ]);
    world.push({
      "payments/incidentctl.yaml": "version: 1\n",
      "payments/incident_types.yaml": "incident_types: []\n",
      "incidentctl.yaml": "version: 1\nconfig: [severities.yaml]\n",
    });
    await renameByHand("SEV1");
    const first = await world.schedule(DRIFT);
    expect(first.conclusion, logOf(first)).toBe("success");
    const issues = world.github.issues;
    // The incident types of the workspace are not in the files of the other unit.
    expect(openIssues()).toEqual(["Drift: payments", "Drift: workspace"]);
    const other = issues.find(({ title }) => title === "Drift: payments");
    const own = issues.find(({ title }) => title === "Drift: workspace");
    expect(own).toMatchObject({ labels: ["incidentctl-drift"], comments: [] });
    expect(own?.body).toMatch(/^<!-- incidentctl drift workspace -->\n## Drift: [\s\S]*SEV1/);

    await world.schedule(DRIFT);
    expect(own?.comments).toEqual([]);
    await renameByHand("SEV 1");
    await world.schedule(DRIFT);
    expect(own?.comments).toEqual(["The drift has changed. The description above is up to date."]);
    expect(own?.body).toContain("SEV 1");
    await renameByHand("Critical");
    await world.schedule(DRIFT);
    expect(own).toMatchObject({
      state: "closed",
      comments: [expect.anything(), expect.stringMatching(/^There is no more/)],
    });
    expect(other).toMatchObject({ state: "open", comments: [] });
  });

  test("has an issue about acceptances before they end, until they are renewed", async () => {
    await renameByHand("SEV1");
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const accept = async (until: string): Promise<void> => {
      const folder = join(world.machine.folder, `accepting-${until}`);
      world.github.repository.checkOut(world.github.repository.tip("main"), folder);
      const words = [
        "drift",
        "accept",
        "severities/critical",
        "--until",
        until,
        "--because",
        "for the <!-- audit",
        "--by",
        "ann",
      ];
      const env = { INCIDENTCTL_URL: workspace.url, INCIDENTCTL_TOKEN: workspace.emulator.serviceToken };
      const { exit, stderr } = await script(`exec "$PROGRAM" ${words.map((word) => `'${word}'`).join(" ")}`, folder, {
        ...env,
        PROGRAM: join(world.machine.folder, "bin/incidentctl"),
      });
      expect(exit, stderr).toBe(0);
      const file = "incidentctl.accepted.json";
      world.push({ [file]: readFileSync(join(folder, file), "utf8") });
    };
    await accept(day(5));
    await world.schedule(DRIFT);
    await world.schedule(DRIFT);
    expect(openIssues()).toEqual(["Accepted differences end soon: workspace"]);
    const [issue] = world.github.issues;
    expect(issue?.comments).toEqual([]);
    expect(issue?.body).toContain(`- \`severities/critical\` \`name\`: until ${day(5)}, by ann: for the `);
    expect(issue?.body).not.toContain("the <!-- audit");
    await accept(day(60));
    await world.schedule(DRIFT);
    expect(issue).toMatchObject({ state: "closed", comments: ["No acceptance ends soon."] });
  });

  test("has an alarm while its token does not work, and keeps its issue", async () => {
    await renameByHand("SEV1");
    await world.schedule(DRIFT);
    const environment = world.github.environments.get("incidentctl-drift");
    if (environment === undefined) throw new Error("there is no environment");
    world.github.environments.set("incidentctl-drift", { ...environment, secrets: { INCIDENTCTL_TOKEN: "wrong" } });
    world.push(rename("Critical"));
    expect((await world.schedule(DRIFT)).conclusion).toBe("failure");
    expect((await world.schedule(DRIFT)).conclusion).toBe("failure");
    expect(openIssues()).toEqual(["Drift: workspace", "The drift check fails: workspace"]);
    const alarm = world.github.issues[1];
    expect(alarm?.comments).toEqual([]);
    expect(alarm?.body).toContain("authentication or permission error");
    world.github.environments.set("incidentctl-drift", environment);
    expect((await world.schedule(DRIFT)).conclusion).toBe("success");
    expect(alarm).toMatchObject({ state: "closed", comments: ["The drift check works again."] });
  });

  test("is told to a chat once, and the address of the chat to nobody", async () => {
    const posts: string[] = [];
    const chat = await startChat(posts);
    const environment = world.github.environments.get("incidentctl-drift");
    if (environment === undefined) throw new Error("there is no environment");
    const address = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook/s3cr3t`;
    const secrets = { ...environment.secrets, INCIDENTCTL_CHAT_URL: address };
    world.github.environments.set("incidentctl-drift", { ...environment, secrets });
    await renameByHand("SEV1");
    const runs = [await world.schedule(DRIFT), await world.schedule(DRIFT)];
    expect(posts).toEqual([
      JSON.stringify({
        text: `Drift: workspace https://github.example/acme/incidents/issues/${world.github.issues[0]?.number}`,
      }),
    ]);
    chat.close();
    await once(chat, "close");
    await renameByHand("SEV 1");
    runs.push(await world.schedule(DRIFT));
    expect(runs.map(({ conclusion }) => conclusion)).toEqual(["success", "success", "failure"]);
    expect(logOf(runs[2] as Run)).toContain("the chat cannot be reached: ECONNREFUSED");
    expect(runs.map(logOf).join("\n")).not.toContain("s3cr3t");
  });
});

describe("a pull", { timeout: 600_000 }, () => {
  const note = "GitHub starts no review";

  test("opens one request with what people changed by hand, updates it, and closes it", async () => {
    await renameByHand("SEV1");
    const first = await world.schedule(PULL);
    expect(first.conclusion, logOf(first)).toBe("success");
    const [request] = world.github.pulls;
    expect(request).toMatchObject({
      branch: "incidentctl/pull-workspace",
      base: "main",
      title: "Pull changes made by hand: workspace",
    });
    expect(request?.body).toContain(note);
    const tip = world.github.repository.tip("incidentctl/pull-workspace");
    expect(world.github.repository.read(tip, "severities.yaml")).toContain("name: SEV1");

    await world.schedule(PULL);
    expect(world.github.repository.tip("incidentctl/pull-workspace")).toBe(tip);
    await renameByHand("SEV 1");
    await world.schedule(PULL);
    const next = world.github.repository.tip("incidentctl/pull-workspace");
    expect(world.github.repository.read(next, "severities.yaml")).toContain("name: SEV 1");
    expect(world.github.pulls).toHaveLength(1);

    // Somebody works on the branch.
    world.github.repository.commit("incidentctl/pull-workspace", { "README.md": "mine\n" });
    await renameByHand("SEV-1");
    const refused = await world.schedule(PULL);
    expect(refused.conclusion).toBe("failure");
    expect(logOf(refused)).toContain("has commits of somebody else");

    await renameByHand("Critical");
    await world.schedule(PULL);
    expect(request?.isClosed).toBe(true);
  });

  test("takes the token of an app, whose requests are reviewed", async () => {
    world.github.variables.INCIDENTCTL_APP_ID = "123";
    await renameByHand("SEV1");
    const run = await world.schedule(PULL);
    expect(run.conclusion, logOf(run)).toBe("success");
    expect(world.github.pulls[0]?.body).not.toContain(note);
  });
});

async function startChat(posts: string[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += String(piece);
    posts.push(text);
    response.end("ok");
  });
  server.keepAliveTimeout = 1;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
