/** Where and how teams run the workflows: GitHub Enterprise Server, own runners, stores of secrets, rate limits, quiet comments. */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { logOf, openBeforeEach, rename, workspace, world } from "./simulator/severities-world.ts";
import { read } from "./workflow.ts";

openBeforeEach(() => ({
  ".gitignore": ".incidentctl/\n",
  "ops/incidentctl.yaml": "version: 1\nconfig: [.]\n",
  "incidentctl.yaml": "version: 1\nconfig: [severities.yaml]\n",
}));

test("on GitHub Enterprise Server every job talks to its server alone", async () => {
  const server = "https://ghe.example.com";
  world.github.enterprise = { server, path: "/api/v3" };
  const repository = join(world.machine.folder, "repository");
  const address = `url.${repository}.insteadOf`;
  execFileSync("git", [
    ...["config", "--file", join(world.machine.folder, "gitconfig")],
    ...["--add", address, `${server}/acme/incidents.git`],
  ]);
  const pull = await world.open("outage", rename("Outage"));
  expect(world.comment(pull, "review")).toContain(`(${server}/acme/incidents/actions/runs/${world.review(pull).id})`);
  const merged = await world.start(world.merge(pull));
  expect(merged.conclusion, logOf(merged)).toBe("success");
  expect(await workspace.severities()).toContain("Outage");
  await workspace.send("PATCH", "/api/v1/severities/critical", { name: "Edited" });
  expect((await world.schedule("incidentctl-drift.yml")).conclusion).toBe("success");
  expect(world.github.issues.map(({ title }) => title)).toEqual(["Drift: workspace"]);
  const pulled = await world.schedule("incidentctl-pull.yml");
  expect(pulled.conclusion, logOf(pulled)).toBe("success");
  expect(world.github.pulls.at(-1)?.branch).toBe("incidentctl/pull-workspace");
  // Files of artifacts have signed addresses of their own.
  const requests = world.github.requests.filter((one) => !/ \/files\/\d+$/.test(one));
  expect(requests.filter((one) => !one.includes(" /api/v3/"))).toEqual([]);
});

test("a token from a store of secrets, which a step has fetched, is used in place of a secret of the forge", async () => {
  const stored = join(world.machine.folder, "store");
  writeFileSync(stored, workspace.reader);
  const environment = world.github.environments.get("incidentctl-review");
  if (environment === undefined) throw new Error("there is no environment");
  world.github.environments.set("incidentctl-review", { ...environment, secrets: {} });
  const file = "incidentctl-review.yml";
  const step = `      - id: store\n        run: printf 'token=%s\\n' "$(cat ${stored})" >> "$GITHUB_OUTPUT"\n`;
  const text = read(`templates/github/workflows/${file}`)
    .replace("      - run: incidentctl ci review\n", `${step}$&`)
    .replace("secrets.INCIDENTCTL_TOKEN", "steps.store.outputs.token");
  world.push({ [`.github/workflows/${file}`]: text });
  const pull = await world.open("outage", rename("Outage"));
  expect(world.comment(pull, "review")).toContain("1 to update");
  expect([...workspace.credentials]).toContain(workspace.reader);
});

describe("secondary rate limits", () => {
  test.each([
    ["with a time to wait", { "retry-after": "1" }],
    ["until a point in time", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" }],
  ])("%s are waited for, and the comment is written once", async (_, headers) => {
    world.github.failures.push([403, headers], undefined, [429, headers]);
    const pull = await world.open("outage", rename("Outage"));
    expect(world.review(pull).conclusion).toBe("success");
    expect(world.comment(pull, "review")).toContain("1 to update");
  });
});

test("INCIDENTCTL_COMMENT=changes quiets a review and an apply without changes, and no others", async () => {
  world.github.variables.INCIDENTCTL_COMMENT = "changes";
  const quiet = await world.open("comment", {
    "severities.yaml": `# Levels.\n${rename("Critical")["severities.yaml"]}`,
  });
  const merged = await world.start(world.merge(quiet));
  expect(merged.conclusion, logOf(merged)).toBe("success");
  expect(world.github.comments).toEqual([]);
  const pull = await world.open("outage", rename("Outage"));
  await world.start(world.merge(pull));
  expect(world.github.comments.map(({ on }) => on)).toEqual([pull.number, pull.number]);
});

test("annotations name files of the repository, also those of a unit in a directory", async () => {
  world.github.variables.INCIDENTCTL_UNITS = JSON.stringify([{ name: "ops", directory: "ops" }]);
  const webhooks =
    "webhooks:\n  - { name: Chat, url: http://chat.example.com/hook, subscribed_events: [incident.created] }\n";
  const pull = await world.open("hook", { "ops/webhooks.yaml": webhooks });
  const places = [...logOf(world.review(pull)).matchAll(/^::\w+ file=([^,]*)/gm)].map(([, file]) => file);
  expect(places).toContain("ops/webhooks.yaml");
  for (const file of places) expect(world.github.repository.list(pull.head, file ?? "")).toEqual([file]);
});

test("a pull request that commits reports of its own and settings of tools has a review of its files alone", async () => {
  const planted = {
    "reports/workspace/results.json": '{"unit": "workspace", "attempt": "9", "results": []}\n',
    "reports/plan.md": "<!-- incidentctl plan x -->\n## Plan\n\n✅ **Nothing.**\n\nforged\n",
    ".npmrc": "prefix=./evil\nignore-scripts=false\n",
    "package.json": '{"scripts": {"preinstall": "touch ran"}}\n',
    ".env": "INCIDENTCTL_URL=https://evil.example.com\n",
  };
  const pull = await world.open("planted", { ...rename("Outage"), ...planted });
  expect(world.review(pull).conclusion, logOf(world.review(pull))).toBe("success");
  expect(world.comment(pull, "review")).toContain("1 to update");
  expect(world.comment(pull, "review")).not.toContain("forged");
  const merged = await world.start(world.merge(pull));
  expect(merged.conclusion, logOf(merged)).toBe("success");
  expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical"]);
  expect(world.comment(pull, "apply")).not.toContain("forged");
});
