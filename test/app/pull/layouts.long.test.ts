/** Pulls over files in layouts that people have: several of them, lines that end otherwise, anchors, values put in. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import type { Fields, Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { openWorld, type World } from "../../commands/world.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { aliased, borrowed, readsAs, styled } from "../../support/samples/yaml-styles.ts";
import { serviceFor } from "../../support/service/test-service.ts";

/** A few runs, the same ones each time; in the campaign many, and others each time. */
const AMOUNT =
  process.env.CAMPAIGN_PULLS === undefined ? { numRuns: 4, seed: 1 } : { numRuns: Number(process.env.CAMPAIGN_PULLS) };
const here = { paths: ["."], rate: 1_000_000 };

/** A way to lay out a text; its files, or undefined where it would not say the same. */
type Layout = (text: string, mine: Fields, choices: readonly number[]) => Readonly<Record<string, string>> | undefined;

const BORROWED = new Set(["name", "description", "summary", "url", "color"]);
const UNORDERED = new Set(kinds.flatMap(({ name, lifecycle: { order } }) => (order === undefined ? [name] : [])));

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "line ends of two characters": (text) => ({ "a.yaml": text.replaceAll("\n", "\r\n") }),
  "several files": (_text, mine, choices) => inFiles(mine, choices),
  anchors: (text, _mine, choices) => ({ "a.yaml": aliased(text, choices) }),
  variables: (text, _mine, choices) => {
    const { text: some, vars } = borrowed(text, BORROWED, choices);
    return { "a.yaml": some, "incidentctl.yaml": JSON.stringify({ version: 1, vars }) };
  },
};

/** Kinds in one of three files each, and lists whose order says nothing in two of them. */
function inFiles(mine: Fields, choices: readonly number[]): Readonly<Record<string, string>> | undefined {
  const parts: Record<string, Json>[] = [{}, {}, {}];
  for (const [at, [name, list]] of Object.entries(mine).entries()) {
    const choice = choices[at % choices.length] ?? 0;
    const [one = {}, other = {}] = [parts[choice % 3], parts[(choice + 1) % 3]];
    const half = Array.isArray(list) && UNORDERED.has(name) && choice % 2 === 0 ? Math.floor(list.length / 2) : 0;
    one[name] = half === 0 || !Array.isArray(list) ? list : list.slice(0, half);
    if (half > 0 && Array.isArray(list)) other[name] = list.slice(half);
  }
  const told = parts.filter((part) => Object.keys(part).length > 0);
  const texts = told.map((part) => styled(part, choices, 2, false));
  if (!told.every((part, at) => readsAs(texts[at] ?? "", part))) return undefined;
  return Object.fromEntries(texts.map((text, at) => [`${at}.yaml`, text]));
}

function files(world: World): Readonly<Record<string, string>> {
  const names = readdirSync(world.folder).filter((name) => name.endsWith(".yaml"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(world.folder, name), "utf8")]));
}

/** The conflicts, without their places, which change with the files. */
function told(stderr: string): readonly string[] {
  const lines = stderr.split("\n").filter((line) => line.startsWith("conflict: "));
  return lines.map((line) => line.replace(/ \([^()]*\)$/, ""));
}

/** Why a value is left as it is in a layout; what is left so is told, and nothing else is left. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  anchors: /: an anchor shares it/,
  variables: /: the file takes it from a substitution/,
};

const kindOf = (line: string): string => /^conflict: ([^/ :]*)/.exec(line)?.[1] ?? "";

test.each(Object.keys(LAYOUTS))(
  "over %s: the next plan changes only reported conflicts, and the next pull changes only what that plan made possible",
  async (name) => {
    await fc.assert(
      fc.asyncProperty(
        configuration,
        configuration,
        fc.array(fc.nat(20), { minLength: 3, maxLength: 9 }),
        fc.constantFrom(1, 2, 4),
        async (mine, theirs, choices, indent) => {
          const text = styled(mine, choices, indent, false);
          fc.pre(readsAs(text, mine));
          const before = LAYOUTS[name]?.(text, mine, choices);
          fc.pre(before !== undefined);
          const world = await openWorld(before, { requestsPerMinute: 1_000_000 });
          try {
            await serviceFor({}, world.emulator).converge(theirs);
            const pulled = await world.run(pull, here);
            const after = files(world);
            const shown = `${pulled.stderr}\n${Object.values(before).join("\n---\n")}\n=>\n${Object.values(after).join("\n---\n")}`;
            const conflicts = told(pulled.stderr);
            const expected = conflicts.filter((line) => EXPECTED[name]?.test(line) === true);
            // Where half of a list or of a file stays as it was, the rest of it is not what is live either.
            const halves = new Set(expected.map(kindOf));
            const isHalf = (line: string): boolean => halves.has("a.yaml") || halves.has(kindOf(line));
            const rest = conflicts.filter((line) => !expected.includes(line));
            const unexpected = rest.filter((line) => !isHalf(line) || !line.includes(": a plan would still "));
            expect(unexpected, shown).toEqual([]);
            if (pulled.exit === 1) {
              expect(pulled.stderr).toContain("Nothing was written");
              expect(conflicts).not.toEqual([]);
              expect(after).toEqual(before);
              return;
            }
            expect(pulled.exit, shown).toBe(conflicts.length === 0 ? 0 : 7);
            const planned = await world.run(plan, { ...here, format: "json" });
            expect(planned.exit, planned.stderr).toBe(0);
            const { changes } = JSON.parse(planned.stdout) as { changes: readonly { address: string }[] };
            const untold = changes.filter(({ address }) => !conflicts.some((line) => line.includes(` ${address}`)));
            expect(untold, shown).toEqual([]);
            const again = told((await world.run(pull, here)).stderr);
            if (again.join() === conflicts.join()) expect(files(world)).toEqual(after);
            // What had shared an anchor may have gone, so that it is in nobody's way any more.
            else expect(name).toBe("anchors");
            const kindsOf = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.map(kindOf));
            expect([...kindsOf(again)].filter((kind) => !kindsOf(conflicts).has(kind))).toEqual([]);
            if (name.startsWith("line ends")) expect(after["a.yaml"]).not.toMatch(/(?<!\r)\n/);
          } finally {
            await world.close();
          }
        },
      ),
      { ...AMOUNT, endOnFailure: true },
    );
  },
  120_000 + AMOUNT.numRuns * 3_000,
);
