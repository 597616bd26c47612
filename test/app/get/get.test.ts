/** `get` prints live resources of every kind in the language of the files, also beside files with errors. */

import { cp } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { get } from "../../../src/app/get/get-command.ts";
import type { GetOptions } from "../../../src/app/get/get-definition.ts";
import { render } from "../../../src/app/plan/render-command.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { openTestWorld, openWorld, type World } from "../../commands/world.ts";

const got = (world: World, resource?: string, options: Partial<GetOptions> = {}) =>
  world.run(get, { ...(resource === undefined ? {} : { resource }), ...options });

const BROKEN = { "config.yaml": "severities:\n  - { slug: critical, nam: Critical }\n  - [" };

describe("the example workspace", () => {
  let world: World;
  let all: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    const folder = new URL("../../../examples", import.meta.url).pathname;
    world = await openWorld({});
    await cp(folder, world.folder, { recursive: true });
    world.io.env.INCIDENTCTL_URL = "https://incidents.example.com";
    const applied = await world.run(apply, { paths: ["."], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" });
    expect(applied.exit, applied.stderr).toBe(0);
    all = JSON.parse((await got(world, undefined, { format: "json" })).stdout);
    return () => world.close();
  });

  test.each(kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name))(
    "has %s alone and with all",
    async (name) => {
      const { exit, stdout } = await got(world, name, { format: "json" });
      expect(exit).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ [name]: all[name] });
    },
  );

  test.each(kinds.map(({ name, title }) => [name, title.replaceAll(" ", "_")]))(
    "has each of the %s by its address, and the kind in the singular, %s",
    async (name, singular) => {
      const { stdout } = await got(world, singular, { format: "name" });
      const addresses = stdout.trimEnd().split("\n");
      expect(addresses).not.toEqual([""]);
      for (const address of addresses.slice(0, 3)) {
        const one = await got(world, address, { format: "name" });
        expect([one.exit, one.stdout.split("\n")[0]], `${name}: ${one.stderr}`).toEqual([0, address]);
      }
    },
  );

  test("is, as YAML, a configuration that declares the same", async () => {
    const names = ["severities", "statuses", "custom_fields", "runbooks", "alert_sources", "routing_rules", "agents"];
    const documents = await Promise.all(names.map(async (name) => (await got(world, name)).stdout));
    await world.write({ "copy/incidentctl.yaml": "version: 1\n", "copy/all.yaml": documents.join("\n") });
    const { exit, stdout, stderr } = await world.run(render, { paths: ["copy"], format: "json" });
    expect(exit, stderr).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(expect.arrayContaining(names));
  });
});

describe("one resource", () => {
  test("is printed with its kind, a nested one of a catalog under the key that files may have for it", async () => {
    const world = await openTestWorld({});
    await world.send("POST", "/api/v1/catalog/types/team/entries", { name: "Payments" });
    expect((await got(world, "severity/minor")).stdout).toBe(
      'severities:\n  - { slug: minor, name: Minor, color: "#FFA500", default: true }\n',
    );
    expect((await got(world, "catalog_entry/team/payments")).stdout).toBe(
      "catalog_entries:\n  team:\n    - { slug: payments, name: Payments }\n",
    );
  });

  test("that is not there is an error with the nearest name", async () => {
    const world = await openTestWorld({});
    const { exit, stdout, stderr } = await got(world, "severities/majr");
    expect({ exit, stdout, stderr }).toEqual({
      exit: 1,
      stdout: "",
      stderr: 'error: the workspace has no severities/majr; did you mean "severities/major"?\n',
    });
  });

  test("of an unknown kind is a usage error, and nothing is sent", async () => {
    const world = await openTestWorld({});
    const { exit, stderr } = await got(world, "severitys");
    expect([exit, stderr]).toEqual([
      64,
      expect.stringContaining('there is no kind "severitys" (did you mean "severities"?)'),
    ]);
    expect(world.requests).toEqual([]);
  });

  test("may be a kind without resources", async () => {
    const world = await openTestWorld({});
    expect((await got(world, "webhooks")).stdout).toBe("webhooks: []\n");
    expect((await got(world, "webhooks", { format: "name" })).stdout).toBe("");
  });
});

test("nothing but GET is sent, and files with errors do not matter", async () => {
  const world = await openTestWorld(BROKEN);
  const { exit, stdout, stderr } = await got(world, "severities");
  expect([exit, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("slug: critical, name: Critical");
  expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("settings with errors do: the address of the service may be in them", async () => {
  const world = await openTestWorld({ "incidentctl.yaml": "base_url: [\n" });
  const { exit, stderr } = await got(world, "severities");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("incidentctl.yaml:")]);
  expect(world.requests).toEqual([]);
});

describe("a kind that the token cannot read", () => {
  test.each([
    ["api_keys", ""],
    [undefined, "severities:\n"],
  ])("ends %s with 6, and the others are printed", async (resource, printed) => {
    const world = await openTestWorld({});
    const plain: typeof get = (options, io, console) => {
      delete io.env.INCIDENTCTL_ADMIN_TOKEN;
      return get(options, io, console);
    };
    const options = resource === undefined ? {} : { resource };
    const { exit, stdout, stderr } = await world.run(plain, options);
    expect(exit).toBe(6);
    expect(stdout.slice(0, 12)).toBe(printed);
    expect(stderr).toContain("api_keys");
  });
});

describe("values from the environment", () => {
  const secret = "https://hooks.example.com/s3cr3t";
  const files = {
    "config.yaml": `webhooks:
  - { name: ci, url: "\${env:HOOK}", subscribed_events: [incident.created] }
runbooks:
  - slug: failover
    name: Failover
    steps: [{ title: Call, instruction: "\${env:PIN}" }]
routing_rules:
  workspace:
    - name: pin
      conditions: [{ field: service, operator: is_one_of, value: ["\${env:PIN}"] }]
      outcome: { action: notify_only, notify: { type: channel, channel_id: C0123456789 } }
`,
  };

  test.each([
    ["with the files", files],
    ["beside files with errors", { ...files, "broken.yaml": "severities: [" }],
    ["without the files, by the lock", { "config.yaml": "severities: []\n" }],
  ])("are masked %s", async (_, now) => {
    const world = await openTestWorld(files);
    Object.assign(world.io.env, { HOOK: secret, PIN: "q7" });
    const applied = await world.run(apply, { paths: ["."], yes: true, secretsOut: "tokens.jsonl", allowDelete: true });
    expect(applied.exit, applied.stderr).toBe(0);
    await world.write(now);
    for (const format of ["yaml", "json"] as const) {
      const { exit, stdout } = await got(world, undefined, { format });
      expect(exit).toBe(0);
      expect(stdout).toContain("(secret)");
      expect(stdout).not.toMatch(/s3cr3t|q7/);
    }
  });
});
