/**
 * The refusals that only plan can find are found under every dialect of the service, or the service accepts the request. `npm test` tries
 * each of them under one dialect, the larger sample under all.
 */

import { expect, test } from "vitest";
import { dialectChoices, parseDialects } from "../../src/emulator/dialects.ts";
import { someOf } from "../support/samples/sample-size.ts";
import { withScene } from "./refused.ts";
import { REFUSALS } from "./table.ts";

const rows = Object.values(REFUSALS)
  .flat()
  .filter(({ caught }) => caught === "plan");

const dialects = dialectChoices().map(([name, [, other = ""]]) => `${name}=${other}`);

const cases = rows.flatMap((row, index) =>
  someOf(dialects, index).map((dialect) => ({ row, rule: row.rule, dialect })),
);

test.each(cases)("$rule ($dialect)", async ({ row, dialect }) => {
  await withScene({ ...row, dialects: parseDialects([dialect]) }, async ({ run, send }) => {
    const planned = await run("plan", "--format", "json");
    const { status } = await send(row.request);
    if (status < 400) return;
    if (planned.exit === 1) expect(planned.stderr).toContain(row.address);
    else expect(JSON.parse(planned.stdout).blocked, planned.stdout).not.toEqual([]);
  });
});
