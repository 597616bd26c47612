/** Pulls of sources whose live name is another form of the one in the files: their rules stay, under the stored name. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { alteringIo, altersField } from "./altering.ts";

let world: World;

const filesFor = (name: string, more = "") => ({
  "incidentctl.yaml": "version: 1\nconfig: [config]\nvars: { prefix: Data }\n",
  "config/sources.yaml": `alert_sources:
  # Calls us from two regions.
  - { name: ${name}, provider: datadog${more} }
  - { name: Grafana, provider: grafana }
`,
  "config/rules.yaml": `routing_rules:
  sources:
    ${name}: # all of it
      # keep: pages payments
      - name: all
        outcome: { action: drop }
    Grafana: [{ name: own, outcome: { action: drop } }]
`,
});

const applied = () =>
  world.run(apply, { paths: [], yes: true, acceptRoutingWindow: true, secretsOut: "tokens.jsonl", rate: 1_000_000 });
const pulled = (more = {}) => world.run(pull, { paths: [], ...more });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const textOf = (file: string) => readFile(join(world.folder, file), "utf8");

async function appliedWith(name: string, store: (name: string) => string = (same) => same): Promise<void> {
  world = await openTestWorld(filesFor(name));
  const stored = altersField("name", (one) => (one === "Grafana" ? one : store(String(one))));
  Object.assign(world.io, alteringIo({ ...world.io }, stored));
  const ended = await applied();
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
}

async function renameLive(name: string, to: string): Promise<void> {
  const { alert_sources } = (await world.send("GET", "/api/v1/alert_sources")) as {
    readonly alert_sources: readonly { readonly name: string; readonly slug: string }[];
  };
  const slug = alert_sources.find((one) => one.name === name)?.slug;
  await world.send("PATCH", `/api/v1/alert_sources/${slug}`, { name: to });
}

/** The files have the name with its comments and rules, and a plan has no change. */
async function expectFollowed(name: string): Promise<void> {
  const files = filesFor(name);
  expect(await textOf("config/sources.yaml")).toBe(files["config/sources.yaml"]);
  expect(await textOf("config/rules.yaml")).toBe(files["config/rules.yaml"]);
  const next = await planned();
  expect(next.exit, next.stdout + next.stderr).toBe(0);
}

describe.each([
  ["in lower case", (name: string) => name.toLowerCase(), "data dog é"],
  ["in another Unicode form", (name: string) => name.normalize("NFD"), "Data Dog é".normalize("NFD")],
  ["with something added", (name: string) => `${name} (managed)`, "Data Dog é (managed)"],
  ["with other words", (name: string) => name.replace("Data Dog é", "src-1"), "src-1"],
])("a name that the service stores %s", (_title, store, stored) => {
  test("is written, and the rules move under it", async () => {
    await appliedWith("Data Dog é".normalize("NFC"), store);
    expect((await planned()).stderr).toContain("E_OTHER_FORM");
    const ended = await pulled();
    expect(ended.exit, ended.stderr).toBe(0);
    await expectFollowed(stored);
  });
});

test.each([
  ["data dog", "Data Dog"],
  ["Data Dog", "data  dog"],
])("a source that somebody renames from %s to %s keeps its rules", async (from, to) => {
  await appliedWith(from);
  await renameLive(from, to);
  expect((await pulled()).exit).toBe(0);
  await expectFollowed(to);
});

test("a guessed rename is followed also where no plan can be made for another reason", async () => {
  await appliedWith("Data Dog");
  await renameLive("Data Dog", "Other");
  await world.write({ "config/keys.yaml": "api_keys:\n  - { name: bot, prefix: none }\n" });
  const ended = await pulled();
  expect(ended.exit, ended.stderr).toBe(0);
  await expectFollowed("Other");
});

test.each([
  ["data dog", "in another form"],
  ["Old name", "that another one is to replace"],
])("a former name is written again, with its rules, without renamed_from: %s, %s", async (former) => {
  await appliedWith(former);
  const files = filesFor("Data Dog", `, renamed_from: ${former}`);
  await world.write(files);
  const ended = await pulled();
  expect(ended.exit, ended.stderr).toBe(0);
  await expectFollowed(former);
});

test("a pinned source that somebody renames keeps its rules", async () => {
  await appliedWith("Data Dog");
  const { alert_sources } = (await world.send("GET", "/api/v1/alert_sources")) as {
    readonly alert_sources: readonly { readonly name: string; readonly slug: string }[];
  };
  const pin = `, endpoint_path: ${alert_sources.find(({ name }) => name === "Data Dog")?.slug}`;
  await world.write(filesFor("Data Dog", pin));
  await renameLive("Data Dog", "Other");
  expect((await pulled()).exit).toBe(0);
  expect(await textOf("config/sources.yaml")).toBe(filesFor("Other", pin)["config/sources.yaml"]);
  expect(await textOf("config/rules.yaml")).toBe(filesFor("Other", pin)["config/rules.yaml"]);
});

test("a name made of a variable is written out, and its rules stay", async () => {
  await appliedWith("Data Dog");
  const text = filesFor("Data Dog")["config/sources.yaml"];
  await world.write({ "config/sources.yaml": text.replace("name: Data Dog", `name: "$${"{var:prefix}"} Dog"`) });
  await renameLive("Data Dog", "data dog");
  const ended = await pulled();
  expect(ended.exit, ended.stderr).toBe(0);
  await expectFollowed("data dog");
});

test("a name that cannot be edited where it stands is a conflict, and the files keep it with its rules", async () => {
  await appliedWith("Data Dog");
  const files = filesFor("Data Dog");
  const sources = files["config/sources.yaml"].replace("name: Data Dog", "name: &dog Data Dog");
  await world.write({ "config/sources.yaml": `${sources}webhooks: []\n` });
  await renameLive("Data Dog", "data dog");
  const ended = await pulled();
  expect(ended.exit, ended.stderr).toBe(7);
  expect(ended.stderr).toContain('conflict: alert_sources/Data Dog name: the workspace calls it "data dog"');
  expect(await textOf("config/sources.yaml")).toContain("name: &dog Data Dog");
  expect(await textOf("config/rules.yaml")).toBe(files["config/rules.yaml"]);
});

test.each([
  ["the kind of rules", { kinds: "routing_rules" }],
  ["the rules of the source", { target: ["routing_rules/Data Dog"] }],
])("a pull of %s alone leaves the rules where the source stands", async (_title, more) => {
  await appliedWith("Data Dog");
  await renameLive("Data Dog", "data dog");
  const ended = await pulled(more);
  expect(ended.exit, ended.stderr).toBe(7);
  const conflict = 'routing_rules/Data Dog: the workspace calls its alert source "data dog"';
  expect(ended.stderr).toContain(`conflict: ${conflict}; pull alert_sources/Data Dog as well`);
  expect(await textOf("config/rules.yaml")).toBe(filesFor("Data Dog")["config/rules.yaml"]);
});

test.each([
  ["the kind of sources", { kinds: "alert_sources" }],
  ["the source", { target: ["alert_sources/Data Dog"] }],
  ["the live source", { target: ["alert_sources/data dog"] }],
  ["all but another one", { exclude: ["alert_sources/Grafana"] }],
])("a pull of %s takes its rules along", async (_title, more) => {
  await appliedWith("Data Dog");
  await renameLive("Data Dog", "data dog");
  const ended = await pulled(more);
  expect(ended.exit, ended.stderr).toBe(0);
  await expectFollowed("data dog");
});

test.each([
  ["another kind", { kinds: "webhooks" }],
  ["another source", { target: ["alert_sources/Grafana"] }],
  ["all but the source and its rules", { exclude: ["alert_sources/data dog", "routing_rules/Data Dog"] }],
])("a pull of %s leaves the source and its rules alone", async (_title, more) => {
  await appliedWith("Data Dog");
  await world.write({ "config/hooks.yaml": "webhooks: []\n" });
  await renameLive("Data Dog", "data dog");
  const ended = await pulled(more);
  expect(ended.exit, ended.stderr).toBe(0);
  expect(await textOf("config/sources.yaml")).toBe(filesFor("Data Dog")["config/sources.yaml"]);
  expect(await textOf("config/rules.yaml")).toBe(filesFor("Data Dog")["config/rules.yaml"]);
});
