import { describe, expect, test } from "vitest";
import { load } from "../../../src/config/load/load.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { analyze } from "../../../src/plan/analyze/analyze.ts";
import { analyzers } from "../../../src/plan/analyze/index.ts";
import { NOTHING_READ } from "../../../src/workspace/match/observation.ts";
import { resolve } from "../../../src/workspace/match/resolve.ts";
import { withFiles } from "../../support/files.ts";

const NOW = "2026-11-21T08:00:00Z";

/** The findings of a file: `line severity code message`, or `line waived code reason`. */
async function findings(text: string, now = NOW): Promise<readonly string[]> {
  return withFiles({ "a.yaml": text }, async (cwd) => {
    const configuration = await load([], { kinds, env: {}, cwd });
    return analyze(analyzers, resolve(configuration, kinds, NOTHING_READ), new Date(now)).map(
      ({ at, severity, code, message, waived }) =>
        waived === undefined
          ? `${at?.line} ${severity} ${code} ${message}`
          : `${at?.line} waived ${code} ${waived.reason}`,
    );
  });
}

const hook = (...lines: readonly string[]): string => `webhooks:\n${lines.join("\n")}\n`;
const OLD = "{ name: old, url: http://old.example/ }";
const HTTP = "warning A007 webhooks/old sends over plain http";

describe("A waiver", () => {
  test.each<readonly [title: string, text: string, expected: readonly string[]]>([
    [
      "on the line above",
      hook("  # incidentctl: allow A007 until 2026-12-31 because the box dies in January", `  - ${OLD}`),
      ["3 waived A007 the box dies in January"],
    ],
    [
      "at the end of the line",
      hook(`  - ${OLD} # incidentctl: allow A007 until 2026-12-31 because why not`),
      ["2 waived A007 why not"],
    ],
    [
      "above the entry, for a finding on one of its fields",
      hook(
        "  # incidentctl: allow A007 until 2026-12-31 because why not",
        "  - name: old",
        "    url: http://old.example/",
      ),
      ["4 waived A007 why not"],
    ],
    [
      "at the line of the field",
      hook("  - name: old", "    url: http://old.example/ # incidentctl: allow A007 until 2026-12-31 because why not"),
      ["3 waived A007 why not"],
    ],
    [
      "of several analyzers, above an explanation",
      hook("  # incidentctl: allow A003, A007 until 2026-12-31 because why not", "  # Somebody else's.", `  - ${OLD}`),
      ["4 waived A007 why not"],
    ],
    [
      "above a key, for a finding about its list",
      "# incidentctl: allow A002 until 2026-12-31 because the service decides\nseverities:\n  - { slug: a, name: A }\n",
      ["2 waived A002 the service decides"],
    ],
    [
      "of another analyzer is not used",
      hook(`  - ${OLD} # incidentctl: allow A004 until 2026-12-31 because why not`),
      [`2 ${HTTP}`, "2 note A099 the waiver of A004 applies to no finding"],
    ],
    [
      "of another line is not used",
      hook("  # incidentctl: allow A007 until 2026-12-31 because why not", "", `  - ${OLD}`),
      ["2 note A099 the waiver of A007 applies to no finding", `4 ${HTTP}`],
    ],
    [
      "that has expired says so",
      hook(`  - ${OLD} # incidentctl: allow A007 until 2026-11-20 because why not`),
      [`2 ${HTTP} (its waiver expired on 2026-11-20)`],
    ],
    [
      "that has expired gives way to one that has not",
      hook(
        "  # incidentctl: allow A007 until 2026-01-01 because once",
        `  - ${OLD} # incidentctl: allow A007 until 2026-12-31 because now`,
      ),
      ["3 waived A007 now"],
    ],
  ])("%s", async (_title, text, expected) => {
    expect(await findings(text)).toEqual(expected);
  });

  test.each<readonly [comment: string, flaw: string]>([
    ["allow A007", "the comment does not have the form: allow ID until DATE because REASON"],
    ["allow A007 until 2026-12-31", "the comment does not have the form: allow ID until DATE because REASON"],
    ["ignore A007", "the comment does not have the form: allow ID until DATE because REASON"],
    ["allow A777 until 2026-12-31 because why not", 'no analyzer has the id "A777"'],
    ["allow A099 until 2026-12-31 because why not", 'no analyzer has the id "A099"'],
    ["allow A007 until tomorrow because why not", '"tomorrow" is not a date of the form 2026-12-31'],
    ["allow A007 until 2026-02-30 because why not", '"2026-02-30" is not a date of the form 2026-12-31'],
  ])("with the text %j waives nothing and is reported", async (comment, flaw) => {
    const found = await findings(hook(`  - ${OLD} # incidentctl: ${comment}`));
    expect(found).toEqual([`2 ${HTTP}`, `2 warning A098 ${flaw}`]);
  });

  test.each([
    ["2026-11-20T23:59:59Z", "2 waived A007 why not"],
    ["2026-11-21T00:00:00Z", `2 ${HTTP} (its waiver expired on 2026-11-20)`],
  ])("counts to the end of its last day: at %s", async (now, expected) => {
    expect(await findings(hook(`  - ${OLD} # incidentctl: allow A007 until 2026-11-20 because why not`), now)).toEqual([
      expected,
    ]);
  });
});

test("the example workspace has nothing worse than a note", async () => {
  const cwd = new URL("../../../examples", import.meta.url).pathname;
  const configuration = await load([], { kinds, env: {}, cwd });
  const found = analyze(analyzers, resolve(configuration, kinds, NOTHING_READ), new Date(NOW));
  expect(found.filter(({ severity }) => severity !== "note")).toEqual([]);
});
