/** A workspace whose teams and services come out of catalog files of Backstage. */

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { type Ended, openWorld, type World } from "../world.ts";

export const CATALOG = `catalog_types:
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

export const service = (name: string, tier: string) => `kind: Component
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

/** An entry as the service returns it. */
export interface LiveEntry {
  readonly id: string;
  readonly slug: string;
  readonly source: string | null;
  readonly external_id: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A workspace, and the steps of tests in it. */
export interface CatalogWorld {
  readonly world: World;
  planned(options?: Partial<PlanFlags>): Promise<Plan>;
  applied(options?: Partial<ApplyFlags>): Promise<Ended>;
  change(file: string, text: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** The entries of the type `service`. */
  entries(): Promise<readonly LiveEntry[]>;
  /** Makes an entry of the type `service` past the program. */
  makeByHand(name: string, more?: object): Promise<void>;
}

/** Opens a world with the files before each test, and returns what tests do in it. */
export function useCatalogWorld(): CatalogWorld {
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

  return {
    get world(): World {
      return world;
    },
    planned,
    applied,
    change,
    remove,
    entries,
    makeByHand,
  };
}
