import { beforeEach, describe, expect, test } from "vitest";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import type { WorldIo } from "../world.ts";
import { type LiveEntry, useCatalogWorld } from "./catalog-world.ts";

const catalog = useCatalogWorld();
const { planned, applied, change, remove, entries } = catalog;

describe("A type with sources", () => {
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
      await catalog.world.write({
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

    test("is stopped if one of several sources makes nothing any more", async () => {
      const sources = `catalog_types:
  - slug: few
    name: few
    entries_from:
      - { files: few.csv, slug: { jsonata: name } }
      - { files: more.csv, slug: { jsonata: name }, source: more }
  - slug: many
    name: many
    entries_from: { files: many.csv, slug: { jsonata: name } }
`;
      await catalog.world.write({ "catalog.yaml": sources, "more.csv": csv(["m1", "m2"]) });
      await applied();
      await change("more.csv", csv(["m1"]));
      expect(await refusals(csv(names(12)))).toEqual([]);
      await change("more.csv", csv([]));
      expect(await refusals(csv(names(12)))).toMatchObject([
        { message: expect.stringContaining("the limit of 0; "), flag: "--max-removals 2" },
      ]);
      const { warnings } = await planned();
      expect(warnings).toMatchObject([{ message: 'there is no document in 1 file of "more.csv"' }]);
    });

    test("does not count what others made in the type", async () => {
      for (const at of names(30))
        await catalog.world.send("POST", "/api/v1/catalog/types/few/entries", { name: `hand ${at}` });
      expect(await refusals(csv(names(8)))).toHaveLength(1);
    });
  });

  test("owns the entries that an overlay declares", async () => {
    const settings = (overlays: string) =>
      `version: 1\nconfig: [catalog.yaml]\nenvironments:\n  test: { base_url: http://localhost:4010, overlays: [${overlays}] }\n`;
    await catalog.world.write({
      "incidentctl.yaml": settings("over.yaml"),
      "over.yaml": "catalog_types:\n  - slug: service\n    entries: [{ slug: zz, name: Only here }]\n",
    });
    await applied({ env: "test" });
    expect((await entries()).find(({ slug }) => slug === "zz")).toMatchObject({
      source: "incidentctl",
      external_id: "zz",
    });
    await catalog.world.write({ "incidentctl.yaml": settings("") });
    expect((await planned({ env: "test", allowDelete: true })).changes).toMatchObject([
      { address: "catalog_types/service/entries/zz", action: "delete" },
    ]);
  });

  test("says that the service does not return who made an entry, if it hides that", async () => {
    await applied();
    const { fetch } = catalog.world.io;
    const hiding: WorldIo["fetch"] = async (input, init) => {
      const response = await fetch(input, init);
      if (!input.includes("/entries")) return response;
      const body = JSON.stringify(await response.json(), (key, value) =>
        key === "source" || key === "external_id" ? undefined : value,
      );
      return new Response(body, { status: response.status, headers: response.headers });
    };
    Object.assign(catalog.world.io, { fetch: hiding });
    await remove("services/mail/catalog-info.yaml");
    const made = await planned({ allowDelete: true });
    expect(made.changes).toEqual([]);
    expect(made.others).toEqual([
      { address: "catalog_types/service/entries/mail", why: "the service does not return who made it" },
    ]);
    const { stdout } = await catalog.world.run(plan, { paths: [] });
    expect(stdout).toContain("Of unknown origin (entries_from leaves them)");
    expect(stdout).toContain("1 of unknown origin.");
    expect(stdout).not.toContain("Made by others");
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
    await catalog.world.write({
      "catalog.yaml": types("Gold, Silver"),
      "teams/a.json": '{ "name": "payments" }',
      "teams/b.json": '{ "name": "search" }',
      "apps/a.json": '{ "name": "shop" }',
    });
    await applied();
    const { entries: squads } = (await catalog.world.send("GET", "/api/v1/catalog/types/squad/entries")) as {
      readonly entries: readonly LiveEntry[];
    };
    const owner = squads.find(({ slug }) => slug === "payments")?.id;
    await catalog.world.send("POST", "/api/v1/catalog/types/app/entries", {
      name: "By hand",
      attributes: { level: "Silver", owner },
    });
    await catalog.world.write({ "catalog.yaml": types("Gold") });
    await remove("teams/a.json");
    const { changes, warnings } = await planned({ allowDelete: true });
    expect(changes.map(({ address, action }) => [address, action])).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('"Silver"'),
      expect.stringContaining("catalog_types/squad/entries/payments"),
    ]);
    await applied({ allowDelete: true });
  });
});
