/** Entries whose documents change their name: the id in their system tells which live entry is meant, and one in doubt stops no other. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { FetchInit } from "../../../src/core/fetch.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { openWorld, type World } from "../world.ts";
import type { LiveEntry } from "./catalog-world.ts";

const CATALOG = `catalog_types:
  - slug: team
    entries_from:
      files: teams.csv
      name: { jsonata: name }
      external_id: { jsonata: id }
  - slug: service
    entries_from:
      files: services.csv
      slug: { jsonata: slug }
      name: { jsonata: name }
      external_id: { jsonata: id }
      attributes:
        owner_team: { jsonata: owner }
`;

const TEAMS = "id,name\n7,Payments\n8,Search\n";
const SERVICES = "id,slug,name,owner\n17,billing,Billing,Payments\n18,mail,Mail,Search\n";

let world: World;
beforeEach(async () => {
  world = await openWorld({
    "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
    "catalog.yaml": CATALOG,
    "teams.csv": TEAMS,
    "services.csv": SERVICES,
  });
  await applied();
});
afterEach(() => world.close());

const planned = async (): Promise<Plan> => {
  const ended = await world.run(plan, { paths: [], format: "json" });
  expect(ended.exit, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
};
const applied = async (): Promise<void> => {
  const ended = await world.run(apply, { paths: [], yes: true, allowDelete: true, maxRemovals: { entries: 9 } });
  expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
};
const undone = async (): Promise<void> => {
  const saved = await world.run(undo, { paths: [], out: "undo.plan" });
  expect(saved.exit, saved.stderr + saved.stdout).toBe(0);
  const ended = await world.run(apply, { paths: [], plan: "undo.plan", yes: true, allowDelete: true });
  expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
};
const changes = async (): Promise<readonly string[]> =>
  (await planned()).changes.map(
    ({ action, address }) => `${action} ${address.replace("catalog_types/", "").replace("entries/", "")}`,
  );
const heldBack = async (): Promise<readonly (string | undefined)[]> =>
  (await planned()).warnings.flatMap(({ code, address }) =>
    code === "W_HELD_BACK" ? [address?.split("/").at(-1)] : [],
  );
const entries = async (type: string): Promise<Readonly<Record<string, LiveEntry & { readonly name: string }>>> => {
  const { entries: list } = (await world.send("GET", `/api/v1/catalog/types/${type}/entries`)) as {
    entries: readonly (LiveEntry & { readonly name: string })[];
  };
  return Object.fromEntries(list.map((entry) => [String(entry.external_id), entry]));
};

describe("An entry whose external id stays", () => {
  test("is renamed and keeps its id, also for those that reference it", async () => {
    const before = await entries("team");
    await world.write({
      "teams.csv": TEAMS.replace("Payments", "Money"),
      "services.csv": SERVICES.replace("Payments", "Money"),
    });
    expect(await changes()).toEqual(["update team/money"]);
    await applied();
    const { 7: money } = await entries("team");
    expect(money).toMatchObject({ id: before[7]?.id, name: "Money" });
    expect(await changes()).toEqual([]);
  });

  test("can swap its name with another", async () => {
    await world.write({ "teams.csv": "id,name\n8,Payments\n7,Search\n" });
    await applied();
    expect(await changes()).toEqual([]);
    expect(await entries("team")).toMatchObject({ 7: { name: "Search" }, 8: { name: "Payments" } });
  });

  test("is named again by undo", async () => {
    await world.write({
      "teams.csv": TEAMS.replace("Payments", "Money"),
      "services.csv": SERVICES.replace("Payments", "Money"),
    });
    await applied();
    await undone();
    expect(await entries("team")).toMatchObject({ 7: { name: "Payments" } });
  });
});

describe("An entry that another one of its name replaces", () => {
  test("is the same entry if it has the slug as well, and each plan says that it keeps its former id", async () => {
    const before = await entries("service");
    await world.write({ "services.csv": SERVICES.replace("17,", "19,") });
    const { changes: none, warnings } = await planned();
    expect(none).toEqual([]);
    expect(warnings).toMatchObject([
      {
        code: "W_ORIGIN",
        address: "catalog_types/service/entries/billing",
        message:
          'its external_id is "17" in the service, not "19", and stays so; if it gets another name, it is removed and made again',
        source: { file: "services.csv", line: 2 },
      },
    ]);
    expect(await entries("service")).toEqual(before);
  });

  test("is removed by the plan that makes the other", async () => {
    await world.write({ "services.csv": SERVICES.replace("17,billing", "19,invoices") });
    expect(await changes()).toEqual(["create service/invoices", "delete service/billing"]);
    await applied();
    expect(await changes()).toEqual([]);
  });

  test("stays if the other has its slug too", async () => {
    await world.write({ "services.csv": SERVICES.replace("17,", "19,") });
    expect(await changes()).toEqual([]);
  });
});

describe("An entry whose slug another one takes over", () => {
  const THREE = `${SERVICES}19,pay,Pay,Search\n`;
  beforeEach(async () => {
    await world.write({ "services.csv": THREE });
    await applied();
  });

  test("is removed by the plan that renames the other, and both come back by undo", async () => {
    const before = await entries("service");
    // 17 goes, 18 takes its slug, and 19 that of 18.
    await world.write({ "services.csv": "id,slug,name,owner\n18,billing,Billing,Search\n19,mail,Mail,Search\n" });
    expect(await heldBack()).toEqual([]);
    expect(await changes()).toEqual(["update service/billing", "update service/mail", "delete service/billing (17)"]);
    await applied();
    expect(await changes()).toEqual([]);
    const after = await entries("service");
    expect(Object.keys(after).sort()).toEqual(["18", "19"]);
    expect(after[18]).toMatchObject({ id: before[18]?.id, name: "Billing", slug: "mail" });
    await undone();
    const back = await entries("service");
    expect(back).toMatchObject({ 17: { name: "Billing", slug: "billing" }, 18: before[18], 19: before[19] });
  });

  test("is removed if they had swapped their slugs before", async () => {
    await world.write({
      "services.csv": "id,slug,name,owner\n17,mail,Mail,Search\n18,billing,Billing,Search\n19,pay,Pay,Search\n",
    });
    await applied();
    await world.write({ "services.csv": "id,slug,name,owner\n18,billing,Billing,Search\n19,pay,Pay,Search\n" });
    expect(await changes()).toEqual(["delete service/billing (17)"]);
    await applied();
    expect(await changes()).toEqual([]);
  });

  test("stays if the settings protect it, and the other is left alone", async () => {
    await world.write({
      "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\nprotected: [catalog_types/service/entries/billing]\n",
      "services.csv": "id,slug,name,owner\n18,billing,Billing,Search\n19,pay,Pay,Search\n",
    });
    expect(await heldBack()).toEqual(["billing"]);
    expect(await changes()).toEqual([]);
  });

  test("stays if a person made it", async () => {
    await world.send("POST", "/api/v1/catalog/types/service/entries", { name: "Legacy" });
    await world.write({ "services.csv": THREE.replace("19,pay,Pay", "19,legacy,Legacy") });
    expect(await heldBack()).toEqual(["legacy"]);
    expect(await changes()).toEqual([]);
  });
});

describe("An entry in doubt", () => {
  test("is left alone with those that reference it, and everything else is planned", async () => {
    await world.write({
      "teams.csv": "id,name\n7,Money\n9,Payments\n8,Search\n",
      "services.csv": `${SERVICES.replace("Mail", "Post")}20,pay,Pay,Money\n21,old,Old,Payments\n`,
    });
    expect(await heldBack()).toEqual(["payments"]);
    expect(await changes()).toEqual(["update team/money", "update service/mail", "create service/pay"]);
    await applied();
    expect(await changes()).toEqual([]);
  });

  test("is one whose name a person has given to another", async () => {
    await world.send("POST", "/api/v1/catalog/types/service/entries", { name: "Pager" });
    await world.write({ "services.csv": `${SERVICES.replace("Mail", "Post")}20,beeper,Pager,Search\n` });
    expect(await heldBack()).toEqual(["beeper"]);
    expect(await changes()).toEqual(["update service/mail"]);
  });
});

describe("A run that fails after it renamed an entry", () => {
  const failing = async (): Promise<void> => {
    await world.write({ "services.csv": "id,slug,name,owner\n17,pay,Pay,Payments\n18,mail,Post,Search\n" });
    const { fetch } = world.io;
    Object.assign(world.io, {
      fetch: async (url: string, init: FetchInit) =>
        init.method === "PATCH" && String(init.body).includes("Post")
          ? new Response("{}", { status: 422, headers: { "content-type": "application/json" } })
          : await fetch(url, init),
    });
    const { exit } = await world.run(apply, { paths: [], yes: true, keepGoing: true });
    expect(exit).toBe(4);
    Object.assign(world.io, { fetch });
  };

  test("leaves no name in the way of an entry with another id", async () => {
    await failing();
    await world.write({ "services.csv": "id,slug,name,owner\n19,pay,Pay,Payments\n18,mail,Post,Search\n" });
    expect(await changes()).toEqual(expect.arrayContaining(["create service/pay", "delete service/billing"]));
    await applied();
    expect(await changes()).toEqual([]);
  });

  test("leaves nothing to be made again", async () => {
    await failing();
    expect(await changes()).toEqual(["update service/mail"]);
    await applied();
    expect(await changes()).toEqual([]);
  });
});
