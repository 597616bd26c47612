/** The lock file against what `npm ci` asks of it: every package that a locked package names is itself locked. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

test("every optional package of a locked one is locked too, so that npm ci accepts the lock on any machine", () => {
  const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});
