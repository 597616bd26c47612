import { expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { childrenOf, hasOneList, type Kind, ownerKindOf, topKindOf } from "../../../src/kinds/model/kind.ts";

function kindOf(name: string): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}

test("a nested kind belongs to its parent, a kind with scopes to the kind of its scopes, and others to none", () => {
  const owners = ["catalog_entries", "grants", "routing_rules", "forms", "severities"].map((name) =>
    ownerKindOf(kindOf(name)),
  );
  expect(owners).toEqual(["catalog_types", "agents", "alert_sources", undefined, undefined]);
});

test("files declare a nested kind under the key of its parent", () => {
  expect(["catalog_entries", "forms", "severities"].map((name) => topKindOf(kindOf(name)))).toEqual([
    "catalog_types",
    "forms",
    "severities",
  ]);
});

test("the children of a kind are those nested in it", () => {
  const children = (name: string) => childrenOf(kinds, { name }).map((kind) => kind.name);
  expect([children("agents"), children("catalog_types"), children("alert_sources")]).toEqual([
    ["grants"],
    ["catalog_entries"],
    [],
  ]);
});

test("only a kind without parent and scopes has one list", () => {
  const single = ["catalog_entries", "grants", "routing_rules", "forms", "severities"].filter((name) =>
    hasOneList(kindOf(name)),
  );
  expect(single).toEqual(["severities"]);
});
