import { describe, expect, it } from "vitest";
import { withoutKinds } from "../support/without-kinds.ts";
import { MADE } from "./made.ts";
import { type Row, rowsOf } from "./row.ts";
import { CANARY, type Ended, leastTimeOf, run } from "./run.ts";

const FILES = ["text", "structure", "scalars", "fields", "relations", "inclusion", "surroundings"];
const CHAPTERS: Readonly<Record<string, readonly Row[]>> = {
  ...Object.fromEntries(FILES.map((chapter) => [chapter, rowsOf(chapter)])),
  made: MADE,
};

/** A finding's first line: its place, if it has one, and its code. */
const FINDING =
  /^(?:(?<file>[^:]+):(?<line>\d+):(?<column>\d+): )?(?<severity>error|warning|note)\[(?<code>\w+)\]: (?<message>.*)$/;

/** What must appear in no output, however a row ends. */
const SECRETS = new RegExp(`${CANARY}|hush ?hush|hunter2|ff_[0-9A-Za-z]{20}|ghp_a|AKIAA|xoxb-1|glpat-a`);

describe.each(Object.entries(CHAPTERS))("The catalogue of bad input: %s", (chapter, rows) => {
  const told: string[] = [];
  /** What was asked for as JSON as well: one variant of each row for each code. */
  const asked = new Set<string>();

  it.each(rows)("$title", async (row) => {
    const ended = await run(row);
    told.push(retold(row, ended));
    const found = findings(ended.stderr);
    expect({ exit: ended.exit, code: found[0]?.code ?? "" }, ended.stderr).toEqual({ exit: row.exit, code: row.code });
    expectNothingSent(row, ended);
    expectSafe(ended);
    expect(await leastTimeOf(ended, MOST, () => run(row)), "milliseconds of the processor").toBeLessThan(MOST);
    if (row.exit !== 0) expect(ended.stderr).not.toBe("");
    const sort = `${row.title.slice(0, row.title.indexOf(":"))} ${row.code}`;
    if (row.code.startsWith("E_") && !asked.has(sort)) await expectSameForPrograms(row);
    asked.add(sort);
  });

  it("the output of each row is that of the golden file", async () => {
    await expect(told.join("\n")).toMatchFileSnapshot(`golden/${chapter}.txt`);
  });
});

it("the catalogue has 103 rows", () => {
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const wanted = [range(1, 19), range(20, 45), range(50, 62), range(70, 97), range(100, 116)].flat();
  const there = Object.values(CHAPTERS).flatMap((rows) =>
    rows.map(({ title }) => Number(/^B(\d+): /.exec(title)?.[1])),
  );
  expect(wanted).toHaveLength(103);
  expect([...new Set(there)].sort((left, right) => left - right)).toEqual(wanted);
});

it("Object.prototype is unchanged", () => {
  expect(Object.keys(Object.getOwnPropertyDescriptors(Object.prototype)).sort()).toEqual(OWN_PROPERTIES);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const OWN_PROPERTIES = Object.keys(Object.getOwnPropertyDescriptors(Object.prototype)).sort();

/** Milliseconds of the processor for a row. */
const MOST = 4000;

interface Finding {
  readonly code: string;
  readonly place: string;
  readonly message: string;
}

function findings(stderr: string): readonly Finding[] {
  return stderr.split("\n").flatMap((line) => {
    const { file, line: row, column, code = "", message = "" } = FINDING.exec(line)?.groups ?? {};
    if (code === "") return [];
    return [{ code, place: file === undefined ? "" : `${file}:${row}:${column}`, message }];
  });
}

/** A row about the live state may read it; nothing else may be sent, and nothing at all when only the input is wrong. */
function expectNothingSent({ live }: Row, { requests }: Ended): void {
  if (live === true) expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  else expect(requests).toEqual([]);
}

/** No stack, no control characters, no secrets. */
function expectSafe({ stdout, stderr }: Ended): void {
  const output = stdout + stderr;
  expect(output).not.toMatch(/^ +at /m);
  expect(output).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  expect(output).not.toMatch(SECRETS);
}

/** The same findings as JSON and in full. What lies in a live state only a plan can tell, and what is much is not told twice. */
async function expectSameForPrograms(row: Row): Promise<void> {
  const size = Object.values(row.files).reduce((sum, file) => sum + file.length, 0);
  if (row.live === true || size > 20_000 || row.args[0] !== "plan") return;
  const { exit, stdout } = await run(row, ["validate", "--format", "json", ...row.args.slice(1)]);
  const { stderr } = await run(row, [...row.args, "--verbose"]);
  expect(exit).toBe(row.exit);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Record<string, unknown>[] };
  const same = diagnostics.map(({ code, file, line, column }) => ({
    code,
    place: file === undefined ? "" : `${file}:${line}:${column}`,
  }));
  expect(same).toEqual(findings(stderr).map(({ code, place }) => ({ code, place })));
}

/** What a person reads, without the lines of the files, and only the beginning of much. */
function retold({ title, live }: Row, { exit, stdout, stderr }: Ended): string {
  const lines = withoutKinds(stderr)
    .split("\n")
    .filter((line) => line !== "" && !/^ +\d* \|/.test(line));
  const planned = withoutKinds(stdout)
    .split("\n")
    .filter((line) => line !== "");
  if (live === true && exit === 0) lines.push(...planned);
  const shown = lines.slice(0, 8).map((line) => `  ${line.length > 300 ? `${line.slice(0, 300)}…` : line}`);
  const more = lines.length > 8 ? [`  … ${lines.length} lines`] : [];
  return `${[`${title.replaceAll(/[^\P{C}]/gu, "?").slice(0, 120)}: exit ${exit}`, ...shown, ...more].join("\n")}\n`;
}
