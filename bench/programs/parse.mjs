/**
 * The minimum work on other files: reads and parses each one. The difference to `validate` is the cost of the program.
 *
 *   node bench/programs/parse.mjs FOLDER    a folder of folders that have a `catalog-info.yaml`
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";

const [folder] = process.argv.slice(2);
let documents = 0;
for (const name of readdirSync(folder)) {
  documents += loadAll(readFileSync(join(folder, name, "catalog-info.yaml"), "utf8")).length;
}
console.log(documents);
