/** Flags and commands of other programs, with what does the same here. */

/** By flag; one with one hyphen as with two. */
export const FLAG_HINTS: Readonly<Record<string, string>> = {
  "--auto-approve": "--yes answers the prompt; --allow-delete approves deletions",
  "-y": "--yes answers the prompt; --allow-delete approves deletions",
  "-f": "name files and directories without a flag: plan config",
  "--file": "name files and directories without a flag: plan config",
  "--filename": "name files and directories without a flag: plan config",
  "--config": "name files and directories without a flag: plan config",
  "--json": "--format json prints JSON",
  "-o": "--format json prints JSON; plan --out FILE saves the plan",
  "-out": "--format json prints JSON; plan --out FILE saves the plan",
  "--output": "--format json prints JSON; plan --out FILE saves the plan",
  "--environment": "--env selects an environment",
  "--workspace": "--env selects an environment",
  "--debug": "--verbose prints each request",
  "--force": "there is no flag for everything; the plan names the approval that it requires",
  "--dry-run": "plan shows the changes and never writes",
  "--prune": "what is not in the files is removed; --allow-delete approves deletions",
  "--refresh-only": "drift shows the differences and never writes",
  "--destroy": "an empty list for each kind removes all of it; --allow-delete approves that",
  "--replace": "there is no replacement; a resource is changed in place",
  "--upgrade": "there are no plugins to fetch",
  "--reconfigure": "the settings are in incidentctl.yaml; change them there",
  "--backend-config": "there is no state, and so no place to store it",
  "--lock": "plan takes no lock; of two runs of apply, --lock-timeout has one wait for the other",
  "--input": "nothing is asked but for approval, which --yes answers",
  "--var-file": "variables of an environment are in incidentctl.yaml; select it with --env",
};

/** By command: what follows "use". */
export const COMMAND_HINTS: Readonly<Record<string, string>> = {
  deploy: "apply",
  sync: "apply",
  push: "apply",
  destroy: "apply --allow-delete, with an empty list for each kind",
  import: "pull",
  export: "pull",
  dump: "pull",
  refresh: "drift",
  taint: "rotate for another token; every other resource is changed in place, and never made again",
  untaint: "plan: nothing is marked to be made again",
  output: "get KIND or get ADDRESS, with --format json",
  revoke: "rotate ADDRESS --revoke",
  graph: "refs ADDRESS",
  providers: "explain: the kinds of resources are built in",
  console: "explain --origin ADDRESS for where a value comes from",
  mv: "plan, after you have written renamed_from in the file: it keeps the resource under its new name",
  preview: "plan",
  lint: "validate",
  state: "get; there is no state file, since the workspace is the state",
  rollback: "undo",
  serve: "emulator",
  check: "validate",
  verify: "validate",
  format: "fmt",
  status: "drift",
  list: "get, get KIND or get ADDRESS",
  ls: "get, get KIND or get ADDRESS",
  describe: "get ADDRESS for a resource, or explain KIND for a kind",
  create: "apply, after you have added the resource to the files",
  add: "apply, after you have added the resource to the files",
  edit: "apply, after you have changed the resource in the files",
  delete: "apply --allow-delete, after you have removed the resource from the files",
  remove: "apply --allow-delete, after you have removed the resource from the files",
  rm: "apply --allow-delete, after you have removed the resource from the files",
  workspace: "--env with a command: it selects an environment of incidentctl.yaml",
  env: "--env with a command: it selects an environment of incidentctl.yaml",
  login: "doctor, after you have set INCIDENTCTL_TOKEN",
  unlock: "resume, which finishes an interrupted run; the message about a lock names the file to remove",
  "force-unlock": "resume, which finishes an interrupted run; the message about a lock names the file to remove",
  auth: "doctor, after you have set INCIDENTCTL_TOKEN",
};

/** A hint for an error about a flag or a command that another program has: what to use instead. */
export function otherProgramsHint(message: string): string | undefined {
  const [, flag = ""] = /unknown option '(-[^'=]*)/.exec(message) ?? [];
  const [, command = ""] = /unknown command '([^']*)'/.exec(message) ?? [];
  for (const spelling of [flag, `-${flag}`]) if (Object.hasOwn(FLAG_HINTS, spelling)) return FLAG_HINTS[spelling];
  return Object.hasOwn(COMMAND_HINTS, command) ? `use ${COMMAND_HINTS[command]}` : undefined;
}

/** A hint for an error about a flag that stands before the command; undefined if the error is another one. */
export function earlyFlagHint(
  message: string,
  args: readonly string[],
  commands: readonly string[],
): string | undefined {
  const [, flag] = /unknown option '(-[^'=]*)/.exec(message) ?? [];
  const at = args.findIndex((argument) => argument.split("=")[0] === flag);
  const command = args.find((argument) => commands.includes(argument));
  if (flag === undefined || at < 0 || command === undefined || args.indexOf(command) < at) return undefined;
  return `flags stand after the command: incidentctl ${command} ${flag} …`;
}
