import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { GOALS, verdictOf } from "../../bench/goals.ts";
import { goalsTable, markdownTable, NODE_VERSIONS, values, withPart, withVersion } from "../../bench/page/page.ts";
import { ceiling, curves, stacks } from "../../bench/page/plot.ts";
import { stagesOf } from "../../bench/stages.ts";
import { median, overLinear } from "../../bench/statistics.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("statistics", () => {
  test.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 2, 3], 2.5],
  ])("the median of %j is %d", (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });

  test("linear growth is 1, and quadratic growth is more", () => {
    expect(overLinear(10, 20, 60, 5)).toBe(1);
    expect(overLinear(10, 20, 260, 5)).toBeCloseTo(260 / 60);
  });

  test("growth from a cost of nothing is relative to the cost of an empty input", () => {
    expect(overLinear(10, 9, 11, 5)).toBeCloseTo(1.1);
  });
});

describe("goals", () => {
  test("every goal is within its gate", () => {
    const beyond = GOALS.flatMap(({ id, parts }) => parts.map((part) => ({ id, ...part }))).filter(
      ({ goal, gate = goal, atLeast }) => (atLeast === true ? gate > goal : gate < goal),
    );
    expect(beyond).toEqual([]);
  });

  test.each([
    [[1.5], "met"],
    [[1.9], "missed"],
    [[2.1], "red"],
    [[undefined], "not measured"],
  ])("a version in %j N is %s", (measured, verdict) => {
    expect(verdictOf({ id: "P1", values: measured })).toBe(verdict);
  });

  test("a goal with a minimum is missed below it", () => {
    expect([34, 17, 9].map((value) => verdictOf({ id: "P8", values: [value] }))).toEqual(["met", "missed", "red"]);
  });

  test("the worst part determines the result", () => {
    expect(verdictOf({ id: "P5", values: [1, undefined, 9] })).toBe("red");
    expect(verdictOf({ id: "P5", values: [1, undefined, 3] })).toBe("not measured");
  });
});

describe("the page", () => {
  test("has a part for every recorded result", () => {
    const page = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
    const parts = [...page.matchAll(/<!-- bench: (\w+) -->/g)].map(([, name]) => name).filter((name) => name !== "end");
    expect(parts).toEqual(["machine", "goals", "starts", "plans", "costs", "stages", "versions", "weight", "packages"]);
  });

  test("gets a new part without changes to the others", () => {
    const page = "a\n<!-- bench: one -->\nold\n<!-- bench: end -->\nb\n<!-- bench: two -->\n<!-- bench: end -->\n";
    expect(withPart(page, "one", "new")).toBe(page.replace("old", "new"));
    expect(() => withPart(page, "three", "new")).toThrow("no part for three");
  });

  test("gets the column of a version of Node, with a row for each goal that compares with no other program", () => {
    const before = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
    const after = withVersion(before, "24", [{ id: "P1", values: [1.55] }]);
    const changed = after.split("\n").filter((line) => !before.split("\n").includes(line));
    const table = after.slice(after.indexOf("<!-- bench: versions -->"), after.indexOf("## What is installed"));
    const rows = [...table.matchAll(/^\| (P\d+) \| (.*) \|$/gm)].map(
      ([, id, cells = ""]) => [id, cells.split(" | ")] as const,
    );
    expect(rows.map(([id]) => id)).toEqual(GOALS.map(({ id }) => id).filter((id) => id !== "P7" && id !== "P8"));
    expect(rows.filter(([, cells]) => cells.length !== NODE_VERSIONS.length)).toEqual([]);
    expect(rows[0]?.[1][2]).toBe("1.55 N");
    expect(changed.every((line) => table.includes(line))).toBe(true);
    expect(withVersion(after, "22", [])).toContain("| 1.55 N |");
    expect(() => withVersion(before, "21", [])).toThrow("no column for Node 21");
  });

  test("has the result of every goal", () => {
    const table = markdownTable(goalsTable([{ id: "P1", values: [1.55] }]));
    expect(table).toContain("| P1 | `incidentctl --version` | ≤ 1.7 N | > 2 N | **1.55 N** | met |");
    expect(table.split("\n")).toHaveLength(GOALS.length + 2);
    expect(values({ id: "P14", values: [10, 11.06, 0, 2.5] })).toBe("10 / 11.1 / 0 / 2.5");
  });
});

describe("plots", () => {
  test.each([
    [0.7, 1],
    [1.2, 2],
    [230, 250],
    [50_000, 50_000],
  ])("an axis for %d ends at %d", (highest, end) => {
    expect(ceiling(highest)).toBe(end);
  });

  test("a line goes through its points, and texts are escaped", () => {
    const series = [{ name: "plan <b>", points: [[0, 0] as const, [100, 10] as const] }];
    const drawn = curves([{ title: "Time", across: "entries", up: "s", series }]);
    expect(drawn).toContain('<polyline points="56,256 336,40"');
    expect(drawn).toContain("plan &lt;b&gt;");
    expect(drawn).not.toMatch(/NaN|undefined|<b>/);
  });

  test("layers are stacked", () => {
    const drawn = stacks([{ title: "", up: "s", layers: ["one", "two"], bars: [{ name: "1k", values: [4, 6] }] }]);
    const boxes = [...drawn.matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)" fill/g)];
    const [first, second] = boxes.map(([, top, height]) => [Number(top), Number(height)]);
    expect(first).toEqual([169.6, 86.4]);
    expect(second).toEqual([40, 129.6]);
  });
});

test("a sample of a profile counts for the nearest stage that called it", () => {
  const node = (id: number, url: string, children: readonly number[] = [], functionName = "f") => ({
    id,
    callFrame: { functionName, url },
    children,
  });
  const times = stagesOf({
    nodes: [
      node(1, "", [2, 6, 7, 8], "(root)"),
      node(2, "file:///x/build/plan/make/make.js", [3, 4]),
      node(3, "file:///x/build/workspace/match/match.js", [5]),
      node(4, "file:///x/build/plan/order/sequence.js"),
      node(5, "file:///x/build/core/json.js"),
      node(6, "", [], "(garbage collector)"),
      node(7, "", [], "(idle)"),
      node(8, "file:///x/node_modules/commander/index.js"),
    ],
    samples: [2, 4, 5, 6, 7, 8],
    timeDeltas: [1000, 2000, 3000, 4000, 50_000, 6000],
  });
  expect(times).toMatchObject({ diff: 1, order: 2, matching: 3, "garbage collection": 4, rest: 6, parsing: 0 });
});

test("the workspace of the measurements is served, and each of its lists is read once", () => {
  const { stdout } = spawnSync(process.execPath, [join(root, "bench", "programs", "remember.mjs"), "--entries", "20"], {
    encoding: "utf8",
    input: "",
  });
  const { url, token, least } = JSON.parse(stdout);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(token).toMatch(/^ff_/);
  expect(Number(least)).toBeGreaterThan(10);
});
