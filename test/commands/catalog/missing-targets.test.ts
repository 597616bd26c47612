/** References of many entries to a few that are missing: one line for each of these, however many entries name it. */

import { expect, onTestFinished, test } from "vitest";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { openWorld } from "../world.ts";

const CATALOG = `catalog_types:
  - slug: service
    entries_from:
      files: services.csv
      name: { jsonata: name }
      attributes:
        owner_team: { jsonata: owner }
`;

test("each missing target is named once, with its number", async () => {
  const owners = ["alpha", "alpha", "alpha", "alpha", "alpha", "alpha", "beta", "gamma"];
  const world = await openWorld({
    "incidentctl.yaml": "version: 1\nconfig: [catalog.yaml]\n",
    "catalog.yaml": CATALOG,
    "services.csv": ["name,owner", ...owners.map((owner, at) => `Service ${at},${owner}`)].join("\n"),
  });
  onTestFinished(() => world.close());
  const { exit, stderr } = await world.run(plan, { paths: [] });
  expect(exit).toBe(1);
  const lines = stderr.split("\n").filter((line) => line.includes("references catalog_types/team/entries/"));
  const says = (line: string) => [/entries\/(alpha|beta|gamma)/, /\d+ times/].map((part) => part.exec(line)?.at(-1));
  expect(lines.slice(1).map(says)).toEqual([
    ["alpha", "6 times"],
    ["beta", undefined],
    ["gamma", undefined],
  ]);
});
