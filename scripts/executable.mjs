/** Makes the built program executable, which the compiler does not. */

import { chmod } from "node:fs/promises";

await chmod(new URL("../dist/cli.js", import.meta.url), 0o755);
