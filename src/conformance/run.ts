/** The program behind `npm run conformance`: the conformance command with this process's arguments, streams and exit status. */

import { conformanceCommand } from "./command.ts";

process.exitCode = await conformanceCommand(process.argv.slice(2), {
  env: process.env,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
});
