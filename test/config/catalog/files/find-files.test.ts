/** Globs inside a repository. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { findFiles } from "../../../../src/config/catalog/files/find-files.ts";
import { DISK } from "../../../../src/config/source/disk.ts";
import { FOREIGN_LIMITS } from "../../../../src/config/source/limits.ts";
import { repositoryRoot } from "../../../../src/config/source/repository.ts";
import { withFiles } from "./reading.ts";

const FILES = {
  "services/api/catalog-info.yaml": "",
  "services/api/skeleton/catalog-info.yaml": "",
  "services/web/catalog-info.yml": "",
  "services/web/node_modules/p/catalog-info.yaml": "",
  "services/.hidden/catalog-info.yaml": "",
  "services/.catalog-info.yaml": "",
  "teams (old)/[a]/teams.csv": "",
  "teams (old)/teams.csv": "",
  "incidents/catalog.yaml": "",
  "incidents/local/one.yaml": "",
};

/** The paths that globs of incidents/catalog.yaml match, and those that match nothing; or the errors. */
function find(root: string, globs: readonly string[], folder = "incidents"): unknown {
  const found = findFiles(globs, { tree: DISK, root, folder: join(root, folder) }, FOREIGN_LIMITS);
  if (!("files" in found)) return found.map(({ code, message }) => `${code} ${message}`);
  const files = found.files.map((path) => relative(root, path));
  return found.unmatched.length === 0 ? files : { files, unmatched: found.unmatched };
}

describe("a glob", () => {
  test.each([
    [["services/*/catalog-info.yaml"], ["services/api/catalog-info.yaml"]],
    [
      ["services/**/catalog-info.{yaml,yml}", "!**/skeleton/**"],
      ["services/api/catalog-info.yaml", "services/web/catalog-info.yml"],
    ],
    [
      ["!**/skeleton/**", "**/*.y?(a)ml", "services/*/catalog-info.*"],
      { files: ["services/api/catalog-info.yaml", "services/web/catalog-info.yml"], unmatched: ["**/*.y?(a)ml"] },
    ],
    [["./local/*.yaml"], ["incidents/local/one.yaml"]],
    [["../services/**/*.yml"], ["services/web/catalog-info.yml"]],
    [["../**/*.yaml", "!../services/**", "!./catalog.yaml"], ["incidents/local/one.yaml"]],
    [["services/api/catalog-info.yaml"], ["services/api/catalog-info.yaml"]],
    [["teams \\(old\\)/\\[a\\]/*.csv"], ["teams (old)/[a]/teams.csv"]],
    [["services"], { files: [], unmatched: ["services"] }],
    [
      ["nothing/**", "services/web/*", "none.csv", "!**/x/**"],
      { files: ["services/web/catalog-info.yml"], unmatched: ["nothing/**", "none.csv"] },
    ],
  ])("%j matches %j", async (globs, expected) => {
    await withFiles(FILES, (root) => expect(find(root, globs)).toEqual(expected));
  });

  test("that begins at a folder takes the characters of its name as they are", async () => {
    await withFiles(FILES, (root) => {
      expect(find(root, ["./*.csv"], "teams (old)/[a]")).toEqual(["teams (old)/[a]/teams.csv"]);
      expect(find(root, ["../*.csv"], "teams (old)/[a]")).toEqual(["teams (old)/teams.csv"]);
    });
  });

  test.each([
    ["../../other/*.yaml", 'E_GLOB the glob "../../other/*.yaml" leads above the root of the repository'],
    ["!../../other/*.yaml", 'E_GLOB the glob "!../../other/*.yaml" leads above the root of the repository'],
    ["services/../../*.yaml", 'E_GLOB the glob "services/../../*.yaml" has .. in the middle'],
    ["{services,..}/*.yaml", 'E_GLOB the glob "{services,..}/*.yaml" has .. in the middle'],
    ["{../..,services}/*.yaml", 'E_GLOB the glob "{../..,services}/*.yaml" has .. in the middle'],
    ["/etc/*.yaml", 'E_GLOB the glob "/etc/*.yaml" is not a relative path'],
    ["!/etc/*.yaml", 'E_GLOB the glob "!/etc/*.yaml" is not a relative path'],
    ["~/x.yaml", 'E_GLOB the glob "~/x.yaml" is not a relative path'],
    ["C:\\x.yaml", 'E_GLOB the glob "C:\\x.yaml" is not a relative path'],
    ["https://example.org/x.yaml", 'E_GLOB the glob "https://example.org/x.yaml" is not a relative path'],
    ["file:///x.yaml", 'E_GLOB the glob "file:///x.yaml" is not a relative path'],
    [".github/*.yaml", 'E_GLOB the glob ".github/*.yaml" names hidden files'],
    ["services/{.hidden,api}/*.yaml", 'E_GLOB the glob "services/{.hidden,api}/*.yaml" names hidden files'],
    ["", 'E_GLOB the glob "" is empty'],
    ["!", 'E_GLOB the glob "!" is empty'],
    ["!!a", 'E_GLOB the glob "!!a" is empty'],
    ["!a/**", "E_GLOB no glob names a file: each of them excludes files"],
  ])("%s is an error", async (glob, error) => {
    await withFiles(FILES, (root) => expect(find(root, [glob])).toEqual([error]));
  });

  test("never matches a hidden file or a package", async () => {
    await withFiles(FILES, (root) => {
      const found = JSON.stringify(
        find(root, ["**", "**/[.]*/**", "services/[.]hidden/*", "services/*/node_modules/**"]),
      );
      expect(found).not.toMatch(/\/\.|hidden\/c|node_modules\/p/);
      expect(found).toContain("services/api/catalog-info.yaml");
    });
  });

  test("follows no symbolic link, so neither out of the repository nor in a circle", async () => {
    const outside = mkdtempSync(join(tmpdir(), "incidentctl-outside-"));
    writeFileSync(join(outside, "secret.yaml"), "a: 1");
    await withFiles(FILES, (root) => {
      symlinkSync(outside, join(root, "outside"));
      symlinkSync(join(outside, "secret.yaml"), join(root, "services/secret.yaml"));
      symlinkSync(root, join(root, "services/circle"));
      symlinkSync("me", join(root, "services/me"));
      expect(find(root, ["**/secret.yaml", "**/catalog-info.yml"])).toEqual({
        files: ["services/web/catalog-info.yml"],
        unmatched: ["**/secret.yaml"],
      });
      const error = 'E_INCLUDE_ROOT the link "outside" leads outside the repository';
      expect(find(root, ["outside/*.yaml"])).toEqual([error]);
      expect(find(root, ["outside/**"])).toEqual({ files: [], unmatched: ["outside/**"] });
      expect(findFiles(["services/*.yaml", "**/me"], { tree: DISK, root, folder: root }, FOREIGN_LIMITS)).toMatchObject(
        {
          links: ["outside/", "services/me", "services/secret.yaml"],
        },
      );
    });
    rmSync(outside, { recursive: true });
  });

  test("names the links to directories behind which it would match another file", async () => {
    await withFiles({ ...FILES, "more/deep/a.toml": "" }, (root) => {
      const links = (...globs: readonly string[]) =>
        findFiles(globs, { tree: DISK, root, folder: root }, FOREIGN_LIMITS);
      symlinkSync(join(root, "more"), join(root, "services/more"));
      symlinkSync("../more/deep", join(root, "services/deep"));
      symlinkSync("services", join(root, "again"));
      symlinkSync("..", join(root, "more/up"));
      expect(links("services/**/*.toml")).toMatchObject({ files: [], links: ["services/deep/", "services/more/"] });
      expect(links("services/*/*.toml")).toMatchObject({ files: [], links: ["services/deep/"] });
      // All of it is read under its own path, or does not match.
      expect(links("**/*.toml")).toMatchObject({ files: [join(root, "more/deep/a.toml")], links: [] });
      expect(links("services/*.toml", "services/**/*.csv")).toMatchObject({ links: [] });
      // The link is excluded, or named.
      expect(links("services/**/*.toml", "!services/more/**", "!services/deep/**")).toMatchObject({ links: [] });
      expect(links("services/**/*.csv", "services/deep/*.toml")).toMatchObject({
        files: [join(root, "services/deep/a.toml")],
        links: [],
      });
    });
  });

  test("lists not more than a thousand directories behind links", async () => {
    const folders = Array.from({ length: 1100 }, (_, index) => [`a/${index}/b.txt`, ""]);
    await withFiles(Object.fromEntries(folders), (root) => {
      symlinkSync("a", join(root, "link"));
      expect(findFiles(["link*/**/*.toml"], { tree: DISK, root, folder: root }, FOREIGN_LIMITS)).toMatchObject({
        links: ["link/"],
      });
    });
  });

  test("with many stars ends soon", async () => {
    await withFiles({ [`${"a".repeat(120)}.yaml`]: "" }, (root) => {
      const before = performance.now();
      expect(find(root, ["+(+(+(a)))b", "**/**/**/**/**/*.json"])).toMatchObject({ files: [] });
      expect(performance.now() - before).toBeLessThan(2000);
    });
  });

  test("of too many files is an error", async () => {
    await withFiles(FILES, (root) => {
      const found = findFiles(["**/*.{yaml,yml}"], { tree: DISK, root, folder: root }, { files: 3 });
      expect(found).toMatchObject([{ code: "E_TOO_LARGE", message: "the globs match more than 3 files" }]);
    });
  });
});

describe("a directory that cannot be listed", () => {
  test("is an error, because its files would count as removed", async () => {
    await withFiles(FILES, (root) => {
      // The path is longer than the system allows, for root as for everyone.
      const name = "d".repeat(250);
      const start = process.cwd();
      try {
        process.chdir(root);
        for (let level = 0; level < 17; level += 1) {
          mkdirSync(name);
          process.chdir(name);
        }
        symlinkSync(name, join(root, "link"));
        // Behind a link nothing is read, but it is told that something may be there.
        expect(
          findFiles(["**/*.yaml", `!${name}/**`], { tree: DISK, root, folder: root }, FOREIGN_LIMITS),
        ).toMatchObject({
          links: ["link/"],
        });
        expect(findFiles(["**/*.yaml"], { tree: DISK, root, folder: root }, FOREIGN_LIMITS)).toMatchObject([
          {
            code: "E_FILE",
            message: expect.stringMatching(/^the directory "[d/]+" cannot be listed: ENAMETOOLONG$/),
          },
        ]);
      } finally {
        process.chdir(start);
        execFileSync("rm", ["-r", join(root, name), join(root, "link")]);
      }
    });
  });
});

describe("the root of the repository", () => {
  test("is the nearest directory with .git, which can be a file", async () => {
    await withFiles({ ".git/HEAD": "", "a/b/x": "", "sub/.git": "gitdir: ../.git", "sub/c/x": "" }, (root) => {
      expect(repositoryRoot(join(root, "a/b"), DISK)).toBe(root);
      expect(repositoryRoot(join(root, "sub/c"), DISK)).toBe(join(root, "sub"));
      expect(repositoryRoot(root, DISK)).toBe(root);
    });
  });

  test("without one is the directory itself", async () => {
    await withFiles({ "a/x": "" }, (root) => expect(repositoryRoot(join(root, "a"), DISK)).toBe(join(root, "a")));
  });
});
