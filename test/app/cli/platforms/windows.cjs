/**
 * The file system behaves as on Windows: folders cannot be synced, modes tell only whether a file can be written, and symbolic links need a
 * privilege.
 */

const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const [FILE, FOLDER] = [0o100666, 0o040666];

Object.defineProperty(process, "platform", { value: "win32" });
process.getuid = undefined;

const notPermitted = () => Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" });

const { fsync, fstatSync } = fs;
fs.fsync = (fd, done) => (fstatSync(fd).isDirectory() ? done(notPermitted()) : fsync(fd, done));
fs.promises.symlink = () => Promise.reject(notPermitted());

const withModes = (stats) => {
  if (stats !== undefined) stats.mode = stats.isDirectory() ? FOLDER : FILE;
  return stats;
};
for (const name of ["lstat", "stat"]) {
  const original = fs.promises[name];
  fs.promises[name] = async (...call) => withModes(await original(...call));
}
const { open } = fs.promises;
fs.promises.open = async (...call) => {
  const file = await open(...call);
  const { stat } = file;
  file.stat = async (...options) => withModes(await stat.apply(file, options));
  file.sync = async () => {
    if ((await stat.call(file)).isDirectory()) throw notPermitted();
  };
  return file;
};
syncBuiltinESMExports();
