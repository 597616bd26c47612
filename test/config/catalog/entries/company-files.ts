/** The files of a random company as people and programs write them, and mistakes in them at known places. */

import { stringify } from "yaml";
import type { App, Company } from "./company.ts";
import { Dice, slugOf } from "./dice.ts";

/** Texts by path from the root. */
type Files = Readonly<Record<string, string>>;

/** Members of a file. */
type Members = Readonly<Record<string, unknown>>;

type Format = "yaml" | "json" | "toml";

const FORMATS = ["yaml", "json", "toml"] as const;

export function filesOf(company: Company, seed: number): Files {
  const files: Record<string, string> = {
    "incidentctl.yaml": "version: 1\nconfig: [config]\nlimits: { max_removals: 100% }\n",
    "config/catalog.yaml": configurationOf(company, new Dice(seed)),
    "inventory.csv": inventoryOf(company, new Dice(seed)),
  };
  for (const app of company.apps) {
    if (app.at === "inventory") continue;
    // An app is written alike when others come and go.
    const dice = new Dice(seed + Number(/\d+$/.exec(app.name)?.[0] ?? 0));
    const format = dice.one(FORMATS);
    files[`teams/${app.team}/${slugOf(app.name)}/service.${format}`] = written(format, membersOf(app, dice), dice);
  }
  return files;
}

/** Values as some people write them: one text for a list of one, a number for its digits. */
function membersOf(app: App, dice: Dice): Members {
  const { name, aliases, externalId, environments, description, level, size, isPublic, partner } = app;
  const one = (list: readonly string[]) => (list.length === 1 && dice.rarely(2) ? list[0] : list);
  const blank = (text: string) => (dice.rarely(4) ? `  ${text} ` : text);
  const digits = (text: string) => (/^[1-9]\d*$/.test(text) && dice.rarely(2) ? Number(text) : text);
  const partnerText =
    app.at === "both" || partner === undefined ? partner : dice.one([partner, slugOf(partner), partner.toUpperCase()]);
  const members = {
    component_name: blank(name),
    aliases:
      aliases.length === 0 ? dice.one([undefined, [], ""]) : one([...aliases, ...(dice.rarely(4) ? aliases : [])]),
    external_id: externalId === undefined ? undefined : digits(externalId),
    environment: environments.length === 0 ? dice.one([undefined, []]) : one(environments),
    description: description === undefined ? dice.one([undefined, "", "  "]) : blank(description),
    level: level === undefined ? undefined : digits(level),
    size: size === undefined ? undefined : dice.one<unknown>([size, String(size)]),
    public:
      isPublic === undefined
        ? undefined
        : dice.one<unknown>([isPublic, isPublic ? "yes" : "No", String(isPublic).toUpperCase()]),
    partner: partnerText,
    on_call: { slack: "#x", hours: [8, 17] },
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function written(format: Format, members: Members, dice: Dice): string {
  const text = textIn(format, members, dice);
  const ended = dice.rarely(4) ? text.replaceAll("\n", "\r\n") : text;
  return dice.rarely(5) ? `\uFEFF${ended}` : ended;
}

function textIn(format: Format, members: Members, dice: Dice): string {
  if (format === "json") return `${JSON.stringify(members, null, dice.one([0, 2]))}${dice.one(["", "\n"])}`;
  if (format === "toml") return `${dice.one(["", "# By hand\n\n"])}${tomlOf(members, dice)}`;
  const type = dice.one(["PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"] as const);
  const lead = dice.one(["", "---\n", "# Generated. Do not edit.\n---\n"]);
  return `${lead}${stringify(members, { defaultStringType: type, indentSeq: dice.rarely(2), defaultKeyType: "PLAIN" })}`;
}

/** A mapping as TOML: pairs, and then tables. */
function tomlOf(members: Members, dice: Dice): string {
  const lines = Object.entries(members).map(([key, value]) => {
    if (typeof value !== "object" || value === null) return `${key} = ${tomlScalar(value, dice)}`;
    if (!Array.isArray(value)) return `\n[${key}]\n${tomlOf(value as Members, dice)}`;
    const items = value.map((item) => tomlScalar(item, dice));
    return dice.rarely(2) || items.length === 0
      ? `${key} = [${items.join(", ")}]`
      : `${key} = [\n  ${items.join(", # next\n  ")},\n]`;
  });
  return `${lines.join("\n")}\n`;
}

function tomlScalar(value: unknown, dice: Dice): string {
  const text = JSON.stringify(value);
  if (typeof value !== "string") return text;
  if (/^[^'\n\t]*$/.test(value) && dice.rarely(2)) return `'${value}'`;
  return dice.rarely(3) ? `""${text}""` : text;
}

const COLUMNS = ["name", "id", "aliases", "description", "owner", "environment", "level", "partner"] as const;

function inventoryOf({ apps, isInventoryWide }: Company, dice: Dice): string {
  const delimiter = dice.one([",", ";", "\t"]);
  const newline = dice.one(["\n", "\r\n"]);
  const cell = (text: string) => (/["\n,;|\t]/.test(text) || dice.rarely(5) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = apps.flatMap((app) => {
    if (app.at === "folder") return [];
    const { name, externalId = "", aliases, description = "", team, environments, level = "", partner = "" } = app;
    const wide = isInventoryWide ? [String(app.size ?? ""), String(app.isPublic ?? "")] : [];
    return [[name, externalId, aliases.join("|"), description, team, environments.join("|"), level, partner, ...wide]];
  });
  const header = [...COLUMNS, ...(isInventoryWide ? ["size", "public"] : [])];
  return [header, ...rows].map((row) => `${row.map(cell).join(delimiter)}${newline}`).join("");
}

function configurationOf({ byHand, isInventoryFirst, isInventoryWide }: Company, dice: Dice): string {
  const folders = FORMATS.map((format) => `teams/*/*/service.${format}`);
  const path = "$split($path, '/')[1]";
  const expressions = (texts: Readonly<Record<string, string>>, isReversed = false) => {
    const named = Object.entries(texts).map(([name, jsonata]) => [name, { jsonata }] as const);
    return Object.fromEntries(isReversed ? named.toReversed() : named);
  };
  const common = { description: "description", level: "level", partner: "partner" };
  const wide = { size: "size", public: "public" };
  const fromFolders = {
    files: folders,
    ...expressions({ slug: "component_name", aliases: "aliases", external_id: "external_id" }),
    attributes: expressions({ ...common, owner: path, runs_in: dice.one(["[environment]", "environment[]"]), ...wide }),
  };
  const fromInventory = {
    files: "inventory.csv",
    ...expressions({ slug: "name", aliases: "$split(aliases, '|')", external_id: "id" }),
    attributes: expressions(
      { ...common, owner: "owner", runs_in: "$split(environment, '|')", ...(isInventoryWide ? wide : {}) },
      dice.rarely(2),
    ),
  };
  const catalog_types = [
    {
      slug: "squad",
      name: "Squad",
      entries_from: [
        { files: folders, ...expressions({ slug: path }) },
        { files: "inventory.csv", ...expressions({ slug: "owner" }) },
      ],
      entries: [{ slug: "core_infra", name: "Core Infra", aliases: ["infra"] }],
    },
    {
      slug: "place",
      name: "Place",
      entries_from: { files: folders, ...expressions({ documents: "[environment]", slug: "$" }) },
    },
    {
      slug: "app",
      name: "App",
      attributes: [
        { name: "Description", attribute_type: "text" },
        { name: "Owner", attribute_type: "reference", reference_type: "squad" },
        { name: "Level", attribute_type: "select", options: ["gold", "silver", "3"] },
        { name: "Size", attribute_type: "number" },
        { name: "Public", attribute_type: "boolean" },
        { name: "Runs in", attribute_type: "list" },
        { name: "Partner", attribute_type: "reference", reference_type: "app" },
      ],
      entries_from: isInventoryFirst ? [fromInventory, fromFolders] : [fromFolders, fromInventory],
      entries: byHand,
    },
  ];
  return stringify({ catalog_types });
}

/** Files with a mistake, and the places where an error about it may be. */
export interface Mistake {
  readonly files: Files;
  readonly places: readonly string[];
}

/** The text that a mistake is found by. */
const MARK = "qqqq";

/** Other members of a file. */
const MEMBERS: Readonly<Record<string, Members>> = {
  "a level that is no option": { component_name: "Wrong", level: MARK },
  "a size that is no number": { component_name: "Wrong", size: MARK },
  "a partner that does not exist": { component_name: "Wrong", partner: MARK },
  "a token": { component_name: "Wrong", description: `glpat-${MARK}${"x1Y2".repeat(4)}` },
  "a document without a name": { note: MARK },
  "a name that is a list": { note: MARK, component_name: ["a", "b"] },
};

/** A line behind the first one of the members. */
const LINES: Readonly<Record<string, Readonly<Record<Format, string>>>> = {
  "a syntax error": { yaml: `bad: "a" ${MARK}`, json: `${MARK},`, toml: `bad = ${MARK}` },
  "a key twice": { yaml: `note: ${MARK}`, json: `"note": "${MARK}",`, toml: `note = "${MARK}"` },
};

/** The first cells of a row of the inventory, and how many there are more than columns. */
const ROWS: Readonly<Record<string, { readonly cells: readonly string[]; readonly more: number }>> = {
  "a row with too many cells": { cells: [MARK], more: 1 },
  "a row without a name": { cells: ["", MARK], more: 0 },
};

/** All kinds of mistakes. */
export const MISTAKES: readonly string[] = [...Object.keys({ ...MEMBERS, ...LINES, ...ROWS }), "two apps of one slug"];

/** The files of a company with one mistake more. */
export function mistakeIn(files: Files, what: string, seed: number): Mistake {
  const dice = new Dice(seed);
  const [format, another] = [dice.one(FORMATS), dice.one(FORMATS)];
  const file = `teams/sre/wrong/service.${format}`;
  const planted: Record<string, string> = {};
  const inventory = files["inventory.csv"] ?? "";
  if (MEMBERS[what] !== undefined) planted[file] = plain(format, MEMBERS[what]);
  else if (LINES[what] !== undefined) {
    const lines = plain(format, { note: "first", component_name: "Wrong" }).split("\n");
    planted[file] = lines.toSpliced(1, 0, LINES[what][format]).join("\n");
  } else if (ROWS[what] !== undefined) {
    const delimiter = /^"?name"?(.)/.exec(inventory)?.[1] ?? ",";
    const [header = ""] = inventory.split("\n");
    const { cells, more } = ROWS[what];
    const empty = Array.from({ length: header.split(delimiter).length + more - cells.length - 1 }, () => "");
    planted["inventory.csv"] = `${inventory}${[...cells, ...empty, "x"].join(delimiter)}\n`;
  } else {
    planted[file] = plain(format, { component_name: `wrong ${MARK}` });
    planted[`teams/sre/also/service.${another}`] = plain(another, { component_name: `Wrong-${MARK}`, level: "gold" });
  }
  const places = Object.entries(planted).map(([path, text]) => {
    const before = text.slice(0, text.indexOf(MARK));
    return `${path}:${before.split("\n").length}`;
  });
  return { files: { ...files, ...planted }, places };
}

/** Members in the simplest style of a format. An object of JSON begins in the line of its first member, as in the other formats. */
function plain(format: Format, members: Members): string {
  if (format === "yaml") return stringify(members);
  if (format === "toml") return tomlOf(members, new Dice(0));
  const lines = JSON.stringify(members, null, 2).split("\n");
  return [`{${lines[1] ?? ""}`, ...lines.slice(2), ""].join("\n");
}
