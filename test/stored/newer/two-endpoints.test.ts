/** Commands against a service that answers a resource in one form in its list, and in another one by itself. */

import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { openTestWorld } from "../../commands/world.ts";
import { altersObjects, answeringIo } from "../altering.ts";

const RUNBOOK = (summary: string, more: Fields = {}): Fields => ({
  runbooks: [{ slug: "failover", name: "Failover", summary, ...more }],
});
const ENTRY = (notes: string): Fields => ({
  catalog_types: [
    {
      ...{ slug: "vendor", name: "Vendor", attributes: [{ name: "Notes", attribute_type: "text" }] },
      entries: [{ slug: "nordbank", name: "Nordbank", attributes: { notes } }],
    },
  ],
});

test.each<readonly [string, RegExp, readonly Fields[]]>([
  ["a runbook", /^\/runbooks\/failover$/, [RUNBOOK("It's on"), RUNBOOK("It's off")]],
  [
    "a runbook that is read by itself",
    /^\/runbooks\/failover$/,
    [RUNBOOK("It's on", { content: "Don't" }), RUNBOOK("It's off", { content: "Don't" })],
  ],
  [
    "an entry",
    /^\/catalog\/entries\/[^?]*$|^\/catalog\/types\/vendor\/entries\/[^?]*$/,
    [ENTRY("It's on"), ENTRY("It's off")],
  ],
])(
  "%s whose list shows another form changes, and nobody is blamed",
  async (_title, path, [before = {}, after = {}]) => {
    const world = await openTestWorld({
      "incidentctl.yaml": "version: 1\nconfig: [config]\n",
      "config/all.yaml": JSON.stringify(before),
    });
    let met = 0;
    const escaped = altersObjects(
      () => true,
      (row) => JSON.parse(JSON.stringify(row).replaceAll("'", "&#39;")),
    );
    Object.assign(
      world.io,
      answeringIo({ ...world.io }, (body, request) => {
        if (request.method !== "GET" || !path.test(request.path)) return body;
        met += 1;
        return escaped(body, request);
      }),
    );
    const changes = async (document: Fields) => {
      await world.write({ "config/all.yaml": JSON.stringify(document) });
      const applied = await world.run(apply, { paths: [], yes: true });
      expect(applied.exit, applied.stdout + applied.stderr).toBe(0);
      const planned = await world.run(plan, { paths: [], detailedExitcode: true });
      expect(planned.exit, planned.stdout).toBe(0);
    };
    await changes(before);
    await changes(after);
    expect(met).toBeGreaterThan(0);
    const undone = await world.run(undo, { paths: [] });
    expect(undone.exit, undone.stdout + undone.stderr).toBe(0);
    expect(undone.stdout).not.toContain("somebody");
  },
);
