// Prints the bill of materials of what users install, in CycloneDX's form. npm writes it; left to itself it leaves out what a
// development tool needs too, so it is shown the package without those.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
const { devDependencies: _tools, ...manifest } = read("package.json");
const lock = read("package-lock.json");
const { devDependencies: _locked, ...own } = lock.packages[""];
const shipped = Object.entries(lock.packages).filter(([place, { dev }]) => place !== "" && dev !== true);

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
