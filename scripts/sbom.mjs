// Prints the bill of materials of what users get, in CycloneDX's form: what is installed with the package, and what is in the
// bundle of the program, which has to be built. npm writes it; left to itself it leaves out what a development tool needs too, so
// it is shown the package without those.

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

/** Which tools are a part of the program, with their versions. Of ajv it is one function, in what ajv has made. */
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
