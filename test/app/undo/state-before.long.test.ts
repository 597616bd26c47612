/** The law of undo: the state after it equals the state before the run, but for ids, tokens and what the warnings name. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { type Dialects, dialectChoices } from "../../../src/emulator/dialects.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { openWorld } from "../../commands/world.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { workspaceRows } from "../../support/service/workspace-rows.ts";

const dialectsOfService = fc.record(
  Object.fromEntries(dialectChoices().map(([name, choices]) => [name, fc.constantFrom(...choices)])),
) as fc.Arbitrary<Partial<Dialects>>;

const paths = ["main.yaml"];
const approved = {
  paths,
  yes: true,
  allowDelete: true,
  maxRemovals: { entries: 1000 },
  acceptRoutingWindow: true,
  secretsOut: "tokens.jsonl",
};

/** Applies both configurations and undoes the second run. Returns what differs from the state between them and no warning names. */
async function differences(first: Fields, second: Fields, dialects: Partial<Dialects>): Promise<readonly string[]> {
  const world = await openWorld({}, { dialects, requestsPerMinute: 1_000_000 });
  try {
    for (const document of [first, second]) {
      await world.write({ "main.yaml": JSON.stringify(document) });
      if (document === second) break;
      const { exit, stdout, stderr } = await world.run(apply, approved);
      expect(exit, stdout + stderr).toBe(0);
    }
    const rows = () => workspaceRows((path) => world.send("GET", path));
    const before = await rows();
    const run = await world.run(apply, approved);
    expect(run.exit, run.stdout + run.stderr).toBe(0);
    if (run.stdout.startsWith("No changes.")) return [];
    const planned = await world.run(undo, { paths, out: "undo.plan", format: "json" });
    expect(planned.exit, planned.stdout + planned.stderr).toBe(0);
    const plan: Plan = JSON.parse(planned.stdout);
    const undone = await world.run(apply, { ...approved, plan: "undo.plan" });
    expect(undone.exit, undone.stdout + undone.stderr).toBe(0);
    const named = plan.warnings.flatMap(({ address, message }) => address ?? message);
    const after = await rows();
    const isSaid = (row: string) => named.some((address) => isNamed(row, address));
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (row) => before.get(row) !== after.get(row) && !isSaid(row),
    );
    const inBoth = (one: ReadonlyMap<string, string>) =>
      [...one.keys()].filter(
        (row) => /^(severities|statuses|incident_)/.test(row) && before.has(row) && after.has(row) && !isSaid(row),
      );
    return [
      ...changed.map((row) => `${row}\n  before ${before.get(row)}\n  after  ${after.get(row)}`),
      ...(inBoth(before).join() === inBoth(after).join() ? [] : [`order\n  ${inBoth(before)}\n  ${inBoth(after)}`]),
    ];
  } finally {
    await world.close();
  }
}

/** Whether an address of a warning is that of a row. */
function isNamed(row: string, address: string): boolean {
  const [kind = "", scope = "", ...key] = row.split(" ");
  const name = key.join(" ");
  return (
    [`${kind}/${name}`, `${kind}/${scope}`, `${kind}/${scope}/${name}`].includes(address) ||
    address.endsWith(`/${scope}/entries/${name}`) ||
    address.endsWith(`/${scope}/grants/${name}`)
  );
}

const RUNS = sampleSize(48, process.env.CAMPAIGN_UNDOS);

test(
  "the state after an undo is the state before the run, but for ids, tokens and what the warnings name",
  async () => {
    await fc.assert(
      fc.asyncProperty(configuration, configuration, dialectsOfService, async (first, second, dialects) => {
        expect(await differences(first, second, dialects)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: process.env.CAMPAIGN_UNDOS !== undefined },
    );
  },
  120_000 + RUNS * 3_000,
);
