import { expect, test } from "vitest";
import { addressIncludes, admits, linesOf, listAt } from "../../../src/config/resources/configuration.ts";
import { isIgnored } from "../../../src/config/settings/exemptions.ts";
import { inDirectory, loadDirectory } from "../../config/loading.ts";
import { deepFrozen, notPlain } from "../../support/plain-value.ts";

const files = {
  "a.yaml": "# first\nseverities: []\n",
  "incidentctl.yaml": "ignore: [severities/old*, severities/new#/name]\n",
};

test("a configuration is plain data: a structured clone is equal, has its lists and lines, and nothing is a getter or a method", async () => {
  await inDirectory(files, async (directory) => {
    const configuration = deepFrozen(await loadDirectory(directory));
    expect(notPlain(configuration)).toEqual([]);
    const clone = structuredClone(configuration);
    expect(clone).toEqual(configuration);
    expect(listAt(clone, "severities", "")).toMatchObject({ file: "a.yaml", line: 2, column: 1 });
    expect(isIgnored(clone.exemptions, "severities/older")).toBe(true);
    expect(listAt(clone, "statuses", "")).toBeUndefined();
    expect(linesOf(clone, "a.yaml")).toEqual(["# first", "severities: []", ""]);
    expect(linesOf(clone, "b.yaml")).toBeUndefined();
  });
});

test("a filter admits its targets and what is within them, all if it has none, and never what it excludes", () => {
  const filter = { targets: ["forms/incident"], excludes: ["forms/incident/fields/a"] };
  const addresses = ["forms/incident", "forms/incident/fields/b", "forms/incident/fields/a", "forms/incidents"];
  expect(addresses.map((address) => admits(filter, address))).toEqual([true, true, false, false]);
  expect(admits({ targets: [], excludes: [] }, "severities/critical")).toBe(true);
  expect(addressIncludes("forms/incident", "forms/incidents")).toBe(false);
});
