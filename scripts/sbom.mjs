/**
 * Prints the bill of materials in the format of CycloneDX: the packages that are installed with this one, and those in the bundle, which
 * has to be built first. npm makes it from a copy of the manifest that has them as its dependencies, and no development tools.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
const { devDependencies: _tools, ...manifest } = read("package.json");
const lock = read("package-lock.json");
const { devDependencies: _locked, ...own } = lock.packages[""];
const bundled = bundledPackages();
const shipped = Object.entries(lock.packages)
  .filter(([place, { dev }]) => place !== "" && (dev !== true || bundled.includes(place)))
  .map(([place, { dev: _dev, dependencies: _dependencies, ...locked }]) => [place, locked]);
const dependencies = shipped.map(([place, { version }]) => [place.replace("node_modules/", ""), version]);
for (const one of [manifest, own]) one.dependencies = Object.fromEntries(dependencies);

/** The places of the packages that are in the bundle. Of ajv only one function is, in the compiled validators. */
function bundledPackages() {
  const licences = readFileSync(new URL("../dist/bundle/licenses.txt", import.meta.url), "utf8");
  const names = licences.split(/^-{80}$/m).map((text) => text.trim().split(" ", 1)[0]);
  return names.filter((name) => name !== "ajv").map((name) => `node_modules/${name}`);
}

const temporary = mkdtempSync(join(tmpdir(), "incidentctl-sbom-"));
try {
  // npm names the package after its folder.
  const folder = join(temporary, manifest.name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ ...lock, packages: { "": own, ...Object.fromEntries(shipped) } }),
  );
  const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--loglevel", "error"];
  execFileSync("npm", words, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
} finally {
  rmSync(temporary, { recursive: true });
}
