/** A pull of some addresses changes nothing else in the files, and leaves a plan of them nothing to do. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { render } from "../../../src/app/plan/render-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { addressIncludes } from "../../../src/config/resources/configuration.ts";
import { openWorld, type World } from "../../commands/world.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { readsAs, styled } from "../../support/samples/yaml-styles.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const here = { paths: ["."], rate: 1_000_000 };
const RUNS = sampleSize(300, process.env.CAMPAIGN_PULLS);

type Members = Readonly<Record<string, unknown>>;

/** The items of the files by their addresses, in their order; a list of rules is one. */
async function itemsOf(world: World): Promise<ReadonlyMap<string, string>> {
  const document: Members = JSON.parse((await world.run(render, { paths: ["."], format: "json" })).stdout);
  const inList = (prefix: string, list: readonly Members[]) =>
    list.map(
      (item) =>
        [
          `${prefix}/${item.slug ?? item.name ?? item.system_field ?? item.custom_field}`,
          JSON.stringify(item),
        ] as const,
    );
  const pairs = Object.entries(document).flatMap(([kind, value]) => {
    if (Array.isArray(value)) return inList(kind, value);
    if (kind === "forms")
      return Object.entries(value as Members).flatMap(([form, list]) => inList(`forms/${form}`, list as Members[]));
    if (kind !== "routing_rules") return [];
    const { workspace = [], sources = {} } = value as { workspace?: unknown; sources?: Members };
    return Object.entries({ ...sources, workspace }).map(
      ([scope, list]) => [`${kind}/${scope}`, JSON.stringify(list)] as const,
    );
  });
  return new Map(pairs);
}

/** The address to pull for a change: a rule goes with its list. */
const targetOf = (address: string): string =>
  address.startsWith("routing_rules/") ? address.split("/").slice(0, 2).join("/") : address;

/** Whether an item is, holds or is within what is pulled. Entries are in the item of their type. */
function concerns(target: string, item: string): boolean {
  const own = target.replace(/^catalog_entries\//, "catalog_types/");
  return addressIncludes(own, item) || addressIncludes(item, own);
}

test(
  "for any files, workspace and difference",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        configuration,
        configuration,
        fc.array(fc.nat(20), { minLength: 3, maxLength: 9 }),
        fc.nat(),
        async (mine, theirs, choices, pick) => {
          const text = styled(mine, choices, 2, false);
          fc.pre(readsAs(text, mine));
          const world = await openWorld({ "a.yaml": text }, { requestsPerMinute: 1_000_000 });
          try {
            await serviceFor({}, world.emulator).converge(theirs);
            const planned = JSON.parse((await world.run(plan, { ...here, format: "json" })).stdout);
            const { address } = planned.changes[pick % planned.changes.length] ?? {};
            fc.pre(address !== undefined);
            const target = [targetOf(address)];
            const before = await itemsOf(world);
            const pulled = await world.run(pull, { ...here, target });
            const context = `${target}\n${pulled.stdout}${pulled.stderr}`;
            const after = await itemsOf(world);
            const isOther = (item: string): boolean => !concerns(target[0] ?? "", item);
            const others = (items: ReadonlyMap<string, string>) => [...items].filter(([item]) => isOther(item));
            expect(others(after), context).toEqual(others(before));
            // What the files would then lack or have twice keeps them as they are.
            if (pulled.exit === 1) {
              expect(pulled.stderr).toContain("Nothing was written");
              expect(readFileSync(join(world.folder, "a.yaml"), "utf8")).toBe(text);
              return;
            }
            // What is in a resource that the workspace does not have goes with that one.
            const isInMissing = planned.changes.some(
              (one: { action: string; address: string }) =>
                one.action === "create" && one.address !== address && addressIncludes(one.address, address),
            );
            expect(pulled.exit, context).toBe(isInMissing ? 7 : 0);
            if (isInMissing) return;
            const again = await world.run(plan, { ...here, target });
            expect(again.stdout + again.stderr, context).toMatch(/No changes\.|matches no resource/);
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  60_000 + RUNS * 3_000,
);

const FILES = {
  "a.yaml": `# ours
severities:
  - { slug: critical, name: Outage } # the worst
  - { slug: major, name: Big }
  - { slug: gone, name: Gone }
alert_sources: [{ name: Datadog, provider: datadog }]
routing_rules:
  workspace:
    - { name: all, outcome: { action: drop } }
`,
};

test("one address takes its own line, and keeps comments and every other difference", async () => {
  const world = await openWorld(FILES);
  const ended = await world.run(pull, { ...here, target: ["severities/critical", "severities/minor"] });
  expect(ended).toMatchObject({ exit: 0, stderr: "" });
  expect(readFileSync(join(world.folder, "a.yaml"), "utf8")).toBe(
    FILES["a.yaml"]
      .replace("name: Outage", "name: Critical")
      .replace("name: Big }\n", 'name: Big }\n  - { slug: minor, name: Minor, color: "#FFA500", default: true }\n'),
  );
  await world.close();
});

test("a default that would be the second one in the files changes nothing, and both are named", async () => {
  const text = FILES["a.yaml"].replace("name: Outage }", "name: Outage, default: true }");
  const world = await openWorld({ "a.yaml": text });
  const ended = await world.run(pull, { ...here, target: ["severities/minor"] });
  expect(ended.exit).toBe(1);
  expect(ended.stderr).toContain("a second severity is the default");
  expect(ended.stderr).toContain("Nothing was written");
  expect(readFileSync(join(world.folder, "a.yaml"), "utf8")).toBe(text);
  await world.close();
});

test("all but some addresses leaves these as they are", async () => {
  const world = await openWorld(FILES);
  const exclude = ["severities/major", "severities/gone", "routing_rules/workspace"];
  expect(await world.run(pull, { ...here, exclude })).toMatchObject({ exit: 0, stderr: "" });
  const text = readFileSync(join(world.folder, "a.yaml"), "utf8");
  for (const line of ["{ slug: major, name: Big }", "{ slug: gone, name: Gone }", "{ name: all,"]) {
    expect(text).toContain(line);
  }
  expect(text).toContain("{ slug: critical, name: Critical } # the worst");
  expect(text).toContain("alert_sources: []");
  await world.close();
});

test.each([
  ["severities/nope", 1, '--target "severities/nope" matches no resource that these files manage'],
  ["webhooks/new", 1, '--target "webhooks/new" matches no resource that these files manage'],
  ["routing_rules/workspace/all", 64, "is in a list that is pulled as a whole; use routing_rules/workspace"],
  ["critical", 64, "--target takes an address like severities/critical"],
])("an address that cannot be pulled changes nothing: %s", async (address, exit, message) => {
  const world = await openWorld(FILES);
  const ended = await world.run(pull, { ...here, target: [address] });
  expect(ended.exit).toBe(exit);
  expect(ended.stderr).toContain(message);
  expect(readFileSync(join(world.folder, "a.yaml"), "utf8")).toBe(FILES["a.yaml"]);
  await world.close();
});

test("the name of a kind is no directory to make", async () => {
  const world = await openWorld(FILES);
  try {
    const { exit, stderr } = await world.run(pull, { paths: ["severity"] });
    expect([exit, stderr]).toEqual([64, expect.stringContaining("incidentctl pull --kinds severities;")]);
    expect(existsSync(join(world.folder, "severity"))).toBe(false);
  } finally {
    await world.close();
  }
});
