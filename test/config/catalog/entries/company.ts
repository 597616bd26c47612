/**
 * A random company with a small file for each of its apps, an inventory of some of them, and entries by hand; and the entries that these
 * should make, computed without the program.
 */

import { Dice, slugOf } from "./dice.ts";

/** An app as people think of it. */
export interface App {
  readonly name: string;
  readonly team: string;
  readonly aliases: readonly string[];
  readonly externalId?: string;
  readonly environments: readonly string[];
  readonly description?: string;
  readonly level?: "gold" | "Silver" | "3";
  readonly size?: number;
  readonly isPublic?: boolean;
  /** The name of another app. */
  readonly partner?: string;
  /** Whether its folder has a file, the inventory a row, or both. */
  readonly at: "folder" | "inventory" | "both";
}

/** An entry of an app, written by hand. Its values win. */
export interface EntryByHand {
  readonly slug: string;
  readonly name?: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Apps, and what the configuration says of them. */
export interface Company {
  readonly apps: readonly App[];
  readonly byHand: readonly EntryByHand[];
  /** Whether the inventory is the first source. */
  readonly isInventoryFirst: boolean;
  /** Whether the inventory has the columns of size and public. */
  readonly isInventoryWide: boolean;
}

/** An entry that the files should make. */
export interface Entry {
  readonly name: string;
  readonly externalId: string;
  readonly aliases: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

const WORDS = [
  "Checkout",
  "search",
  "E-Mail",
  "ledger & co",
  "Cart",
  "Fraud: «x»",
  "géo",
  "Straße",
  "a/b",
  "#1",
] as const;
const TEAMS = ["payments", "core-infra", "Data_Platform", "sre"] as const;
const PLACES = ["production", "staging", "Dev 2"] as const;

/** A company with so many apps. */
export function companyOf(seed: number, size: number): Company {
  const dice = new Dice(seed);
  const isInventoryWide = dice.rarely(2);
  const names = Array.from(
    { length: size },
    (_, index) => `${dice.one(WORDS)} ${dice.one(["API", "worker", "v2"])} ${index}`,
  );
  const apps = names.map((_, index) => randomApp(names, index, isInventoryWide, dice));
  const byHand = apps.slice(1).flatMap(({ name }) => (dice.rarely(5) ? [randomByHand(slugOf(name), dice)] : []));
  if (dice.rarely(2)) byHand.push({ slug: "by_hand_alone", name: "Nobody's file", attributes: { size: 1 } });
  return { apps, byHand, isInventoryFirst: dice.rarely(2), isInventoryWide };
}

function randomApp(names: readonly string[], index: number, isInventoryWide: boolean, dice: Dice): App {
  const name = names[index] ?? "";
  const at = dice.one<App["at"]>(["folder", "folder", "inventory", "both"]);
  const hasAll = at === "folder" || isInventoryWide;
  const description = dice.one([
    undefined,
    "plain",
    'Two\nlines: with # and "quotes" \\ and \t tab',
    "日本語, ok; x | y",
    "yes",
    "0042",
  ]);
  const level = dice.one([undefined, "gold" as const, "Silver" as const, "3" as const]);
  const size = hasAll ? dice.one([undefined, 0, 3, 2.5, -1]) : undefined;
  const isPublic = hasAll ? dice.one([undefined, true, false]) : undefined;
  const partner = dice.one([undefined, undefined, names[dice.below(names.length)]]);
  const externalId = dice.one([undefined, `SVC-${index}`, String(1000 + index)]);
  return {
    name,
    team: dice.one(TEAMS),
    aliases: dice.one([[], [`app-${index}`], [`app-${index}`, `Old: ${index}`]]),
    environments: PLACES.filter(() => dice.rarely(2)),
    at,
    ...(description === undefined ? {} : { description }),
    ...(level === undefined ? {} : { level }),
    ...(size === undefined ? {} : { size }),
    ...(isPublic === undefined ? {} : { isPublic }),
    ...(partner === undefined ? {} : { partner }),
    ...(externalId === undefined ? {} : { externalId }),
  };
}

function randomByHand(slug: string, dice: Dice): EntryByHand {
  return {
    slug,
    ...(dice.rarely(2) ? { name: `By hand: ${slug}` } : {}),
    attributes: {
      ...(dice.rarely(2) ? { description: "By hand" } : {}),
      ...(dice.rarely(2) ? { size: 77 } : {}),
      ...(dice.rarely(3) ? { level: "3" } : {}),
      ...(dice.rarely(4) ? { owner: "infra" } : {}),
    },
  };
}

/** The company some time later: some apps are gone, new or changed, and some entries by hand are gone. */
export function later({ apps, byHand, ...rest }: Company, seed: number): Company {
  const dice = new Dice(seed);
  const fixed = new Set(byHand.map(({ slug }) => slug));
  const remaining = apps.filter(({ name }) => fixed.has(slugOf(name)) || !dice.rarely(5));
  const names = new Set(remaining.map(({ name }) => name));
  const changed = remaining.map((app): App => {
    const { partner, ...others } = app;
    const known = partner !== undefined && names.has(partner) ? { partner } : {};
    const change = dice.one([
      {},
      {},
      { description: "Changed" },
      { level: "gold" as const },
      { environments: ["production"] },
    ]);
    return { ...others, ...known, ...change };
  });
  const added: App = { name: "Brand new", team: "new-team", aliases: [], environments: ["moon"], at: "folder" };
  return {
    apps: dice.rarely(2) ? [...changed, added] : changed,
    byHand: byHand.filter(() => !dice.rarely(4)),
    ...rest,
  };
}

/** The entries that the files of the company should make, by type and slug. */
export function entriesOf({ apps, byHand, isInventoryWide }: Company): Readonly<Record<string, Entry>> {
  const plain = (name: string): Entry => ({ name, externalId: name, aliases: [], attributes: {} });
  const entries: Record<string, Entry> = {};
  for (const { team } of apps) entries[`squad/${slugOf(team)}`] = plain(team);
  entries["squad/core_infra"] = { name: "Core Infra", externalId: "core_infra", aliases: ["infra"], attributes: {} };
  if (apps.some(({ team }) => team === "core-infra")) {
    entries["squad/core_infra"] = { ...entries["squad/core_infra"], externalId: "core-infra" };
  }
  for (const { environments, at } of apps) {
    if (at !== "inventory") for (const name of environments) entries[`place/${slugOf(name)}`] = plain(name);
  }
  for (const app of apps) {
    const hasAll = app.at !== "inventory" || isInventoryWide;
    entries[`app/${slugOf(app.name)}`] = {
      name: app.name,
      externalId: app.externalId ?? app.name,
      aliases: app.aliases,
      attributes: {
        description: app.description ?? null,
        owner: slugOf(app.team),
        level: app.level?.toLowerCase() ?? null,
        runs_in: app.environments.length === 0 ? null : app.environments,
        partner: app.partner === undefined ? null : slugOf(app.partner),
        ...(hasAll ? { size: app.size ?? null, public: app.isPublic ?? null } : {}),
      },
    };
  }
  for (const { slug, name, attributes } of byHand) {
    const made = entries[`app/${slug}`];
    const over = "owner" in attributes ? { ...attributes, owner: "core_infra" } : attributes;
    entries[`app/${slug}`] = {
      name: name ?? made?.name ?? "",
      externalId: made?.externalId ?? slug,
      aliases: made?.aliases ?? [],
      attributes: { ...made?.attributes, ...over },
    };
  }
  return entries;
}
