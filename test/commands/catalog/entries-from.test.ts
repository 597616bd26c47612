import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import { explain } from "../../../src/app/files/explain-command.ts";
import { fmt } from "../../../src/app/files/fmt-command.ts";
import { validate } from "../../../src/app/files/validate-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { rehearse } from "../../../src/app/rehearse/rehearse-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import type { WorldIo } from "../world.ts";
import { CATALOG, service, useCatalogWorld } from "./catalog-world.ts";

const catalog = useCatalogWorld();
const { planned, applied, change, remove, entries, makeByHand } = catalog;

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
    expect((await catalog.world.run(drift, { paths: [] })).exit).toBe(0);
  });

  test("names the foreign file of each change in the plan", async () => {
    const { changes } = await planned();
    const made = changes.find(({ address }) => address.endsWith("/site_search"));
    expect(made?.source).toEqual({ file: "services/search/catalog-info.yaml", line: 1, column: 1 });
  });

  test("changes what changes in a file, and takes away a value that goes", async () => {
    await applied();
    await change("services/mail/catalog-info.yaml", service("mail", "Critical"));
    await change("services/search/catalog-info.yaml", service("site-search", "~"));
    const { changes } = await planned();
    expect(changes.map(({ address, action, fields }) => [address, action, fields])).toEqual([
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
    expect((await catalog.world.run(plan, { paths: [] })).stdout).toContain(
      "Made by others (entries_from leaves them)",
    );
    await applied({ allowDelete: true });
    expect((await entries()).map(({ slug }) => slug)).toEqual(["by_hand", "from_a_scanner", "checkout", "site_search"]);
    expect((await planned()).changes).toEqual([]);
  });

  test("owns the whole type with manage: all", async () => {
    await catalog.world.write({
      "catalog.yaml": CATALOG.replaceAll("      files:", "      manage: all\n      files:"),
    });
    await applied();
    await makeByHand("By hand");
    const made = await planned();
    expect(made.changes).toMatchObject([{ address: "catalog_types/service/entries/by_hand", action: "delete" }]);
    expect(made.others).toBeUndefined();
  });

  test("is stopped by the ceiling when a source suddenly yields nothing, and says which glob", async () => {
    await applied();
    await catalog.world.write({ "catalog.yaml": CATALOG.replaceAll("services/*/", "service/*/") });
    const ended = await catalog.world.run(plan, { paths: [], allowDelete: true });
    expect(ended.stderr).toContain('the glob "service/*/catalog-info.yaml" matches no file');
    const { warnings, changes } = await planned({ allowDelete: true });
    expect(warnings).toContainEqual({
      code: "W_ENTRIES_FROM",
      message: 'the glob "service/*/catalog-info.yaml" matches no file',
      source: { file: "catalog.yaml", line: 4, column: 14 },
    });
    expect(changes.map(({ reason }) => reason)).toContain(
      "not in the configuration: no document of service/*/catalog-info.yaml (catalog.yaml:9) makes it",
    );
    expect(ended.stdout).toContain("! blocked:");
    const stopped = await catalog.world.run(apply, { paths: [], yes: true, allowDelete: true });
    expect(stopped.exit).toBe(3);
    expect(await entries()).toHaveLength(3);
  });

  test("takes an entry of the same slug over, however it was made", async () => {
    await makeByHand("Mail");
    expect((await planned()).warnings).toEqual([
      {
        code: "W_ORIGIN",
        address: "catalog_types/service/entries/mail",
        message:
          "the plan updates what people made: catalog_types/service/entries/mail; the service records no source on an update, so it stays when its file goes",
      },
    ]);
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
    const { fetch } = catalog.world.io;
    let lost = 0;
    const losing: WorldIo["fetch"] = async (input, init) => {
      const response = await fetch(input, init);
      if (init.method !== "POST" || !input.includes("/entries") || lost > 0) return response;
      lost += 1;
      throw new TypeError("the connection was reset");
    };
    Object.assign(catalog.world.io, { fetch: losing, clock: new VirtualClock() });
    await applied();
    expect(lost).toBe(1);
    expect((await entries()).map(({ slug }) => slug)).toEqual(["checkout", "mail", "site_search"]);
    expect((await planned()).changes).toEqual([]);
  });

  test("takes a live entry with the origin of one for that one, whatever its slug is", async () => {
    await makeByHand("Old name", { source: "incidentctl", external_id: "mail" });
    const { changes } = await planned();
    const mail = changes.find(({ address }) => address === "catalog_types/service/entries/mail");
    expect(mail).toMatchObject({
      action: "update",
      fields: [{ path: "/name", before: "Old name", after: "mail" }, {}],
    });
  });

  test("notices files that change between plan and apply", async () => {
    const file = join(catalog.world.folder, "plan.json");
    expect((await catalog.world.run(plan, { paths: [], out: file })).exit).toBe(0);
    await change("services/mail/catalog-info.yaml", `# a note\n${service("mail", "Internal")}`);
    expect((await catalog.world.run(plan, { paths: [], format: "json" })).exit).toBe(0);
    await change("services/mail/catalog-info.yaml", service("mail", "Critical"));
    const stale = await catalog.world.run(apply, { paths: [], yes: true, plan: file });
    expect(stale.exit).not.toBe(0);
    expect(stale.stderr).toContain("services/*/catalog-info.yaml");
    expect(await entries()).toEqual([]);
  });

  test("says in the plan that a symbolic link is not read", async () => {
    await symlink("mail", join(catalog.world.folder, "services/linked"));
    await symlink("../mail/catalog-info.yaml", join(catalog.world.folder, "services/search/catalog-info.yaml.link"));
    // What it leads to is read under its own path.
    expect((await planned()).warnings).toEqual([]);
    await catalog.world.write({ "other/app/catalog-info.yaml": service("other", "Critical") });
    await symlink("../other/app", join(catalog.world.folder, "services/other"));
    const ended = await catalog.world.run(plan, { paths: [] });
    expect(ended.stderr).toContain("the globs match a symbolic link, which is not read: services/other/");
    expect(ended.stderr).toContain('or exclude the link with a glob: "!services/other/**".');
    await remove("services/other");
    await remove("services/search/catalog-info.yaml");
    await symlink("../mail/catalog-info.yaml", join(catalog.world.folder, "services/search/catalog-info.yaml"));
    expect((await planned()).warnings).toMatchObject([
      {
        code: "W_ENTRIES_FROM",
        message: "the globs match a symbolic link, which is not read: services/search/catalog-info.yaml",
        source: { file: "catalog.yaml", line: 4 },
      },
      { code: "W_ENTRIES_FROM", source: { file: "catalog.yaml", line: 9 } },
    ]);
  });

  test("makes entries out of a mapping by name", async () => {
    await catalog.world.write({
      "catalog.yaml": `catalog_types:
  - slug: app
    name: App
    attributes: [{ name: Level, attribute_type: text }]
    entries_from:
      files: apps.yaml
      documents: { jsonata: "$each(services, function($v, $k) { $merge([$v, { 'id': $k }]) })" }
      slug: { jsonata: id }
      attributes: { level: { jsonata: level } }
`,
      "apps.yaml": "services:\n  checkout: { level: high }\n  search: { level: low }\n",
    });
    const { changes } = await planned();
    expect(changes.map(({ address }) => address)).toEqual([
      "catalog_types/app",
      "catalog_types/app/entries/checkout",
      "catalog_types/app/entries/search",
    ]);
  });

  test("lets pull write no entry that it makes, and tell what differs", async () => {
    await applied();
    await makeByHand("By hand");
    const checkout = (await entries()).find(({ slug }) => slug === "checkout");
    await catalog.world.send("PATCH", `/api/v1/catalog/entries/${checkout?.id}`, { name: "Checkout 2" });
    const ended = await catalog.world.run(pull, { paths: [] });
    expect(ended.stderr).toContain(
      'conflict: catalog_types/service/entries/checkout name: the workspace has "Checkout 2", and the file "checkout" (services/checkout/catalog-info.yaml:3:9)',
    );
    expect(ended.stdout).toContain("Nothing to write.");
  });

  test("can be rehearsed and undone", async () => {
    const rehearsed = await catalog.world.run(rehearse, { paths: [] });
    expect(rehearsed.exit, rehearsed.stderr).toBe(0);
    await applied();
    await makeByHand("By hand");
    expect((await catalog.world.run(undo, { paths: [], out: "undo.plan" })).exit).toBe(0);
    const undone = await applied({ plan: "undo.plan", allowDelete: true, maxRemovals: { entries: 4 } });
    expect((await entries()).map(({ slug }) => slug)).toEqual(["by_hand"]);
    expect(undone.stdout).toContain(
      "to write the workspace into them, change services/teams/catalog-info.yaml and 3 more files, and run incidentctl pull",
    );
  });

  test("tells where each value comes from, and what each source made", async () => {
    const origin = await catalog.world.run(explain, { subjects: [], origin: "catalog_types/service/entries/mail" });
    expect(origin.stdout).toMatch(
      /attributes\/owner_team\s+"payments"\s+services\/mail\/catalog-info.yaml:5:16\s+spec.owner/,
    );
    const verbose = await catalog.world.run(validate, { paths: [], verbose: true });
    expect(verbose.stderr).toContain("catalog.yaml:9: 3 entries of service from 7 documents in 4 files");
  });

  test("keeps its files out of the configuration's layout", async () => {
    const before = "kind:   Group\nmetadata: { name: payments }\n";
    await change("services/teams/catalog-info.yaml", before);
    const ended = await catalog.world.run(fmt, { paths: [], check: true });
    expect(ended.stdout + ended.stderr).not.toContain("services/");
  });
});
