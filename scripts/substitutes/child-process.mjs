/** `node:child_process`, loaded when something is started: commander imports it, and it takes a tenth of the time of an empty Node. */

export const spawn = (...args) => process.getBuiltinModule("node:child_process").spawn(...args);
export const spawnSync = (...args) => process.getBuiltinModule("node:child_process").spawnSync(...args);
