/** The exit codes of each command, as its help tells them. */

/** What a code says of any command that can end with it; docs/exit-codes.md says what to do. */
const MEANINGS: Readonly<Record<number, string>> = {
  0: "done, or nothing to do",
  1: "wrong files, an unreachable service, or a refusal; nothing was written",
  2: "something differs",
  3: "a consent is missing, or an entry is protected; nothing was written",
  4: "some of it is done and some is not, or nobody knows; the journal says which",
  5: "what was decided no longer holds; nothing was written",
  6: "something cannot be seen: no token, or one that may not",
  7: "there are findings",
  64: "the command line is wrong",
  130: "interrupted",
};

type Told = Readonly<Record<number, string>>;

const OFFLINE: readonly number[] = [0, 1, 64];
const ONLINE: readonly number[] = [0, 1, 6, 64, 130];
const WRITING: readonly number[] = [0, 1, 3, 4, 5, 6, 64, 130];

/** The codes of each command, and what they say of it in particular. */
const COMMANDS: Readonly<Record<string, readonly [codes: readonly number[], told: Told]>> = {
  init: [ONLINE, { 1: "a file cannot be written, or the service cannot be read" }],
  validate: [
    [...OFFLINE, 7],
    { 1: "an error in the files", 7: "a finding of the severity of --fail-on, or a worse one" },
  ],
  plan: [[...ONLINE, 2], { 0: "done, with changes or without", 2: "with --detailed-exitcode: there are changes" }],
  show: [OFFLINE, { 1: "the file is no plan, or is damaged" }],
  apply: [
    [...WRITING, 7],
    {
      3: "a consent is missing, an entry is protected, or this may be another workspace; nothing was written",
      7: "with --rehearse: something did not hold; nothing was written",
    },
  ],
  resume: [WRITING, { 5: "the files are not those of the run; nothing was written" }],
  undo: [ONLINE, { 1: "there is no such run, or the service cannot be read" }],
  rehearse: [[...ONLINE, 7], { 7: "something did not hold" }],
  drift: [[...ONLINE, 2], { 2: "something differs that nobody has accepted" }],
  "drift accept": [ONLINE, { 1: "nothing differs there, or the service cannot be read" }],
  pull: [[...ONLINE, 7], { 7: "there are conflicts, and what they are about was left as it is" }],
  refs: [ONLINE, { 1: "there is no such entry, or the service cannot be read" }],
  test: [[...ONLINE, 7], { 7: "a routing test did not pass" }],
  impact: [[...ONLINE, 7], { 7: "with --fail-on-refusals: an incident like a recent one would be refused" }],
  fmt: [[...OFFLINE, 7], { 7: "with --check: a file has another layout" }],
  emulator: [OFFLINE, { 0: "it was stopped", 1: "the port or the database cannot be used" }],
  schema: [[0, 64], {}],
  explain: [OFFLINE, { 1: "an error in the files, or there is no such entry" }],
  doctor: [[...ONLINE, 7], { 7: "something would be in the way" }],
  completion: [[0, 64], {}],
  version: [[0, 64], {}],
};

const NONE: readonly [readonly number[], Told] = [[], {}];

/** The paragraph of a command's help; empty for what is no command. */
export function exitCodeHelp(command: string): string {
  const [codes, told] = COMMANDS[command] ?? NONE;
  const lines = [...codes]
    .sort((one, other) => one - other)
    .map((code) => `  ${String(code).padEnd(4)} ${told[code] ?? MEANINGS[code]}`);
  return lines.length === 0 ? "" : `\nExit codes:\n${lines.join("\n")}\n`;
}
