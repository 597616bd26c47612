/** The exit codes of each command, for its help. */

/** The meaning of each code for any command; docs/exit-codes.md says what to do. */
const MEANINGS: Readonly<Record<number, string>> = {
  0: "success, or nothing to do",
  1: "invalid files, an unreachable service, or a refusal; nothing was written",
  2: "there are differences",
  3: "an approval is missing, or a resource is protected; nothing was written",
  4: "partly applied, or the result is unknown; the journal says which",
  5: "the plan is no longer valid; nothing was written",
  6: "authentication or permission error",
  7: "there are findings",
  64: "usage error",
  130: "interrupted",
};

type Meanings = Readonly<Record<number, string>>;

const OFFLINE: readonly number[] = [0, 1, 64];
const ONLINE: readonly number[] = [0, 1, 6, 64, 130];
const WRITING: readonly number[] = [0, 1, 3, 4, 5, 6, 64, 130];

/** The codes of each command, and the meanings that differ from the general ones. */
const COMMANDS: Readonly<Record<string, readonly [codes: readonly number[], meanings: Meanings]>> = {
  init: [ONLINE, { 1: "a file cannot be written, or the service cannot be read" }],
  validate: [[...OFFLINE, 7], { 1: "an error in the files", 7: "a finding of at least the severity of --fail-on" }],
  plan: [
    [...ONLINE, 2, 3],
    {
      0: "success, with or without changes",
      2: "with --detailed-exitcode: there are changes",
      3: "with --fail-on blocked: apply would refuse the plan",
    },
  ],
  show: [OFFLINE, { 1: "the file is not a plan, or is damaged" }],
  apply: [
    [...WRITING, 7],
    {
      3: "an approval is missing, a resource is protected, or this may be another workspace; nothing was written",
      7: "with --rehearse: a check failed; nothing was written",
    },
  ],
  resume: [WRITING, { 5: "the files or the requests are not those of the run; nothing was written" }],
  undo: [ONLINE, { 1: "there is no such run, or the service cannot be read" }],
  rehearse: [[...ONLINE, 7], { 7: "a check failed" }],
  drift: [[...ONLINE, 2], { 2: "there are differences that are not accepted" }],
  "drift accept": [ONLINE, { 1: "there is no difference at the address, or the service cannot be read" }],
  pull: [[...ONLINE, 7], { 7: "there are conflicts; the values in conflict were not changed" }],
  refs: [ONLINE, { 1: "there is no such resource, or the service cannot be read" }],
  test: [[...ONLINE, 7], { 7: "a routing test failed" }],
  impact: [[...ONLINE, 7], { 7: "with --fail-on-refusals: an incident like a recent one would be refused" }],
  diff: [[...OFFLINE, 2], { 1: "an error in the files", 2: "the configurations differ" }],
  render: [OFFLINE, { 1: "an error in the files" }],
  fmt: [[...OFFLINE, 7], { 7: "with --check: a file is not formatted" }],
  emulator: [OFFLINE, { 0: "stopped", 1: "the port, the database or the seed cannot be used" }],
  "emulator export": [
    [...OFFLINE, 6],
    { 1: "the database or the emulator cannot be read", 6: "INCIDENTCTL_TOKEN or INCIDENTCTL_CONTROL_KEY is missing" },
  ],
  conformance: [
    [...ONLINE, 3, 7],
    {
      1: "the service cannot be reached, or a report cannot be written",
      3: "--disposable is missing, or names another host; nothing was sent",
      7: "the service does not keep a rule",
    },
  ],
  schema: [[0, 64], {}],
  explain: [OFFLINE, { 1: "an error in the files, or there is no such resource" }],
  doctor: [[...ONLINE, 7], { 7: "there is a problem" }],
  completion: [[0, 64], {}],
  version: [[0, 64], {}],
};

const NONE: readonly [readonly number[], Meanings] = [[], {}];

/** The paragraph of a command's help; empty if there is no such command. */
export function exitCodeHelp(command: string): string {
  const [codes, meanings] = COMMANDS[command] ?? NONE;
  const lines = [...codes]
    .sort((one, other) => one - other)
    .map((code) => `  ${String(code).padEnd(4)} ${meanings[code] ?? MEANINGS[code]}`);
  return lines.length === 0 ? "" : `\nExit codes:\n${lines.join("\n")}\n`;
}
