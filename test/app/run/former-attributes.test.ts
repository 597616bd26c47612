import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { openWorld } from "../../commands/world.ts";
import { canaries, leaksIn } from "../../faults/checks/secret-leaks.ts";

/** The service drops what an update of an entry's attributes leaves out, so the update states each value, former values of the environment too. */

const secret = canaries.CANARY_WEBHOOK ?? "";
const applying: ApplyFlags = { paths: [], yes: true };
const type = (entry: string): string =>
  `catalog_types:
  - slug: host
    name: Host
    attributes: [{ name: Note, attribute_type: text }, { name: Tier, attribute_type: text }]
    entries:
      - ${entry}
`;

test.each([
  ["an attribute that another line sets", "{ slug: db, name: DB, attributes: { tier: gold } }", "gold"],
  ["an entry without attributes gets another name", "{ slug: db, name: Database }", "silver"],
])(
  "keeps a value of the environment that no file states any more, and does not tell it: %s",
  async (_what, entry, tier) => {
    const world = await openWorld({
      "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
      "host.yaml": type(`{ slug: db, name: DB, attributes: { note: "\${env:CANARY_WEBHOOK}", tier: silver } }`),
    });
    Object.assign(world.io.env, { CANARY_WEBHOOK: secret });
    const first = await world.run(apply, applying);
    expect(first.exit, first.stderr).toBe(0);
    await world.write({ "host.yaml": type(entry) });

    const json = await world.run(plan, { paths: [], format: "json" });
    expect(json.stdout).toContain('"kept": true');
    const said = [
      json,
      await world.run(plan, { paths: [], verbose: true, out: "a.plan" }),
      await world.run(apply, { ...applying, plan: "a.plan" }),
    ];
    expect(said.at(-1)?.exit, said.at(-1)?.stderr).toBe(0);
    const journals = join(world.folder, ".incidentctl", "journals");
    const names = [...(await readdir(journals)).map((name) => join(journals, name)), join(world.folder, "a.plan")];
    const files = await Promise.all(names.map((path) => readFile(path, "latin1")));
    for (const text of [...said.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...files]) {
      expect(leaksIn(text, new Map([["CANARY_WEBHOOK", secret]])), text).toEqual([]);
    }
    const { entries } = (await world.send("GET", "/api/v1/catalog/types/host/entries")) as {
      entries: readonly Fields[];
    };
    expect(entries.map(({ attributes }) => attributes)).toEqual([{ note: secret, tier }]);
    expect((await world.run(plan, { paths: [] })).stdout).toContain("No changes");
  },
);
