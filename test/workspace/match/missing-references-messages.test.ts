/** What an error about a missing reference says, and where. */

import { describe, expect, test } from "vitest";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { DeclaredResource } from "../../../src/config/resources/declared-resource.ts";
import { type ExemptPlace, exemptionsOf } from "../../../src/config/settings/exemptions.ts";
import { Source } from "../../../src/config/source/source.ts";
import type { Node, Span } from "../../../src/config/source/tree.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { listName } from "../../../src/kinds/model/resource.ts";
import { hasMissingReference, missingReferences } from "../../../src/workspace/match/missing-references.ts";
import { ResolvedState } from "../../../src/workspace/match/resolved-state.ts";
import { configured } from "../../support/plans/configuration.ts";
import { refused } from "../../support/plans/make-plan.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const severity = (...values: readonly string[]): Fields => ({
  condition_field: "severity",
  operator: "one_of",
  values,
});
const book = (...values: readonly string[]): Fields => named(`for-${values[0]}`, { conditions: [severity(...values)] });

function stateOf(document: Fields, more: Partial<Configuration> = {}): ResolvedState {
  return new ResolvedState(kinds, { ...configured(document), ...more }, { lists: [], unread: [] });
}

test("a field that a condition may read on several forms is missing on all of them", () => {
  const region = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] };
  const document = {
    custom_fields: [
      named("region", { field_type: "single_select", options: ["EU"] }),
      named("zone", { field_type: "text" }),
    ],
    forms: { resolve: [{ custom_field: "zone", conditions: [region] }] },
  };
  expect(refused(document)).toEqual([
    'E_REF forms/resolve/zone references "region" in one of forms/resolve, forms/declare, forms/update, but it is there neither in the files nor in the workspace',
  ]);
});

describe("a resource that is left alone", () => {
  const missing = (ignore: readonly string[], accepted: readonly ExemptPlace[]) =>
    missingReferences(stateOf({ runbooks: [book("ghost")] }, { exemptions: exemptionsOf(ignore, accepted) })).map(
      ({ message, help }) => [message, help],
    );

  test("because its absence is accepted, is missing for that reason", () => {
    expect(missing([], [{ address: "severities/ghost" }])).toEqual([
      [
        "runbooks/for-ghost references severities/ghost, which is missing in the workspace, and that is accepted",
        "To create it, delete its item from incidentctl.accepted.json.",
      ],
    ]);
  });

  test("because the settings ignore it, is in nobody's files", () => {
    expect(missing(["severities/*"], [{ address: "severities/ghost" }])).toEqual([
      [
        "runbooks/for-ghost references severities/ghost, which is neither in the files nor in the workspace",
        "Declare it, or correct the spelling.",
      ],
    ]);
  });
});

test("references of resources outside a partial run are not checked", () => {
  const document = { runbooks: [book("ghost"), book("phantom")], severities: [named("major")] };
  const missing = (...targets: readonly string[]) => {
    const state = stateOf(document, { reach: { targets, excludes: [] } });
    expect(hasMissingReference(state)).toBe(missingReferences(state).length > 0);
    return missingReferences(state).map(({ address }) => address);
  };
  expect(missing("runbooks/for-ghost")).toEqual(["runbooks/for-ghost"]);
  expect(missing()).toEqual(["runbooks/for-ghost", "runbooks/for-phantom"]);
  expect(missing("severities/major")).toEqual([]);
});

describe("a made reference", () => {
  const source = new Source("catalog.yaml", "catalog.yaml", "a\nb\nc\n");
  /** An entry whose owner was made out of a text of another file, by the template in line 3. */
  const made = (computed: string, key: string): DeclaredResource["origins"] => {
    const span = { start: 2, end: 3 };
    const template: Span = { start: 4, end: 5 };
    const leaf: Node = { ...span, type: "scalar", value: key, computed, madeAt: template };
    const map = (name: string, value: Node): Node => ({
      ...span,
      type: "map",
      members: new Map([[name, { ...span, value }]]),
    });
    return { source, tree: map("attributes", map("owner", leaf)), start: 0 };
  };
  const missing = (computed: string, key: string) => {
    const attribute = { name: "Owner", attribute_type: "reference", reference_type: "team" };
    const type = (slug: string, more: Fields) => named(slug, { ...more, entries: [] });
    const document = {
      catalog_types: [
        type("team", {}),
        named("rack", { attributes: [attribute], entries: [named("r1", { attributes: { owner: key } })] }),
      ],
    };
    const { declared, ...rest } = configured(document);
    const origins = made(computed, key);
    const all = declared.map((one) => (one.key === "r1" ? { ...one, origins } : one));
    return missingReferences(new ResolvedState(kinds, { ...rest, declared: all }, { lists: [], unread: [] }));
  };

  test("names the text that it was made of, and the template", () => {
    expect(missing("Web Team", "web-team")).toMatchObject([
      {
        message:
          'catalog_types/rack/entries/r1 references catalog_types/team/entries/web-team ("Web Team"), which is neither in the files nor in the workspace',
        at: { line: 2 },
        madeAt: { line: 3 },
      },
    ]);
  });

  test("needs no text that is the slug itself", () => {
    expect(missing("web", "web").map(({ message }) => message)).toEqual([
      "catalog_types/rack/entries/r1 references catalog_types/team/entries/web, which is neither in the files nor in the workspace",
    ]);
  });
});

test("entries of a missing type are errors at the place of their list, or where they start", () => {
  const all = configured({ catalog_types: [named("rack", { entries: [named("r1")] })] });
  const declared = all.declared.filter(({ kind }) => kind.name === "catalog_entries");
  const message =
    "catalog_types/rack/entries/r1 references catalog_types/rack, which is neither in the files nor in the workspace";
  const place = { file: "entries.yaml", line: 7, column: 3 };
  const listLocations = new Map([[listName("catalog_entries", "rack"), place]]);
  const missing = (more: Partial<Configuration>) =>
    missingReferences(stateOf({}, { declared, ...more })).map(({ message, at, madeAt }) => [message, at, madeAt]);
  expect(missing({ listLocations })).toEqual([[message, place, undefined]]);
  expect(missing({})).toEqual([[message, { file: "test.yaml", line: 1, column: 1 }, undefined]]);
});
