/** Flags and commands of other programs, with what does the same here. */

const FLAGS: Readonly<Record<string, string>> = {
  "--auto-approve": "--yes answers the prompt; --allow-delete approves deletions",
  "-y": "--yes answers the prompt; --allow-delete approves deletions",
  "--force": "there is no flag for everything; the plan names the approval that it requires",
  "--dry-run": "plan shows the changes and never writes",
  "--prune": "what is not in the files is removed; --allow-delete approves deletions",
  "--refresh-only": "drift shows the differences and never writes",
  "--var-file": "variables of an environment are in incidentctl.yaml; select it with --env",
};

const COMMANDS: Readonly<Record<string, string>> = {
  deploy: "apply",
  sync: "apply",
  push: "apply",
  destroy: "apply --allow-delete, with an empty list for each kind",
  import: "pull",
  export: "pull",
  dump: "pull",
  refresh: "drift",
  preview: "plan",
  lint: "validate",
  state: "refs; there is no state file, since the workspace is the state",
  rollback: "undo",
  serve: "emulator",
};

/** A hint for an error about a flag or a command that another program has: what to use instead. */
export function otherProgramsHint(message: string): string | undefined {
  const [, flag = ""] = /unknown option '(-[^'=]*)/.exec(message) ?? [];
  const [, command = ""] = /unknown command '([^']*)'/.exec(message) ?? [];
  if (Object.hasOwn(FLAGS, flag)) return FLAGS[flag];
  return Object.hasOwn(COMMANDS, command) ? `use ${COMMANDS[command]}` : undefined;
}
