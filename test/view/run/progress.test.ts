import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { ApplyEvent } from "../../../src/run/journal/outcome.ts";
import { plain } from "../../../src/view/format/ansi.ts";
import { columns } from "../../../src/view/format/columns.ts";
import { progress, readingProgress } from "../../../src/view/run/progress.ts";
import { changeOf, planOf } from "../plans.ts";

function stage(terminal = true) {
  const written: string[] = [];
  let now = 0;
  const options = { write: (text: string) => written.push(text), terminal, paint: plain, now: () => now };
  const last = (): string => stripVTControlCharacters(written.at(-1) ?? "").trim();
  return { options, written, last, wait: (milliseconds: number) => (now += milliseconds) };
}

const operations = (count: number, slug = "a") =>
  planOf(Array.from({ length: count }, (_, at) => changeOf(`severities/${slug}${at}`, "create"))).operations;

test("the line shows the rate and the remaining time once they are reliable", () => {
  const { options, last, wait } = stage();
  const tell = progress({ ...options, total: 400 });
  const begins: string[] = [];
  for (const operation of operations(5)) {
    tell({ status: "started", operation });
    begins.push(last());
    wait(1_000);
    tell({ status: "done", operation });
  }
  expect(begins.slice(0, 3).every((line) => /^\[ {2}\d\/400\] severities\/a\d \(create it\) …$/.test(line))).toBe(true);
  expect(begins[3]).toBe("[  4/400] 1.0/s, 7 min left  severities/a3 (create it) …");
});

test("the remaining time has a unit that fits it", () => {
  const left = (total: number, each: number): string => {
    const { options, last, wait } = stage();
    const tell = progress({ ...options, total });
    for (const operation of operations(4)) {
      tell({ status: "started", operation });
      const event: ApplyEvent = { status: "done", operation };
      if (operation.id !== "op-4") {
        wait(each);
        tell(event);
      }
    }
    return /, (.*) left/.exec(last())?.[1] ?? "";
  };
  expect([left(10, 1_000), left(1_000, 1_000), left(100_000, 1_000)]).toEqual(["7 s", "17 min", "28 h"]);
});

test("no updated line is wider than the terminal, for characters of any width", () => {
  const { options, last } = stage();
  const tell = progress({ ...options, total: 1 });
  for (const operation of operations(1, "重大".repeat(60))) tell({ status: "started", operation });
  expect(columns(last())).toBeLessThanOrEqual(79);
  expect(last()).toMatch(/^\[1\/1\] severities\/重大.*…$/);
});

test("lines fit wider and narrower terminals", () => {
  for (const width of [30, 40, 200]) {
    const { options, last } = stage();
    const tell = progress({ ...options, width, total: 1 });
    for (const operation of operations(1, "long".repeat(60))) tell({ status: "started", operation });
    expect(columns(last())).toBe(width - 1);
  }
});

test("reading shows its responses on a terminal, not too often, and erases the line", () => {
  const { options, written, last, wait } = stage();
  const shown = readingProgress("Reading", options);
  shown.step();
  expect(written).toEqual([]);
  wait(500);
  for (let at = 0; at < 9; at += 1) shown.step();
  expect(written).toHaveLength(1);
  expect(last()).toBe("Reading: 2 responses, 4.0/s …");
  shown.end();
  expect(written.at(-1)).toBe("\u001b[2K\r");
});

test("responses after the end of a stage draw no line over what was printed since", () => {
  const { options, written, wait } = stage();
  const shown = readingProgress("Reading", options);
  shown.end();
  wait(500);
  shown.step();
  expect(written).toEqual([]);
});

test("a short stage, and output to a file, show no progress of reading", () => {
  for (const { options, written, wait } of [stage(), stage(false)]) {
    const shown = readingProgress("Reading", options);
    shown.step();
    if (!options.terminal) wait(5_000);
    shown.step();
    shown.end();
    expect(written).toEqual([]);
  }
});

test("wide characters take two columns, and combining marks none", () => {
  expect([columns("abc"), columns("é"), columns("e\u0301"), columns("重大"), columns("🔴"), columns("～")]).toEqual([
    3, 1, 1, 4, 2, 2,
  ]);
});
