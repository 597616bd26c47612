/** The presets of `init --catalog` over random repositories: every service and team becomes the entry that it should, and nothing else. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sampleSize } from "../../../support/samples/sample-size.ts";
import { inDirectory, loadDirectory } from "../../loading.ts";
import { backstageRepository, csvRepository, type Expected, type Repository } from "./repositories.ts";

const preset = (name: string) => readFileSync(`templates/catalog/${name}.yaml`, "utf8");

const SETTINGS = "version: 1\nconfig: [config]\n";

const TEAMS_OF_CSV = `  - slug: team
    entries_from:
      files: teams.csv
      name: { jsonata: name }
`;

/** The made entries of a type as the repository states them: without values that are null. */
async function madeOf(repository: Repository, catalog: string): Promise<Readonly<Record<string, Expected>>> {
  const { declared } = await inDirectory(
    { "incidentctl.yaml": SETTINGS, "config/catalog.yaml": catalog, ...repository.files },
    (directory) => loadDirectory(`${directory}/config`),
  );
  const made = declared.filter(({ kind }) => kind.name === "catalog_entries");
  return Object.fromEntries(
    made.map(({ scope, key, fields }) => [
      `${scope}/${key}`,
      {
        name: String(fields.name),
        externalId: String(fields.external_id),
        attributes: Object.fromEntries(
          Object.entries(fields.attributes ?? {}).filter(([, value]) => value !== null),
        ) as Expected["attributes"],
      },
    ]),
  );
}

function expectedOf({ teams, services }: Repository): Readonly<Record<string, Expected>> {
  return Object.fromEntries([
    ...[...teams].map(([slug, team]) => [`team/${slug}`, team] as const),
    ...[...services].map(([slug, service]) => [`service/${slug}`, service] as const),
  ]);
}

const SEEDS = Array.from({ length: sampleSize(90) }, (_, index) => index + 1);

describe("Every service and team of a repository makes its entry", () => {
  test.each(SEEDS)("out of catalog files of Backstage, seed %i", async (seed) => {
    const repository = backstageRepository(seed, 25);
    expect(await madeOf(repository, preset("backstage"))).toEqual(expectedOf(repository));
  });

  test.each(SEEDS)("out of CSV exports, seed %i", async (seed) => {
    const repository = csvRepository(seed, 40);
    // The preset makes teams of the owners, which these files write in several ways.
    const catalog = preset("csv").replace(/ {2}- slug: team\n(?: {4}.*\n)*/, TEAMS_OF_CSV);
    expect(await madeOf(repository, catalog)).toEqual(expectedOf(repository));
  });
});
