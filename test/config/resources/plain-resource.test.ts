import { expect, test } from "vitest";
import { expressionOf, locationOf, overriddenValues } from "../../../src/config/resources/origins.ts";
import { deepFrozen, notPlain } from "../../support/plain-value.ts";
import { inDirectory, loadDirectory } from "../loading.ts";

const files = {
  "severities.yaml": "severities:\n  - slug: critical\n    name: Critical\n    color: red\n",
  "incidentctl.yaml": "environments: { staging: { overlays: [staging.yaml] } }\n",
  "staging.yaml": "severities:\n  - slug: critical\n    color: blue\n",
};

test("a declared resource is plain data beside the functions of its kind: a copy has the same origins, and nothing is a getter", async () => {
  await inDirectory(files, async (directory) => {
    const { declared } = await loadDirectory(directory, { environment: "staging" });
    const [resource] = declared;
    if (resource === undefined) throw new Error("there is no resource");
    const { kind, origins, ...values } = resource;
    expect(notPlain({ ...values, kind: kind.name })).toEqual([]);
    expect(structuredClone(values)).toEqual(values);
    const copy = deepFrozen({ ...values, kind: kind.name, origins: { ...origins } });
    expect(locationOf(copy.origins, "/color")).toEqual({ file: "staging.yaml", line: 3, column: 12, length: 4 });
    expect(overriddenValues(copy.origins, "/color").map(({ written }) => written)).toEqual(["red"]);
    expect(expressionOf(copy.origins, "/color")).toBeUndefined();
    expect(locationOf(copy.origins, "/name")).toMatchObject({ file: "severities.yaml", line: 3 });
  });
});

test("a resource that no file declares has one location, which names the field if the resource is known", () => {
  const at = { file: "the journal of run 1", line: 1, column: 1 };
  const known = deepFrozen({ at, address: "severities/critical" });
  expect(notPlain(known)).toEqual([]);
  expect(locationOf({ at }, "/color")).toEqual(at);
  const field = { address: "severities/critical", pointer: "/color" };
  expect(locationOf(structuredClone(known), "/color")).toEqual({ ...at, field });
});
