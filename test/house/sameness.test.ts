import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../src", import.meta.url));

/** The rooms that meet declared and live values. */
const ROOMS = ["workspace", "plan", "run", "app", "preview"];

/** The files there that compare exactly, with what they compare: no declared value with a live one. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "app/pull/desired-files.ts": "a declared value with the one that pull writes, which has the stored form",
  "app/pull/editable-part.ts": "two values of a file",
  "app/pull/preserve-spelling.ts": "items whose spelling pull keeps, before their meaning is asked",
  "app/rehearse/differences.ts": "the workspace with its replica",
  "plan/checks/underived.ts": "two requests",
  "plan/make/compare-configurations.ts": "two configurations",
  "plan/ranked/draft.ts": "whether nothing at all differs, which spares everything else",
  "run/exchange/verify-response.ts": "fingerprints, and which answers must be recorded",
  "run/recover/duplicate-create.ts": "the ids of two rows",
  "run/recover/resolve.ts": "fingerprints of two answers",
};

/** What compares values: deep equality, its relatives, an equality of a field taken by itself. */
const COMPARES =
  /import \{[^}]*\b(?:equal|isDeepStrictEqual|equalTexts|equalSets|equalColors|equalInstants|sameness)\b[^}]*\} from|\.equals\?\.\((?!null, ""\))|\.equals \?\?/;

test("declared and live values are compared by one function only", () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { withFileTypes: true, recursive: true }).filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name),
    ),
  ).map((entry) => join(entry.parentPath, entry.name));
  const comparing = files.filter((file) => COMPARES.test(readFileSync(file, "utf8")));
  expect(comparing.map((file) => relative(root, file)).sort()).toEqual(Object.keys(EXCEPTIONS));
});
