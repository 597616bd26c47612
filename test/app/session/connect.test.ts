import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { type Command, openWorld, type World } from "../../commands/world.ts";

const paths: readonly string[] = [];
const severities = "severities:\n  - { slug: critical, name: Critical }\n";
let world: World;

beforeEach(async () => {
  world = await openWorld({
    "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\nremoval: { default: keep }\n",
    "severities.yaml": severities,
  });
});
afterEach(() => world.close());

test.each<
  readonly [title: string, options: Partial<PlanFlags>, env: Record<string, string>, exit: number, says: RegExp]
>([
  ["another host than the settings'", { url: "https://evil.example" }, {}, 1, /base_url/],
  ["another host in the environment", {}, { INCIDENTCTL_URL: "https://evil.example" }, 1, /INCIDENTCTL_URL/],
  ["another port", { url: "http://localhost:4011" }, {}, 1, /4011/],
  ["another scheme", { url: "https://localhost:4010" }, {}, 1, /base_url/],
  ["plain http to another machine", { url: "http://incidents.example.com" }, {}, 1, /https/],
  ["a user name in the URL", { url: "http://me@localhost:4010" }, {}, 1, /user name/],
  ["no URL at all", { url: "localhost" }, {}, 1, /URL|https/],
  ["certificates that are not verified", {}, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }, 1, /NODE_TLS_REJECT_UNAUTHORIZED/],
  ["two services at once", { url: "http://localhost:4010", emulator: "" }, {}, 64, /--emulator/],
])("%s is refused, and no token is sent", async (_title, options, env, exit, says) => {
  Object.assign(world.io.env, env);
  const ended = await world.run(plan, { paths, ...options });
  expect({ exit: ended.exit, stdout: ended.stdout }).toEqual({ exit, stdout: "" });
  expect(ended.stderr).toMatch(says);
  expect(world.requests).toEqual([]);
});

test("without a token nothing is sent, and the error names the variable to set", async () => {
  const ended = await world.run<PlanFlags>(
    (options, io, console) => {
      delete io.env.INCIDENTCTL_TOKEN;
      return plan(options, io, console);
    },
    { paths },
  );
  expect(ended.exit).toBe(6);
  expect(ended.stderr).toContain("INCIDENTCTL_TOKEN");
  expect(world.requests).toEqual([]);
});

test("an unknown token exits with 6, and is never printed", async () => {
  const token = "sk_unknown_0123456789abcdef";
  const ended = await world.run<PlanFlags>(
    (options, io, console) => {
      io.env.INCIDENTCTL_TOKEN = token;
      return plan(options, io, console);
    },
    { paths },
  );
  expect(ended.exit).toBe(6);
  expect(ended.stdout + ended.stderr).not.toContain(token);
});

test("the flag takes precedence over the variable, the variable over the settings", async () => {
  world.io.env.INCIDENTCTL_URL = "https://evil.example";
  expect((await world.run(plan, { paths, url: "http://localhost:4010/" })).exit).toBe(0);
  world.io.env.INCIDENTCTL_URL = "";
  expect((await world.run(plan, { paths })).exit).toBe(0);
  expect(new Set(world.requests.map(({ url }) => new URL(url).origin))).toEqual(new Set(["http://localhost:4010"]));
});

test("the emulator needs no URL and no token, and keeps its workspace in a private folder", async () => {
  const embedded: Command<PlanFlags> = (options, io, console) => {
    delete io.env.INCIDENTCTL_TOKEN;
    delete io.env.INCIDENTCTL_URL;
    return plan(options, io, console);
  };
  expect((await world.run(embedded, { paths, emulator: "" })).exit).toBe(0);
  expect((await stat(join(world.folder, ".incidentctl"))).mode & 0o777).toBe(0o700);
  expect((await world.run(embedded, { paths, emulator: "" })).exit).toBe(0);
  expect((await world.run(embedded, { paths, emulator: "mine.db" })).exit).toBe(0);
  expect((await stat(join(world.folder, "mine.db"))).isFile()).toBe(true);
  expect(world.requests).toEqual([]);
});
