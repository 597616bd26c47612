/**
 * Prints the bill of materials in the format of CycloneDX: the packages that are installed with this one, and those in the bundle of
 * the program, which has to be built first. npm makes it from a copy of the manifest that has no development tools, since it leaves out
 * packages that a tool needs as well.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
const { devDependencies: tools, ...manifest } = read("package.json");
const lock = read("package-lock.json");
const { devDependencies: _locked, ...own } = lock.packages[""];
const bundled = bundledTools();
const shipped = Object.entries(lock.packages)
  .filter(([place, { dev }]) => place !== "" && (dev !== true || place.replace("node_modules/", "") in bundled))
  .map(([place, { dev: _dev, ...locked }]) => [place, locked]);
for (const one of [manifest, own]) one.dependencies = { ...one.dependencies, ...bundled };

/** The tools that are in the bundle, with their versions. Of ajv only one function is, in the compiled validators. */
function bundledTools() {
  const licences = readFileSync(new URL("../dist/bundle/licenses.txt", import.meta.url), "utf8");
  const named = licences.split(/^-{80}$/m).map((text) => text.trim().split(" ", 1)[0]);
  return Object.fromEntries(Object.entries(tools).filter(([name]) => name !== "ajv" && named.includes(name)));
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
