/** Performance goals, each with a gate beyond which a change is a regression. */

/** One measured number of a goal. */
export interface Part {
  /** The subject of the number, if the goal has several. */
  readonly of: string;
  readonly goal: number;
  /** Limit of `--guard`. Missing if the number depends on the machine. */
  readonly gate?: number;
  /** The goal is a minimum instead of a maximum. */
  readonly atLeast?: true;
}

/** A goal for one or several numbers. */
export interface Goal {
  readonly id: string;
  /** Description, in Markdown. */
  readonly what: string;
  readonly unit: string;
  /** Digits after the decimal point. */
  readonly digits: number;
  readonly parts: readonly Part[];
  /** It compares with another program, on one version of Node. */
  readonly besidePeer?: true;
}

/** The measurement of a goal. */
export interface Measured {
  readonly id: string;
  /** Numbers in the order of the goal's parts; undefined if it could not be measured. */
  readonly values: readonly (number | undefined)[];
  /** Comparisons or the method, in Markdown. */
  readonly beside?: string;
}

/** Result of a measurement. */
export type Verdict = "met" | "missed" | "red" | "not measured";

const sizes = (goals: readonly number[], gates: readonly number[]): readonly Part[] =>
  ["1k", "10k", "50k"].map((of, at) => ({ of, goal: goals[at] ?? 0, gate: gates[at] ?? 0 }));

/** A goal of numbers with a unit each. */
const mixed = (id: string, what: string, parts: readonly Part[]): Goal => ({ id, what, unit: "", digits: 1, parts });

/** All goals. N is the time of `node -e 0` in the same run. */
export const GOALS: readonly Goal[] = [
  { id: "P1", what: "`incidentctl --version`", unit: "N", digits: 2, parts: [{ of: "", goal: 1.7, gate: 2 }] },
  {
    id: "P2",
    what: "`--help`, `plan --help`",
    unit: "N",
    digits: 2,
    parts: [
      { of: "--help", goal: 1.8, gate: 2.2 },
      { of: "plan --help", goal: 1.8, gate: 2.2 },
    ],
  },
  { id: "P3", what: "`validate` of 20 entries", unit: "N", digits: 2, parts: [{ of: "", goal: 3.8, gate: 5 }] },
  {
    id: "P4",
    what: "`plan` of 20 entries: the service in another process / `--emulator`",
    unit: "N",
    digits: 2,
    parts: [
      { of: "service", goal: 6, gate: 8 },
      { of: "--emulator", goal: 8.8, gate: 11 },
    ],
  },
  {
    id: "P5",
    what: "`plan` of 1k / 10k / 50k entries, time over that of reading the same addresses and doing nothing else",
    unit: "×",
    digits: 2,
    parts: sizes([2, 4.5, 6.5], [2, 6, 8]),
  },
  {
    id: "P6",
    what: "processor time of `plan` at 50k over that at 10k; `validate` of one mapping of 50k keys over one of 10k",
    unit: "×",
    digits: 2,
    parts: [
      { of: "plan", goal: 4.2, gate: 6 },
      { of: "mapping", goal: 4, gate: 6 },
    ],
  },
  {
    id: "P7",
    what: "octoDNS's plan of 10k records, in its recorded time, over `plan` of 10k entries",
    unit: "×",
    digits: 1,
    parts: [{ of: "", goal: 6, gate: 5, atLeast: true }],
    besidePeer: true,
  },
  {
    id: "P8",
    what: "processor time of auth0-deploy-cli's dry run of 10k entries over that of `plan` of 10k",
    unit: "×",
    digits: 1,
    parts: [{ of: "", goal: 24, gate: 15, atLeast: true }],
    besidePeer: true,
  },
  {
    id: "P9",
    what: "requests of `plan` over the addresses that have to be read",
    unit: "×",
    digits: 2,
    parts: [{ of: "", goal: 1, gate: 1 }],
  },
  {
    id: "P10",
    what: "requests of `apply` over those of `plan`, one for each change and the checks that the summary names",
    unit: "×",
    digits: 2,
    parts: [{ of: "", goal: 1.02, gate: 1.05 }],
  },
  {
    id: "P11",
    what: "`apply` of more requests than a minute allows: the time that its limit dictates, over the time taken",
    unit: "×",
    digits: 3,
    parts: [{ of: "", goal: 0.97, gate: 0.9, atLeast: true }],
  },
  {
    id: "P12",
    what: "`apply` of 200 independent entries, each answered after 50 ms: time over requests × delay / 8 in flight",
    unit: "×",
    digits: 2,
    parts: [{ of: "", goal: 1.15, gate: 1.5 }],
  },
  {
    id: "P13",
    what: "peak memory of `plan` at 1k / 10k / 50k entries, one in a hundred changed; and at 10k, all of them new",
    unit: "MiB",
    digits: 0,
    parts: [...sizes([80, 145, 225], [100, 156, 250]), { of: "10k new", goal: 165, gate: 188 }],
  },
  mixed("P14", "what an installation adds: packages / MB / install scripts / seconds of a cold installation", [
    { of: "packages", goal: 10, gate: 15 },
    { of: "MB", goal: 12, gate: 14 },
    { of: "scripts", goal: 0, gate: 1 },
    { of: "seconds", goal: 3 },
  ]),
  mixed(
    "P15",
    "emulator: start to first answer in N; seconds of processor to take over 10k entries; simple requests of 50 clients a second, and the milliseconds that 99 of 100 take at most; after 50,000 writes, the size of the files over that of the database after a stop",
    [
      { of: "N", goal: 5, gate: 8 },
      { of: "seconds", goal: 0.5 },
      { of: "requests", goal: 5000, atLeast: true },
      { of: "ms", goal: 50 },
      { of: "size", goal: 3, gate: 3 },
    ],
  ),
  {
    id: "P16",
    what: "time over straight-line growth: a mapping of 50k keys, 5,000 lines that all differ; and what an alias bomb and 100 lists within each other take longer than a sound file, in N",
    unit: "",
    digits: 2,
    parts: [
      { of: "keys", goal: 2, gate: 2 },
      { of: "lines", goal: 2, gate: 2 },
      { of: "bomb", goal: 3.3, gate: 3.3 },
      { of: "deep", goal: 3.3, gate: 3.3 },
    ],
  },
  {
    id: "P17",
    what: "emulator: processor time of a request to 100,000 incidents over that to 1,000: the first page, the slowest filter with its total, a declaration",
    unit: "×",
    digits: 2,
    parts: [
      { of: "page", goal: 2, gate: 3 },
      { of: "filter", goal: 2, gate: 3 },
      { of: "declaration", goal: 2, gate: 3 },
    ],
  },
  mixed(
    "P18",
    "`validate` of 10,000 files of Backstage that make entries: time over that of reading and parsing them, and peak memory in MiB",
    [
      { of: "×", goal: 2 },
      { of: "MiB", goal: 250 },
    ],
  ),
  mixed(
    "P20",
    "what a base of git adds to `plan`: of 20 resources in N, and of 10,000 with ten changed files in percent",
    [
      { of: "N", goal: 1.2 },
      { of: "%", goal: 15 },
    ],
  ),
  mixed("P21", "`test --alerts` of 100,000 recorded alerts with 200 rules: seconds, and peak memory in MiB", [
    { of: "seconds", goal: 5 },
    { of: "MiB", goal: 200, gate: 250 },
  ]),
];

/** The goal with this id. */
export function goalOf(id: string): Goal {
  const goal = GOALS.find((candidate) => candidate.id === id);
  if (goal === undefined) throw new Error(`there is no goal ${id}`);
  return goal;
}

/** The result of the worst part. */
export function verdictOf({ id, values }: Measured): Verdict {
  const verdicts = goalOf(id).parts.map((part, at): Verdict => {
    const value = values[at];
    if (value === undefined) return "not measured";
    const within = (limit: number): boolean => (part.atLeast === true ? value >= limit : value <= limit);
    if (part.gate !== undefined && !within(part.gate)) return "red";
    return within(part.goal) ? "met" : "missed";
  });
  return (["red", "missed", "not measured"] as const).find((verdict) => verdicts.includes(verdict)) ?? "met";
}
