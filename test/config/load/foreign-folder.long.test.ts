import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadWithErrors } from "../../../src/config/load/load.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { withFiles } from "../../support/files.ts";

const OWN = { "severities.yaml": "severities:\n  - { slug: major, name: Major }\n" };

/** Files of other programs. */
function foreign(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`deploy/${at}.yaml`, `apiVersion: v${at}\n`]));
}

/** The codes of the errors of a folder with these files. */
function errors(files: Readonly<Record<string, string>>, ...paths: readonly string[]): Promise<readonly string[]> {
  return withFiles(files, async (folder) => {
    const { error } = await loadWithErrors(
      paths.map((path) => join(folder, path)),
      { kinds, env: {}, cwd: folder },
    );
    return error?.diagnostics.map(({ code, message }) => `${code} ${message}`) ?? [];
  });
}

describe("a directory without settings", () => {
  test("with many files of other programs is one error, and none of them is parsed", async () => {
    expect(await errors({ ...OWN, ...foreign(2000), "deploy/broken.yaml": "a: [\n" })).toEqual([
      "E_SETTINGS 2001 of 2002 YAML files in this directory declare nothing, and no incidentctl.yaml says which of them are the configuration",
    ]);
  });

  test("with a few files that declare nothing has an error for each: they may be mistakes", async () => {
    expect((await errors({ ...OWN, ...foreign(3) })).length).toBe(3);
  });

  test.each([
    ["on the command line", { ...OWN, ...foreign(100) }, ["severities.yaml"]],
    [
      "in the settings",
      {
        ...foreign(100),
        "incidentctl.yaml": "version: 1\nconfig: [config]\n",
        "config/a.yaml": OWN["severities.yaml"],
      },
      [],
    ],
  ] as const)("is no matter if the files are named %s", async (_, files, paths) => {
    expect(await errors(files, ...paths)).toEqual([]);
  });
});
