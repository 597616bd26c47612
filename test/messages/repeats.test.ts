/** Sentences that are true of several resources stand once, in each command and format. */

import { afterEach, describe, expect, test } from "vitest";
import type { ConsoleOptions } from "../../src/app/console/console.ts";
import { doctor } from "../../src/app/doctor/doctor-command.ts";
import type { DoctorOptions } from "../../src/app/doctor/doctor-definition.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import type { RehearseOptions } from "../../src/app/rehearse/rehearse-definition.ts";
import { type Command, openWorld, type World } from "../commands/world.ts";

/** Five webhooks that send over plain http (A007), and five sources with rules that may match nothing (A004). */
const five = [1, 2, 3, 4, 5];
const hook = (at: number) =>
  `  - { name: w${at}, url: "http://${at}.example.com/x", subscribed_events: [incident.created] }\n`;
const rule = (at: number) =>
  `    s${at}: [{ name: r, conditions: [{ field: x, operator: is_empty }], outcome: { action: drop } }]\n`;
const FILES = {
  "webhooks.yaml": `webhooks:\n${five.map(hook).join("")}`,
  "sources.yaml": `alert_sources: [${five.map((at) => `{ name: s${at}, provider: datadog }`).join(", ")}]\n`,
  "rules.yaml": `routing_rules:\n  sources:\n${five.map(rule).join("")}`,
};

let world: World;
afterEach(() => world.close());

const countOf = (text: string, words: string): number => text.split(words).length - 1;

describe("a warning of five resources", () => {
  test("stands once in the text of a plan, with its number and the first three of them", async () => {
    world = await openWorld(FILES);
    const { stdout } = await world.run(plan, { paths: ["."] });
    expect(stdout).toContain(
      "  ! webhooks/w1 sends over plain http [A007] (webhooks.yaml:2:22)\n" +
        "      also: webhooks/w2, webhooks/w3 and 2 more (5 in all; --verbose shows each)\n",
    );
    expect(stdout).toContain(
      "  ! routing_rules/s1: alerts of the source that none of its rules matches are dropped [A004]",
    );
    expect([countOf(stdout, "[A007]"), countOf(stdout, "[A004]")]).toEqual([1, 1]);
  });

  test("is listed for each with --verbose, and in JSON", async () => {
    world = await openWorld(FILES);
    const { stdout } = await world.run(plan, { paths: ["."], verbose: true });
    expect([countOf(stdout, "[A007]"), countOf(stdout, "[A004]")]).toEqual([5, 5]);
    const json = JSON.parse((await world.run(plan, { paths: ["."], format: "json" })).stdout);
    const addresses = five.map((at) => `webhooks/w${at}`);
    const own = json.warnings.filter(({ code }: { code: string }) => code === "A007");
    expect(own.map(({ address }: { address: string }) => address)).toEqual(addresses);
  });

  test("is one item in Markdown and in the page, which names all of them", async () => {
    world = await openWorld(FILES);
    const { stdout } = await world.run(plan, { paths: ["."], format: "markdown" });
    expect(stdout).toContain("<summary>Warnings: 10</summary>");
    expect(stdout).toContain(
      "- `webhooks/w1` sends over plain http `A007` (`webhooks.yaml:2`); also: `webhooks/w2`, `webhooks/w3` and 2 more (5 in all)\n",
    );
    const page = (await world.run(plan, { paths: ["."], format: "html" })).stdout;
    expect(countOf(page, "sends over plain http")).toBe(1);
    expect(page).toContain(
      `(5 in all)</summary>${[2, 3, 4, 5].map((at) => `<code>webhooks/w${at}</code>`).join(", ")}`,
    );
  });

  test("is one finding of validate, with the places and names of the others", async () => {
    world = await openWorld(FILES);
    const { stderr, stdout } = await world.run(validate, { paths: ["."] });
    expect(countOf(stderr, "warning[A007]")).toBe(1);
    expect(stderr).toContain(
      "    Also at webhooks.yaml:3:22 (webhooks/w2), webhooks.yaml:4:22 (webhooks/w3), webhooks.yaml:5:22 (webhooks/w4) and 1 more place.\n",
    );
    expect(stdout).toContain("10 warnings");
    const verbose = await world.run(validate, { paths: ["."], verbose: true });
    expect(countOf(verbose.stderr, "warning[A007]")).toBe(5);
  });
});

/** A command without the administrator's token. */
const withoutAdmin =
  <Options extends ConsoleOptions>(command: Command<Options>): Command<Options> =>
  (options, io, console) => {
    delete io.env.INCIDENTCTL_ADMIN_TOKEN;
    return command(options, io, console);
  };

describe("doctor", () => {
  test("says once of several kinds that the token cannot read them", async () => {
    world = await openWorld({ "severities.yaml": "severities: [{ slug: critical, name: Critical }]\n" });
    const { stdout } = await world.run(withoutAdmin<DoctorOptions>(doctor), { paths: [] });
    expect(stdout).toMatch(
      /^-- {2}api_keys +cannot be read.* which alone can read them; without it, plan, .* --kinds reads the others \(also: agents and grants\)$/m,
    );
    const verbose = await world.run(withoutAdmin<DoctorOptions>(doctor), { paths: [], verbose: true });
    for (const kind of ["api_keys", "agents", "grants"])
      expect(verbose.stdout).toMatch(new RegExp(`^-- {2}${kind} `, "m"));
  });
});

describe("a rehearsal", () => {
  const severity = "severities: [{ slug: minor, name: Small, default: true }, { slug: major, name: Major }]\n";

  test("that passed counts its assumptions, and lists them with --verbose", async () => {
    world = await openWorld({ "severities.yaml": severity });
    const { stdout } = await world.run(rehearse, { paths: [], allowDelete: true });
    expect(stdout).toContain(
      "\nAssumptions: 12 on dialect, incidents, permissions and routing; --verbose lists them\n\nRehearsal: all checks passed.\n",
    );
    const verbose = await world.run(rehearse, { paths: [], allowDelete: true, verbose: true });
    expect(countOf(verbose.stdout, "\n  dialect: ")).toBe(9);
  });

  test("names what it could not read although it passed", async () => {
    world = await openWorld({ "severities.yaml": severity });
    const { stdout } = await world.run(withoutAdmin<RehearseOptions>(rehearse), { paths: [], allowDelete: true });
    expect(stdout).toMatch(/Assumptions:\n {2}unread: api_keys cannot .*\n {2}unread: agents .*\n {2}12 on dialect, /);
  });

  test("that failed lists its assumptions, and says once what it found of several resources", async () => {
    const hooks = five.map(hook).join("").replaceAll("incident.created", "incident.nothing");
    world = await openWorld({ "webhooks.yaml": `webhooks:\n${hooks}` });
    const { stdout, exit } = await world.run(rehearse, { paths: [] });
    expect(exit).toBe(7);
    expect(countOf(stdout, "\n  dialect: ")).toBe(9);
    expect(stdout).toContain(
      "      webhooks/w1: still planned: set subscribed_events\n" +
        "        also: webhooks/w2, webhooks/w3 and 2 more (5 in all; --verbose shows each)\n",
    );
    expect(stdout).toContain("Rehearsal: 5 findings.");
    const markdown = (await world.run(rehearse, { paths: [], format: "markdown" })).stdout;
    expect(markdown).toContain("; also: `webhooks/w2`, `webhooks/w3` and 2 more (5 in all)\n");
    const page = (await world.run(rehearse, { paths: [], format: "html" })).stdout;
    expect(countOf(page, "still planned: set subscribed_events")).toBe(1);
  });
});
