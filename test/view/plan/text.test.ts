import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Change, Plan, SealedPlan } from "../../../src/plan/model/plan.ts";
import { colored, plain } from "../../../src/view/format/ansi.ts";
import { driftView, planView } from "../../../src/view/plan/plan-view.ts";
import { planText } from "../../../src/view/plan/text.ts";
import { changeOf, everything, planOf } from "../plans.ts";
import { pullRequest } from "../wide-plans.ts";

const quiet = { paint: plain, verbose: false };
const verbose = { paint: plain, verbose: true };
const words = { ...quiet, words: true };

const goldens: readonly (readonly [title: string, file: string, text: () => string])[] = [
  [
    "a plan shows every action, field shape, risk and remark",
    "everything",
    () => planText(planView(everything), quiet),
  ],
  ["a verbose plan adds sources and requests", "everything-verbose", () => planText(planView(everything), verbose)],
  [
    "words stand in place of symbols for screen readers",
    "everything-words",
    () => planText(planView(everything), words),
  ],
  ["a drift report says how the workspace differs", "everything-drift", () => planText(driftView(everything), quiet)],
  ["a plan of hundreds leaves out the fields", "hundreds", () => planText(planView(hundreds()), quiet)],
  ["a plan of thousands is counted by kind", "thousands", () => planText(planView(thousands()), quiet)],
  ["hostile text is written out and starts no line", "hostile", () => planText(planView(hostile()), quiet)],
  [
    "long values are whole in an update, and cut in a new resource",
    "long-values",
    () => planText(planView(longValues()), quiet),
  ],
];

test.each(goldens)("%s", async (_title, file, text) => {
  await expect(text()).toMatchFileSnapshot(`../golden/${file}.txt`);
});

test("a plan of hundreds has the same text in color, and lists all that a routing gap affects", () => {
  const style = { paint: colored, verbose: false };
  const text = planText(planView(pullRequest()), quiet);
  expect(stripVTControlCharacters(planText(planView(pullRequest()), style))).toBe(text);
  expect(text).toContain("requires --accept-routing-window");
});

test("a plan that counts new resources by kind builds no text for them", () => {
  const { changes, seal, ...rest } = thousands();
  let asked = 0;
  const watched = changes.map(({ fields, ...change }) => ({
    ...change,
    get fields() {
      if (change.action === "create") asked += 1;
      return fields;
    },
  }));
  const plan: SealedPlan = {
    ...rest,
    changes: watched,
    seal: {
      ...seal,
      get fingerprint() {
        asked += 1;
        return seal.fingerprint;
      },
    },
  };
  expect(planText(planView(plan), quiet)).toBe(planText(planView(thousands()), quiet));
  expect(asked).toBe(0);
});

test("an empty plan says so", () => {
  expect(planText(planView(planOf([])), quiet)).toBe(
    "Plan for https://incidents.example.com\n\nNo changes. The workspace matches what the files declare.\n",
  );
  const staging = planOf([], {
    target: { host: "https://incidents.example.com", environment: "staging", workspace: null },
  });
  expect(planText(planView(staging), quiet)).toMatch(
    /^Plan for https:\/\/incidents.example.com, environment staging\n/,
  );
});

test("a section of what is left alone names fifty places and counts the rest", () => {
  const ignored = Array.from({ length: 53 }, (_, at) => ({ address: `severities/s${at}` }));
  const [, block = ""] = planText(planView(planOf([], { ignored })), quiet).split("\n\n");
  const lines = block.split("\n");
  expect(lines).toHaveLength(52);
  expect([lines[0], lines.at(-1)]).toEqual(["Ignored by the settings", "  … and 3 more; --verbose names all"]);
});

test("another order of the members of an object is no difference", () => {
  const before = [{ field: "service", value: ["a"], operator: "is_one_of" }];
  const after = [
    { operator: "is_one_of", value: ["a"], field: "service" },
    { operator: "contains", value: "b", field: "team" },
  ];
  const plan = planOf([
    changeOf("forms/declare/region", "update", { fields: [{ path: "/conditions", before, after }] }),
  ]);
  const lines = planText(planView(plan), quiet).split("\n");
  expect(lines.filter((line) => /^ +\| [-+]/.test(line))).toEqual([
    '        | + {operator: "contains", value: "b", field: "team"}',
  ]);
});

test("colors only repeat the plain text", () => {
  const painted = planText(planView(everything), { paint: colored, verbose: false });
  expect(painted).not.toBe(planText(planView(everything), quiet));
  expect(stripVTControlCharacters(painted)).toBe(planText(planView(everything), quiet));
});

test("no report contains invisible characters", () => {
  expect(planText(planView(hostile()), verbose)).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?!\n)\p{Cc}/u);
});

function services(count: number): readonly Change[] {
  return Array.from({ length: count }, (_, at) =>
    changeOf(`catalog_types/service/entries/${at}`, "create", {
      kind: "catalog_entries",
      fields: [{ path: "/name", before: null, after: `Service ${at}` }],
    }),
  );
}

function hundreds(): Plan {
  return planOf([changeOf("severities/minor", "move"), ...services(250)]);
}

function thousands(): SealedPlan {
  const gone = Array.from({ length: 60 }, (_, at) =>
    changeOf(`severities/s${at}`, "delete", { reason: "not in the configuration", risk: "destructive" }),
  );
  return planOf([...services(1200), ...gone]);
}

function hostile(): Plan {
  const payloads = [
    "\u001b[31mred\u001b[0m",
    "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007",
    "one\rtwo",
    "nul\u0000, bell\u0007, delete\u007f, next line\u0085",
    "\u202egnp.exe",
    "zero\u200bwidth\ufeff",
    "line\u2028and\u2029paragraph",
    "lone \ud800 surrogate",
    "::add-mask::everything",
    "##[command]rm and ##vso[task.setvariable]",
    'quotes " and \\u001b spelled out',
  ];
  return planOf([
    changeOf("severities/\u001b[2K", "update", {
      fields: payloads.map((text, at) => ({ path: `/f${at}`, before: null, after: text })),
      reason: "\u001b[1A",
      risk: "attention",
    }),
    changeOf("runbooks/a", "update", {
      fields: [{ path: "/content", before: payloads.join("\n"), after: ["::error::gotcha", ...payloads].join("\n") }],
    }),
  ]);
}

function longValues(): Plan {
  const long = "a".repeat(300);
  const unlike = (word: string): string => Array.from({ length: 45 }, (_, at) => `${word} ${at}`).join("\n");
  return planOf([
    changeOf("runbooks/new", "create", {
      fields: [
        { path: "/summary", before: null, after: long },
        { path: "/content", before: null, after: unlike("new") },
      ],
    }),
    changeOf("runbooks/a", "update", {
      fields: [
        { path: "/summary", before: `${long}x`, after: `${long}y` },
        { path: "/content", before: unlike("old"), after: unlike("new") },
        { path: "/external_url", before: "trailing \nend", after: "trailing\nend" },
        { path: "/inputs", before: { a: null }, after: {} },
        { path: "/aliases", before: ["a", "b"], after: [] },
        { path: "/watch", before: null, after: { every: 5, unit: "minutes" } },
      ],
    }),
  ]);
}

test("a report in words has no arrow, no bar and no line that begins with a symbol", () => {
  const symbols = /[→|]|^ *[-+~>!=o] /m;
  for (const plan of [everything, pullRequest()]) {
    for (const text of [
      planText(planView(plan), words),
      planText(planView(plan), { ...words, verbose: true }),
      planText(driftView(plan), words),
    ]) {
      expect(symbols.exec(text)).toBeNull();
    }
  }
  expect(planText(planView(everything), words)).toContain("update severities/critical");
});
