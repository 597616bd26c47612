/** What a pull cannot know or may not decide is said, and what people wrote about it stays. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { openTestWorld, type World } from "../../commands/world.ts";

const here = { paths: ["."], rate: 1_000_000 };

/** A service that is as the files say. */
async function applied(files: Readonly<Record<string, string>>, dialects: Partial<Dialects> = {}): Promise<World> {
  const world = await openTestWorld(files, { dialects, requestsPerMinute: 1_000_000 });
  expect(await world.run(apply, { ...here, yes: true, allowDelete: true })).toMatchObject({ exit: 0 });
  return world;
}

const change = async (world: World, file: string, text: string): Promise<void> => {
  writeFileSync(join(world.folder, file), text);
};
const read = (world: World, file: string): string => readFileSync(join(world.folder, file), "utf8");

test("a field that the service does not return stays as written, and is reported", async () => {
  const text = (description: string): string =>
    `custom_fields:\n  - { slug: region, name: Region, field_type: text, description: ${description} }\n`;
  const world = await applied({ "fields.yaml": text("Where it is.") }, { readable: "partial" });
  await change(world, "fields.yaml", text("Where it began."));
  // What was last applied is remembered there, and a plan would go by that.
  rmSync(join(world.folder, "incidentctl.lock"));
  const pulled = await world.run(pull, here);
  expect(pulled).toMatchObject({ exit: 0, stdout: "The files match the workspace.\n" });
  expect(pulled.stderr).toContain(
    "preserved in the files, because the live value is unknown:\n  custom_fields/region description: ",
  );
  expect(read(world, "fields.yaml")).toBe(text("Where it began."));
  const { untold } = JSON.parse((await world.run(pull, { ...here, format: "json" })).stdout);
  expect(untold).toMatchObject([{ address: "custom_fields/region", path: "/description" }]);
});

test("an order across files is a conflict; the resources are pulled", async () => {
  const one = "severities:\n  - { slug: critical, name: Critical }\n  - { slug: minor, name: Minor }\n";
  const other = "severities:\n  - { slug: major, name: Major }\n";
  const world = await applied({ "a.yaml": one, "b.yaml": other });
  await change(world, "a.yaml", one.replace("slug: minor, name: Minor", "slug: major, name: Major"));
  await change(world, "b.yaml", other.replace("slug: major, name: Major", "slug: minor, name: Small"));
  const pulled = await world.run(pull, here);
  expect(pulled.exit).toBe(7);
  expect(pulled.stderr).toContain(
    "conflict: severities: its order spans several files; move its resources by hand: severities/major comes after severities/minor in b.yaml (a.yaml:3:5)",
  );
  expect(read(world, "b.yaml")).toContain("{ slug: minor, name: Minor }");
});

test("comments in and above a removed resource are removed with it, and those of others stay", async () => {
  const text = [
    "# Who is told.",
    "webhooks:",
    "  # The first of them.",
    "  - { name: a, url: https://a.example.com/x, subscribed_events: [incident.created] } # a",
    "",
    "  # About b alone.",
    "  - name: b # b",
    "    url: https://b.example.com/x",
    "    subscribed_events: [incident.created]",
    "",
    "  # About c.",
    "  - { name: c, url: https://c.example.com/x, subscribed_events: [incident.created] }",
    "",
  ].join("\n");
  const kept = text.replace(/ {2}# About b alone\.\n[\s\S]*?\n\n/, "");
  const world = await applied({ "hooks.yaml": kept });
  await change(world, "hooks.yaml", text);
  expect(await world.run(pull, here)).toMatchObject({ exit: 0, stderr: "" });
  expect(read(world, "hooks.yaml")).toBe(kept);
});

test("an invalid token exits with 6, and nothing is written", async () => {
  const world = await openTestWorld({}, { requestsPerMinute: 1_000_000 });
  const withWrongToken: typeof pull = (options, io, console) => {
    io.env.INCIDENTCTL_TOKEN = `ff_${"1".repeat(36)}`;
    return pull(options, io, console);
  };
  const ended = await world.run(withWrongToken, { ...here, url: "http://localhost:4010" });
  expect(ended).toMatchObject({ exit: 6, stdout: "" });
  expect(ended.stderr).toContain("severities cannot be read: 401");
  expect(readdirSync(world.folder)).toEqual([]);
});

test("a missing folder is created, unless nothing is written", async () => {
  const world = await openTestWorld({}, { requestsPerMinute: 1_000_000 });
  const there = { ...here, paths: ["config"], kinds: "severities", url: "http://localhost:4010" };
  expect(await world.run(pull, { ...there, dryRun: true })).toMatchObject({ exit: 1 });
  expect(await world.run(pull, there)).toMatchObject({ exit: 0, stderr: "" });
  expect(readdirSync(join(world.folder, "config"))).toEqual(["severities.yaml"]);
});

test("fields are written in the usual order, and nested resources count", async () => {
  const world = await openTestWorld({}, { requestsPerMinute: 1_000_000 });
  await world.send("POST", "/api/v1/routing_rules", {
    conditions: [{ value: "db", operator: "contains", field: "title" }],
    outcome: { notify: { channel_id: "C1", type: "channel" }, action: "notify_only" },
  });
  await world.send("POST", "/api/v1/catalog/types/team/entries", { name: "Payments", attributes: {} });
  const pulled = await world.run(pull, { ...here, kinds: "routing_rules,catalog_types", url: "http://localhost:4010" });
  expect(pulled).toMatchObject({ exit: 0, stderr: "" });
  expect(pulled.stdout).toContain("catalog.yaml  new: 2 resources added");
  expect(read(world, "routing-rules.yaml").replace(/^#.*\n/gm, "")).toBe(
    [
      "routing_rules:",
      "  workspace:",
      "    - conditions: [{ field: title, operator: contains, value: db }]",
      "      outcome: { action: notify_only, notify: { type: channel, channel_id: C1 } }",
      "",
    ].join("\n"),
  );
});

test("a resource that moved to the top is one move, and an unused anchor does not prevent it", async () => {
  const text =
    "severities:\n  - { slug: critical, name: Critical }\n  - &unused\n    slug: major\n    name: Major\n  - { slug: minor, name: Minor }\n";
  const world = await applied({ "a.yaml": text });
  await world.send("PATCH", "/api/v1/severities/minor", { position: 1 });
  const pulled = await world.run(pull, here);
  expect(pulled).toMatchObject({ exit: 0, stderr: "" });
  expect(pulled.stdout).toContain("a.yaml  changed: 1 resource moved");
  expect(read(world, "a.yaml")).toBe(
    "severities:\n  - { slug: minor, name: Minor }\n  - { slug: critical, name: Critical }\n  - &unused\n    slug: major\n    name: Major\n",
  );
});
