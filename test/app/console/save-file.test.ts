import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { saveFile } from "../../../src/app/console/save-file.ts";
import { EXIT } from "../../../src/core/exit-codes.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-save-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a file is readable by its owner only, and no temporary file remains", async () => {
  await saveFile("plan.json", "{}\n", folder);
  expect(await readFile(join(folder, "plan.json"), "utf8")).toBe("{}\n");
  expect((await stat(join(folder, "plan.json"))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["plan.json"]);
});

test("a link is replaced instead of followed, and a readable file becomes private", async () => {
  await writeFile(join(folder, "other"), "untouched", { mode: 0o644 });
  await symlink(join(folder, "other"), join(folder, "plan.json"));
  await saveFile("plan.json", "new", folder);
  expect(await readFile(join(folder, "other"), "utf8")).toBe("untouched");
  expect((await stat(join(folder, "plan.json"))).mode & 0o777).toBe(0o600);
});

test("a failed write ends the command and leaves no file", async () => {
  await mkdir(join(folder, "plan.json"));
  await expect(saveFile("plan.json", "new", folder)).rejects.toMatchObject({ exitCode: EXIT.error });
  await expect(saveFile("missing/plan.json", "new", folder)).rejects.toMatchObject({ exitCode: EXIT.error });
  expect(await readdir(folder)).toEqual(["plan.json"]);
});
