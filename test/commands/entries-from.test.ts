import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ApplyFlags, apply } from "../../src/commands/apply.ts";
import { drift } from "../../src/commands/drift.ts";
import { explain } from "../../src/commands/explain.ts";
import { fmt } from "../../src/commands/fmt.ts";
import { type PlanFlags, plan } from "../../src/commands/plan.ts";
import { pull } from "../../src/commands/pull.ts";
import { rehearse } from "../../src/commands/rehearse.ts";
import { undo } from "../../src/commands/undo.ts";
import { validate } from "../../src/commands/validate.ts";
import { VirtualClock } from "../api/virtual-clock.ts";
import { openWorld, type World, type WorldIo } from "./world.ts";

const CATALOG = `catalog_types:
  - slug: team
    entries_from:
      files: services/*/catalog-info.yaml
      when: { jsonata: kind = 'Group' }
      slug: { jsonata: metadata.name }
  - slug: service
    entries_from:
      files: services/*/catalog-info.yaml
      when: { jsonata: kind = 'Component' }
      slug: { jsonata: metadata.name }
      attributes:
        owner_team: { jsonata: spec.owner }
        tier: { jsonata: metadata.labels.tier }
`;

const service = (name: string, tier: string) => `kind: Component
metadata:
  name: ${name}
  labels: { tier: ${tier} }
spec: { owner: "group:default/payments" }
---
kind: API
metadata: { name: ${name}-api }
`;

const FILES = {
  "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
  "catalog.yaml": CATALOG,
  "services/teams/catalog-info.yaml": "kind: Group\nmetadata: { name: payments }\n",
  "services/checkout/catalog-info.yaml": service("checkout", "Critical"),
  "services/search/catalog-info.yaml": service("site-search", "Standard"),
  "services/mail/catalog-info.yaml": service("mail", "Internal"),
};

let world: World;
beforeEach(async () => {
  world = await openWorld(FILES);
});
afterEach(() => world.close());

const planned = async (options: Partial<PlanFlags> = {}) => {
  const ended = await world.run(plan, { paths: [], format: "json", ...options });
  expect(ended.exit, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
};
const applied = async (options: Partial<ApplyFlags> = {}) => {
  const ended = await world.run(apply, { paths: [], yes: true, ...options });
  expect(ended.exit, ended.stderr).toBe(0);
  return ended;
};
const change = (file: string, text: string) => writeFile(join(world.folder, file), text);
const remove = (file: string) => rm(join(world.folder, file));

interface LiveEntry {
  readonly id: string;
  readonly slug: string;
  readonly source: string | null;
  readonly external_id: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The entries of the type `service`. */
async function entries(): Promise<readonly LiveEntry[]> {
  const { entries: all } = (await world.send("GET", "/api/v1/catalog/types/service/entries")) as {
    readonly entries: readonly LiveEntry[];
  };
  return all;
}

/** Makes an entry by hand. */
async function makeByHand(name: string, more: object = {}): Promise<void> {
  await world.send("POST", "/api/v1/catalog/types/service/entries", { name, ...more });
}

describe("entries_from", () => {
  test("creates entries with their origin and references, and then has nothing to change", async () => {
    await applied();
    const all = await entries();
    expect(all.map(({ slug, source, external_id }) => [slug, source, external_id])).toEqual([
      ["checkout", "incidentctl", "checkout"],
      ["mail", "incidentctl", "mail"],
      ["site_search", "incidentctl", "site-search"],
    ]);
    expect((await planned()).changes).toEqual([]);
    expect((await world.run(drift, { paths: [] })).exit).toBe(0);
  });

  test("names the foreign file of each change in the plan", async () => {
    const { changes } = await planned();
    const made = changes.find(({ address }: { readonly address: string }) => address.endsWith("/site_search"));
    expect(made.source).toEqual({ file: "services/search/catalog-info.yaml", line: 1, column: 1 });
  });

  test("changes what changes in a file, and takes away a value that goes", async () => {
    await applied();
    await change("services/mail/catalog-info.yaml", service("mail", "Critical"));
    await change("services/search/catalog-info.yaml", service("site-search", "~"));
    const { changes } = await planned();
    expect(changes.map(({ address, action, fields }: never) => [address, action, fields])).toEqual([
      [
        "catalog_types/service/entries/mail",
        "update",
        [{ path: "/attributes", before: expect.anything(), after: { owner_team: "payments", tier: "Critical" } }],
      ],
      ["catalog_types/service/entries/site_search", "update", expect.anything()],
    ]);
    await applied();
    expect((await entries()).map(({ attributes }) => attributes.tier)).toEqual(["Critical", "Critical", undefined]);
    expect((await planned()).changes).toEqual([]);
  });

  test("removes what its files no longer make, and leaves what others made", async () => {
    await applied();
    await makeByHand("By hand");
    await makeByHand("From a scanner", { source: "scanner", external_id: "7" });
    await remove("services/mail/catalog-info.yaml");
    const made = await planned({ allowDelete: true });
    expect(made.changes).toMatchObject([{ address: "catalog_types/service/entries/mail", action: "delete" }]);
    expect(made.others).toEqual([
      { address: "catalog_types/service/entries/by_hand" },
      { address: "catalog_types/service/entries/from_a_scanner" },
    ]);
    expect(made.summary).toMatchObject({ delete: 1, others: 2 });
    expect((await world.run(plan, { paths: [] })).stdout).toContain("Made by others (entries_from leaves them)");
    await applied({ allowDelete: true });
    expect((await entries()).map(({ slug }) => slug)).toEqual(["by_hand", "from_a_scanner", "checkout", "site_search"]);
    expect((await planned()).changes).toEqual([]);
  });

  test("owns the whole type with manage: all", async () => {
    await world.write({ "catalog.yaml": CATALOG.replaceAll("      files:", "      manage: all\n      files:") });
    await applied();
    await makeByHand("By hand");
    const made = await planned();
    expect(made.changes).toMatchObject([{ address: "catalog_types/service/entries/by_hand", action: "delete" }]);
    expect(made.others).toBeUndefined();
  });

  test("is stopped by the ceiling when a source suddenly yields nothing, and says which glob", async () => {
    await applied();
    await world.write({ "catalog.yaml": CATALOG.replaceAll("services/*/", "service/*/") });
    const ended = await world.run(plan, { paths: [], allowDelete: true });
    expect(ended.stderr).toContain('the glob "service/*/catalog-info.yaml" matches no file');
    expect(ended.stdout).toContain("! blocked:");
    const stopped = await world.run(apply, { paths: [], yes: true, allowDelete: true });
    expect(stopped.exit).toBe(3);
    expect(await entries()).toHaveLength(3);
  });

  describe("with an export of few rows beside one of many", () => {
    const csv = (names: readonly string[]) => ["name", ...names].join("\n");
    const names = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`);
    const refusals = async (rows: string, options: Partial<PlanFlags> = {}) => {
      await change("few.csv", rows);
      return (await planned({ allowDelete: true, ...options })).blocked;
    };
    beforeEach(async () => {
      const type = (slug: string, file: string) =>
        `  - slug: ${slug}\n    name: ${slug}\n    entries_from: { files: ${file}.csv, slug: { jsonata: name } }\n`;
      await world.write({
        "catalog.yaml": `catalog_types:\n${type("few", "few")}${type("many", "many")}`,
        "few.csv": csv(names(12)),
        "many.csv": csv(names(60)),
      });
      await applied();
    });

    test("is stopped if the few go, and says what the files make", async () => {
      expect(await refusals(csv(names(8)))).toEqual([
        {
          code: "MAX_REMOVALS",
          message:
            'removing or disabling 4 of 12 catalog_entries of few exceeds the limit of 3; the files make 8 entries from 8 documents of "few.csv" (catalog.yaml:4)',
          addresses: expect.any(Array),
          flag: "--max-removals 4",
        },
      ]);
      expect(await refusals(csv(names(9)))).toEqual([]);
      expect(await refusals(csv(names(8)), { maxRemovals: { entries: 4 } })).toEqual([]);
      expect(await refusals(csv(names(6)), { maxRemovals: { percent: 50 } })).toEqual([]);
      expect(await refusals(csv(names(5)), { maxRemovals: { percent: 50 } })).toHaveLength(1);
    });

    test("is stopped if none is left, however few they were", async () => {
      await change("few.csv", csv(names(2)));
      await applied({ allowDelete: true, maxRemovals: { entries: 10 } });
      expect(await refusals(csv([]))).toMatchObject([{ message: expect.stringContaining("the limit of 0; ") }]);
      expect(await refusals(csv([]), { maxRemovals: { entries: 2 } })).toEqual([]);
    });

    test("does not count what others made in the type", async () => {
      for (const at of names(30)) await world.send("POST", "/api/v1/catalog/types/few/entries", { name: `hand ${at}` });
      expect(await refusals(csv(names(8)))).toHaveLength(1);
    });
  });

  test("takes an entry of the same slug over, however it was made", async () => {
    await makeByHand("Mail");
    await applied();
    const mail = (await entries()).find(({ slug }) => slug === "mail");
    expect(mail).toMatchObject({ source: null, attributes: { tier: "Internal" } });
    expect((await planned()).changes).toEqual([]);
    await remove("services/mail/catalog-info.yaml");
    // Nobody recorded who made it.
    expect(await planned()).toMatchObject({ changes: [], others: [{ address: "catalog_types/service/entries/mail" }] });
  });

  test("warns of an entry that another system made too", async () => {
    await makeByHand("Mail", { source: "scanner", external_id: "7" });
    await applied();
    const { warnings } = await planned();
    expect(warnings).toMatchObject([
      {
        code: "W_ORIGIN",
        address: "catalog_types/service/entries/mail",
        message: expect.stringContaining('its source is "scanner", not "incidentctl"'),
        source: { file: "services/mail/catalog-info.yaml" },
      },
    ]);
  });

  test("makes no twin if the response to a creation is lost", async () => {
    const { fetch } = world.io;
    let lost = 0;
    const losing: WorldIo["fetch"] = async (input, init) => {
      const response = await fetch(input, init);
      if (init.method !== "POST" || !input.includes("/entries") || lost > 0) return response;
      lost += 1;
      throw new TypeError("the connection was reset");
    };
    Object.assign(world.io, { fetch: losing, clock: new VirtualClock() });
    await applied();
    expect(lost).toBe(1);
    expect((await entries()).map(({ slug }) => slug)).toEqual(["checkout", "mail", "site_search"]);
    expect((await planned()).changes).toEqual([]);
  });

  test("refuses an entry whose origin another live entry has", async () => {
    await makeByHand("Old name", { source: "incidentctl", external_id: "mail" });
    const ended = await world.run(plan, { paths: [] });
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain("catalog_types/service/entries/old_name has the source and external_id of");
    expect(ended.stderr).toContain("services/mail/catalog-info.yaml:3:9");
  });

  test("notices files that change between plan and apply", async () => {
    const file = join(world.folder, "plan.json");
    expect((await world.run(plan, { paths: [], out: file })).exit).toBe(0);
    await change("services/mail/catalog-info.yaml", `# a note\n${service("mail", "Internal")}`);
    expect((await world.run(plan, { paths: [], format: "json" })).exit).toBe(0);
    await change("services/mail/catalog-info.yaml", service("mail", "Critical"));
    const stale = await world.run(apply, { paths: [], yes: true, plan: file });
    expect(stale.exit).not.toBe(0);
    expect(stale.stderr).toContain("services/*/catalog-info.yaml");
    expect(await entries()).toEqual([]);
  });

  test("lets pull write no entry that it makes, and tell what differs", async () => {
    await applied();
    await makeByHand("By hand");
    const checkout = (await entries()).find(({ slug }) => slug === "checkout");
    await world.send("PATCH", `/api/v1/catalog/entries/${checkout?.id}`, { name: "Checkout 2" });
    const ended = await world.run(pull, { paths: [] });
    expect(ended.stderr).toContain(
      "conflict: catalog_types/service/entries/checkout: the workspace differs from the files that make it in name, attributes (services/checkout/catalog-info.yaml:3:9)",
    );
    expect(ended.stdout).toContain("Nothing to write.");
  });

  test("can be rehearsed and undone", async () => {
    const rehearsed = await world.run(rehearse, { paths: [] });
    expect(rehearsed.exit, rehearsed.stderr).toBe(0);
    await applied();
    await makeByHand("By hand");
    expect((await world.run(undo, { paths: [], out: "undo.plan" })).exit).toBe(0);
    await applied({ plan: "undo.plan", allowDelete: true, maxRemovals: { entries: 4 } });
    expect((await entries()).map(({ slug }) => slug)).toEqual(["by_hand"]);
  });

  test("tells where each value comes from, and what each source made", async () => {
    const origin = await world.run(explain, { paths: [], origin: "catalog_types/service/entries/mail" });
    expect(origin.stdout).toMatch(
      /attributes\/owner_team\s+"payments"\s+services\/mail\/catalog-info.yaml:5:16\s+spec.owner/,
    );
    const verbose = await world.run(validate, { paths: [], verbose: true });
    expect(verbose.stderr).toContain("catalog.yaml:9: 3 entries of service from 7 documents in 4 files");
  });

  test("keeps its files out of the configuration's layout", async () => {
    const before = "kind:   Group\nmetadata: { name: payments }\n";
    await change("services/teams/catalog-info.yaml", before);
    const ended = await world.run(fmt, { paths: [], check: true });
    expect(ended.stdout + ended.stderr).not.toContain("services/");
  });
});

describe("what others made in a shared type", () => {
  const types = (options: string) => `catalog_types:
  - slug: squad
    name: Squad
    entries_from: { files: teams/*.json, slug: { jsonata: name } }
  - slug: app
    name: App
    attributes:
      - { name: Level, attribute_type: select, options: [${options}] }
      - { name: Owner, attribute_type: reference, reference_type: squad }
    entries_from: { files: apps/*.json, slug: { jsonata: name } }
`;

  test("keeps the option and the entry that it uses", async () => {
    await world.write({
      "catalog.yaml": types("Gold, Silver"),
      "teams/a.json": '{ "name": "payments" }',
      "teams/b.json": '{ "name": "search" }',
      "apps/a.json": '{ "name": "shop" }',
    });
    await applied();
    const { entries: squads } = (await world.send("GET", "/api/v1/catalog/types/squad/entries")) as {
      readonly entries: readonly LiveEntry[];
    };
    const owner = squads.find(({ slug }) => slug === "payments")?.id;
    await world.send("POST", "/api/v1/catalog/types/app/entries", {
      name: "By hand",
      attributes: { level: "Silver", owner },
    });
    await world.write({ "catalog.yaml": types("Gold") });
    await remove("teams/a.json");
    const { changes, warnings } = await planned({ allowDelete: true });
    expect(changes.map(({ address, action }: never) => [address, action])).toEqual([]);
    expect(warnings.map(({ message }: { readonly message: string }) => message)).toEqual([
      expect.stringContaining('"Silver"'),
      expect.stringContaining("catalog_types/squad/entries/payments"),
    ]);
    await applied({ allowDelete: true });
  });
});
