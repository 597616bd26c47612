/** Runs that are interrupted behind a name that the service stored otherwise than it was sent. */

import { expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { resume } from "../../src/app/apply/resume-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { lostWrite, openTestWorld } from "../commands/world.ts";
import { alteringIo, altersField } from "./altering.ts";

const OPTIONS = { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" };

/** A world whose service adds to names, after a run that did not get the response to its only creation. */
async function lostCreation(file: string) {
  const world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", "config/all.yaml": file });
  const extended = altersField("name", (name) => `${name} (managed)`);
  const altering = alteringIo({ ...world.io }, extended);
  Object.assign(world.io, altering);
  Object.assign(world.io, lostWrite(world, 1, true));
  expect((await world.run(apply, OPTIONS)).exit).toBe(130);
  return { world, altering };
}

const source = (name: string, channel: string, from = ""): string => `alert_sources:
  - { name: ${name}, provider: generic${from} }
routing_rules:
  sources:
    ${name}:
      - { outcome: { action: notify_only, notify: { type: channel, channel_id: ${channel} } } }
`;

test.each([
  ["renamed", ", renamed_from: Datadog"],
  ["new", ""],
])(
  "resume of a run behind a %s source says under which name it is stored, and no second one is made",
  async (_title, from) => {
    const world = await openTestWorld({
      "incidentctl.yaml": "version: 1\nconfig: [config]\n",
      "config/all.yaml": source("Datadog", "C1"),
    });
    if (from !== "") expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
    await world.write({ "config/all.yaml": source("Datadog EU", "C2", from) });
    Object.assign(
      world.io,
      alteringIo(
        { ...world.io },
        altersField("name", (name) => `acme/${name}`),
      ),
    );
    const network = { ...world.io };
    Object.assign(world.io, lostWrite(world, 2, false));
    expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(130);
    Object.assign(world.io, network);
    const resumed = await world.run(resume, { paths: [], resolve: "resend" });
    const next = await world.run(apply, { paths: [], yes: true });
    for (const { exit, stdout, stderr } of [resumed, next]) {
      expect(exit, stdout + stderr).toBe(1);
      expect(stderr).toContain("Write name: acme/Datadog EU");
    }
    const { alert_sources } = (await world.send("GET", "/api/v1/alert_sources")) as {
      alert_sources: readonly object[];
    };
    expect(alert_sources).toHaveLength(1);
  },
);

test("an apply that finds a killed run makes no second key where the service stored its name otherwise", async () => {
  const key = (name: string) => `  - { name: ${name}, permissions: { incidents: [read] } }\n`;
  const world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/keys.yaml": `api_keys:\n${key("Deploy bot")}${key("Nightly")}`,
  });
  const altering = alteringIo(
    { ...world.io },
    altersField("name", (name) => `acme/${name}`),
  );
  Object.assign(world.io, altering);
  const options = { paths: [], yes: true, secretsOut: "tokens.jsonl" };
  Object.assign(world.io, lostWrite(world, 2, true));
  expect((await world.run(apply, options)).exit).toBe(130);
  Object.assign(world.io, altering);
  for (const _again of [1, 2]) {
    const next = await world.run(apply, options);
    expect(next.exit, next.stdout + next.stderr).toBeGreaterThan(0);
  }
  const { api_keys } = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly object[] };
  expect(api_keys.filter((one) => JSON.stringify(one).includes("Deploy bot"))).toHaveLength(1);
});

test("a creation whose response was lost is found under the name that the service made of it", async () => {
  const file =
    'webhooks:\n  - { name: Deploy bot, url: "https://a.example.com/x", subscribed_events: [incident.created] }\n';
  const { world, altering } = await lostCreation(file);
  Object.assign(world.io, altering);
  for (const _again of [1, 2]) {
    const next = await world.run(apply, OPTIONS);
    expect(next.exit, next.stdout + next.stderr).toBe(1);
    expect(next.stderr).toContain("Write name: Deploy bot (managed)");
  }
  const { webhooks } = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: readonly object[] };
  expect(webhooks).toHaveLength(1);
});

test("a key whose response was lost, and that may be the one of another name, is neither made again nor ended", async () => {
  const { world, altering } = await lostCreation(
    "api_keys:\n  - { name: Deploy bot, permissions: { incidents: [read] } }\n",
  );
  Object.assign(world.io, altering);
  const keys = async () => ((await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly object[] }).api_keys;
  const before = await keys();
  for (const _again of [1, 2]) {
    const next = await world.run(apply, OPTIONS);
    expect(next.exit, next.stdout + next.stderr).toBe(4);
    expect(next.stderr).toContain("1 resource of another name may be it");
    expect(await keys()).toEqual(before);
  }
});

test("an update whose response was lost is done where the service made another text of it", async () => {
  const files = (text: string) => ({
    "config/all.yaml": `incident_roles:\n  - { slug: scribe, name: Scribe, description: ${text} }\n  - { slug: liaison, name: Liaison, description: ${text} }\n`,
  });
  const world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...files("Notes") });
  const linked = altersField("description", (text) => `${text} (see wiki)`);
  Object.assign(world.io, alteringIo({ ...world.io }, linked));
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.write(files("Writes all down"));
  const network = { ...world.io };
  Object.assign(world.io, lostWrite(world, 1, true));
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(130);
  Object.assign(world.io, network);
  const next = await world.run(apply, { paths: [], yes: true });
  expect(next.exit, next.stdout + next.stderr).toBe(0);
  expect(next.stdout + next.stderr).not.toContain("somebody");
  const last = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(last.exit, last.stdout).toBe(0);
});
