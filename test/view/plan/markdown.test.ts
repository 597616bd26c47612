import { expect, test } from "vitest";
import type { Drift } from "../../../src/plan/drift/drift.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { MAX_COMMENT, planMarkdown } from "../../../src/view/plan/markdown.ts";
import { driftView, planView } from "../../../src/view/plan/plan-view.ts";
import { linksIn, structureOf } from "../../support/markdown.ts";
import { changeOf, everything, planOf } from "../plans.ts";
import { pullRequest, thousands } from "../wide-plans.ts";

const comment = { verbose: false };
const run = "https://github.example/acme/incidents/actions/runs/42";

const goldens: readonly (readonly [title: string, file: string, text: () => string])[] = [
  [
    "a comment shows every action, field shape, risk and remark",
    "everything",
    () => planMarkdown(planView(everything), comment),
  ],
  [
    "a comment of a drift tells live from declared",
    "everything-drift",
    () => planMarkdown(driftView(everything), comment),
  ],
  [
    "a pull request of 300 changes reads well",
    "pull-request",
    () => planMarkdown(planView(pullRequest()), { ...comment, run }),
  ],
  ["a plan of nothing is three lines", "nothing", () => planMarkdown(planView(planOf([])), comment)],
];

test.each(goldens)("%s", async (_title, file, text) => {
  await expect(text()).toMatchFileSnapshot(`../golden/${file}.md`);
});

test("the first line is the same for the same service and filter, for any plan", () => {
  const first = (plan: Plan) => planMarkdown(planView(plan), comment).split("\n")[0];
  expect(first(everything)).toBe("<!-- incidentctl plan https://incidents.example.com -->");
  expect(first(planOf([]))).toBe(first(everything));
  expect(first(planOf([], { partial: ["--kinds severities"] }))).not.toBe(first(everything));
  expect(planMarkdown(driftView(everything), comment)).toMatch(/^<!-- incidentctl drift https:/);
  const sly = planOf([], { target: { host: "https://a.example --> @all <script>", workspace: null } });
  expect(first(sly)).toBe("<!-- incidentctl plan https://a.example --_ @all _script_ -->");
});

test.each([
  ["3,000 changes", () => thousands(3_000)],
  ["10,000 changes", () => thousands(10_000)],
  ["300 long texts", () => longTexts()],
  ["many kinds, lists, warnings and remarks", () => crowded()],
])("%s fit a comment, and the count of what is not shown is exact", (_what, make) => {
  const plan = make();
  const text = planMarkdown(planView(plan), { ...comment, run });
  expect(text.length).toBeLessThanOrEqual(MAX_COMMENT);
  const named = text.match(/^[+\-!] \w+\/\S/gm)?.length ?? 0;
  const [, leftOut = "0"] = /Not shown: ([\d,]+) changes?/.exec(text) ?? [];
  expect(named + Number(leftOut.replaceAll(",", ""))).toBe(plan.changes.length);
  expect(text).toContain(`| **all** |`);
  expect(text).toContain(`of [this run](${run})`);
});

test("a long list of accepted differences fits the comment, and the rest is counted", () => {
  const accepted = { until: "2031-01-01", because: "words of a reason ".repeat(20) };
  const place = { address: "webhooks/pager", path: "/url", fingerprint: "0", declared: "0" };
  const drift = (count: number): Drift => {
    const all = Array.from({ length: count }, () => ({ ...place, action: "update" as const, accepted }));
    const resolved = all.map(() => ({ ...place, ...accepted, host: "http://localhost" }));
    return { fingerprint: "fedcba9876543210", new: all, known: all, expired: all, resolved };
  };
  const text = planMarkdown(driftView(everything, drift(5_000)), comment);
  expect(text.length).toBeLessThan(MAX_COMMENT);
  for (const title of ["Accepted, but changed since", "Expired", "Accepted", "Resolved"]) {
    expect(text).toContain(`<details><summary>${title}: 5,000</summary>`);
  }
  const rest = [...text.matchAll(/^- … and ([\d,]+) more$/gm)].map(([, number = ""]) =>
    Number(number.replace(",", "")),
  );
  const shown = text.match(/^- .*2031-01-01/gm)?.length ?? 0;
  expect(rest.reduce((sum, number) => sum + number, shown)).toBe(20_000);
  expect(planMarkdown(driftView(everything, drift(500)), { verbose: true })).not.toContain("- … and");
});

test("if not all fields fit, those of destructive changes are shown", () => {
  const plan = longTexts();
  const text = planMarkdown(planView(plan), comment);
  expect(text).toContain('-   name: "the last of all"');
  expect(text).toMatch(/Not shown: the fields of \d+ changes/);
});

test("a verbose file shows everything", () => {
  const plan = thousands(3_000);
  const text = planMarkdown(planView(plan), { verbose: true });
  expect(text.match(/^[+\-!] \w+\/\S/gm)).toHaveLength(3_000);
  expect(text).not.toContain("Not shown");
});

test("sentences stay readable, and nothing in them is a link, a mention or a tag", () => {
  const message =
    'see @acme/oncall, https://evil.example or [here](x), GH-12, #7, a_b, <b>, 0123abcd; it is "US" (50 %), really!';
  const plan = planOf([changeOf("severities/a|b`c", "delete", { kind: "a|b", reason: message, risk: "destructive" })], {
    warnings: [{ code: "W_X", message }],
    unreadable: [{ address: "a/b", path: "/c", reason: message }],
    partial: ["--target @all"],
  });
  const text = planMarkdown(planView(plan), comment);
  expect(linksIn(text)).toEqual([]);
  expect(text).toContain('it is "US" (50 %), really!');
  expect(structureOf(text)).toEqual(structureOf(planMarkdown(planView(harmless(plan)), comment)));
});

function harmless(plan: Plan): Plan {
  const [change = changeOf("a/b", "delete")] = plan.changes;
  return {
    ...plan,
    changes: [{ ...change, address: "severities/a", kind: "a", reason: "plain" }],
    warnings: [{ code: "W_X", message: "plain" }],
    unreadable: [{ address: "a/b", path: "/c", reason: "plain" }],
  };
}

function longTexts(): Plan {
  const text = (word: string): string => Array.from({ length: 50 }, (_, at) => `${word} ${at}`).join("\n");
  const changes = Array.from({ length: 300 }, (_, at) =>
    changeOf(`runbooks/r${at}`, "update", {
      fields: [{ path: "/content", before: text("old"), after: text("new") }],
      ...(at === 299
        ? { risk: "destructive" as const, fields: [{ path: "/name", before: "the last of all", after: "x" }] }
        : {}),
    }),
  );
  return planOf(changes);
}

/** As much as can be of everything besides the changes. */
function crowded(): Plan {
  const times = <Item>(count: number, make: (at: number) => Item): readonly Item[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const kindOf = (at: number): string => `kind${at % 70}`;
  const risky = (at: number) =>
    changeOf(`${kindOf(at)}/${"x".repeat(400)}${at}`, "delete", {
      ...{ kind: kindOf(at), risk: "destructive" as const, reason: "why ".repeat(200) + at },
      cascades: times(50, (to) => `kind/${to}`),
    });
  return planOf(times(400, risky), {
    transitions: times(3_000, (at) => ({
      ...{ address: `lists/${at}`, kind: kindOf(at), added: 1, edited: 0, moved: 2, removed: 3 },
      ...{ writes: 4, window: at % 2, exposed: [`lists/${at}/1`] },
    })),
    warnings: times(3_000, (at) => ({ code: "W_X", message: "long ".repeat(100), address: `kind/${at}` })),
    derived: times(3_000, (at) => ({ address: `kind/${at}`, path: "/rank", before: 1, after: 2, reason: "so" })),
    unreadable: times(3_000, (at) => ({ address: `kind/${at}`, path: "/rank", reason: "so" })),
    blocked: times(300, (at) => ({ code: "x", message: `reason ${at}`, addresses: times(99, String), flag: "--yes" })),
  });
}
