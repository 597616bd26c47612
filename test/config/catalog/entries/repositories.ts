/** Random repositories as companies have them: catalog files of Backstage, and a CSV export, with the entries that they should make. */

import { stringify } from "yaml";
import { Dice, slugOf } from "./dice.ts";

/** A value of an entry by its attribute; references by slug. */
type Values = Readonly<Record<string, string>>;

/** An entry that the files should make. */
export interface Expected {
  readonly name: string;
  readonly externalId: string;
  readonly attributes: Values;
}

/** Files by path from the root, and the entries that they should make, by slug. */
export interface Repository {
  readonly files: Readonly<Record<string, string>>;
  readonly teams: ReadonlyMap<string, Expected>;
  readonly services: ReadonlyMap<string, Expected>;
}

const WORDS = ["checkout", "search", "mail", "ledger", "cart", "fraud", "géo", "identity", "export", "image"] as const;
const KINDS = ["api", "worker", "gateway", "Web", "db-proxy"] as const;

/** A repository of Backstage with so many services. */
export function backstageRepository(seed: number, size: number): Repository {
  const dice = new Dice(seed);
  const files: Record<string, string> = {};
  const teams = new Map<string, Expected>();
  const services = new Map<string, Expected>();
  const names: string[] = [];
  const groups: object[] = [];
  for (let index = 0; index < 2 + Math.ceil(size / 20); index += 1) {
    const name = `${dice.one(["payments", "growth", "core-infra", "data_platform", "sre"])}-${index}`;
    const title = dice.one([undefined, `Team ${index} (${name})`, `Équipe ${index} – «${name}»`]);
    names.push(name);
    teams.set(slugOf(name), { name: title ?? name, externalId: name, attributes: {} });
    groups.push({
      apiVersion: "backstage.io/v1alpha1",
      kind: "Group",
      metadata: { name, ...(dice.rarely(2) ? { namespace: "default" } : {}) },
      spec: { type: "team", children: [], ...(title === undefined ? {} : { profile: { displayName: title } }) },
    });
  }
  files["org/catalog-info.yaml"] = written(groups, dice);
  for (let index = 0; index < size; index += 1) {
    const name = `${dice.one(WORDS)}-${dice.one(KINDS)}-${index}`;
    const team = names[dice.below(names.length)] ?? "";
    const owner = dice.one([
      team,
      `group:default/${team}`,
      `group:${team}`,
      `default/${team}`,
      team.toUpperCase(),
      `Group:Default/${team}`,
      teams.get(slugOf(team))?.name ?? team,
      undefined,
    ]);
    const title = dice.one([undefined, undefined, `${name} ${index}: the “service”`, "  padded  ", 1000 + index]);
    const description = dice.one([
      undefined,
      "",
      `Line one.\nLine two, with \${env:HOME} and # no comment.\n`,
      "日本語 – ok",
      42,
    ]);
    const repository = dice.one([undefined, `acme/${name}`]);
    const component = {
      apiVersion: "backstage.io/v1alpha1",
      kind: "Component",
      metadata: {
        name,
        ...(title === undefined ? {} : { title: title === "  padded  " ? `  padded ${index}  ` : title }),
        ...(description === undefined ? {} : { description }),
        labels: { tier: dice.one([1, "1", 2, "2"]), "acme.com/on": true },
        annotations:
          repository === undefined
            ? {}
            : { "github.com/project-slug": repository, "backstage.io/techdocs-ref": "dir:." },
        tags: ["java", "go"],
        links: [{ url: "https://example.com", title: "Docs" }],
      },
      spec: {
        type: "service",
        lifecycle: dice.one(["production", "experimental"]),
        ...(owner === undefined ? {} : { owner }),
      },
    };
    services.set(slugOf(name), {
      name: title === undefined ? name : title === "  padded  " ? `padded ${index}` : String(title),
      externalId: name,
      attributes: {
        ...(owner === undefined ? {} : { owner_team: slugOf(team) }),
        ...(description === undefined || description === "" ? {} : { description: String(description).trim() }),
        ...(repository === undefined ? {} : { repository }),
      },
    });
    const others = [
      {
        apiVersion: "backstage.io/v1alpha1",
        kind: "API",
        metadata: { name },
        spec: { type: "openapi", definition: "openapi: 3.0.0\npaths: {}\n" },
      },
      {
        apiVersion: "backstage.io/v1alpha1",
        kind: "Component",
        metadata: { name: `${name}-lib` },
        spec: { type: "library", owner },
      },
      {
        kind: "Location",
        metadata: { name: `${name}-more` },
        spec: { targets: ["./more/*.yaml", "https://example.com/x.yaml"] },
      },
      { kind: "Resource", metadata: { name: `${name}-db` }, spec: { type: "database", owner: "group:nobody" } },
      { kind: "System", metadata: { name: "shop" }, spec: { owner: "guests" } },
    ].filter(() => dice.rarely(3));
    const folder = dice.one(["services", "apps/deep/er", "teams/x/y", "mono repo/[old]"]);
    files[`${folder}/${name}/catalog-info.yaml`] = written(
      dice.rarely(2) ? [component, ...others] : [...others, component],
      dice,
    );
  }
  files["templates/new/skeleton/catalog-info.yaml"] =
    `kind: Component\nmetadata:\n  name: \${{ values.name }}\n  {%- if values.x %}\n`;
  files["all/catalog-info.yaml"] =
    "kind: Location\nmetadata:\n  name: all\nspec:\n  targets: [../services/*/catalog-info.yaml]\n";
  return { files, teams, services };
}

/** Documents as people and generators write them. */
function written(documents: readonly object[], dice: Dice): string {
  const texts = documents.map((document) =>
    dice.rarely(6)
      ? `${JSON.stringify(document, null, dice.one([0, 2]))}\n`
      : stringify(document, {
          indentSeq: dice.rarely(2),
          lineWidth: dice.one([0, 80]),
          ...(dice.rarely(2) ? { defaultStringType: "QUOTE_DOUBLE" as const } : {}),
        }),
  );
  const lead = dice.one(["", "---\n", "# Generated. Do not edit.\n---\n", "%YAML 1.2\n---\n"]);
  const text = `${lead}${texts.join(dice.one(["---\n", "--- # next\n", "---\n# owner\n"]))}${dice.one(["", "---\n", "...\n"])}`;
  const ended = dice.rarely(4) ? text.replaceAll("\n", "\r\n") : text;
  return dice.rarely(5) ? `\uFEFF${ended}` : ended;
}

/** A CSV export with so many services, and their teams. */
export function csvRepository(seed: number, size: number): Repository {
  const dice = new Dice(seed);
  const delimiter = dice.one([",", ";", "\t", "|"]);
  const teams = new Map<string, Expected>();
  const services = new Map<string, Expected>();
  const rows: string[][] = [["name", "description", "owner", "Cost Centre (€)"]];
  const people: string[][] = [["name"]];
  for (let index = 0; index < 1 + size / 20; index += 1) {
    const name = `Team ${index}${dice.one([", Inc.", "; x", ' "quoted"', ""])}`;
    teams.set(slugOf(name), { name, externalId: name, attributes: {} });
    people.push([name]);
  }
  const slugs = [...teams.keys()];
  for (let index = 0; index < size; index += 1) {
    const name = `${dice.one(WORDS)} ${dice.one(KINDS)} ${index}`;
    const description = dice.one(["", "plain", "with, comma; semicolon | pipe", 'says "hi"', "two\nlines", " blanks "]);
    const team = slugs[dice.below(slugs.length)] ?? "";
    const title = teams.get(team)?.name ?? "";
    const owner = dice.one(["", title, team, title.toUpperCase()]);
    rows.push([dice.one([name, ` ${name} `]), description, owner, dice.one(["", "0042", "=1+1"])]);
    services.set(slugOf(name), {
      name,
      externalId: name,
      attributes: {
        ...(description === "" ? {} : { description: description.trim() }),
        ...(owner === "" ? {} : { owner_team: team }),
      },
    });
  }
  const newline = dice.one(["\n", "\r\n"]);
  const cell = (text: string) => (/["\n,;|\t]/.test(text) || dice.rarely(5) ? `"${text.replaceAll('"', '""')}"` : text);
  const table = (lines: readonly string[][]) =>
    `${dice.rarely(2) ? "\uFEFF" : ""}${lines.map((row) => row.map(cell).join(delimiter)).join(newline)}${dice.one(["", newline, newline + newline])}`;
  return { files: { "services.csv": table(rows), "teams.csv": table(people) }, teams, services };
}
