/** Open files of the program lack the methods that those of Yarn Plug'n'Play lack (yarn 4.18, `FileHandle` in `.pnp.cjs`). */

const { promises } = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const MISSING = ["createReadStream", "createWriteStream", "datasync", "readLines", "sync", "utimes"];

const { open } = promises;
promises.open = async (...call) => {
  const file = await open(...call);
  for (const name of MISSING) {
    file[name] = () => {
      throw new Error("Method not implemented.");
    };
  }
  return file;
};
syncBuiltinESMExports();
