/** Made resources whose live ones are in doubt: no plan makes a second one, or changes the wrong one. */

import { describe, expect, test } from "vitest";
import type { DeclaredResource } from "../../../src/config/resources/declared-resource.ts";
import { Source } from "../../../src/config/source/source.ts";
import type { Node } from "../../../src/config/source/tree.ts";
import type { Fields } from "../../../src/core/json.ts";
import { matchResources } from "../../../src/workspace/match/match.ts";
import { stateOf } from "../../support/plans/make-plan.ts";

describe("a made resource in doubt is left alone, and one that is written by hand is an error", () => {
  const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
  const source = new Source("catalog.yaml", "catalog.yaml", "catalog_types:\n  - slug: rack\n");
  const template = { start: 17, end: 21 };
  const scalar = (value: string): Node => ({ start: 0, end: 1, type: "scalar", value });
  const entry = (tree: Partial<Node>, members: Readonly<Record<string, Node>>): DeclaredResource["origins"] => {
    const all = Object.entries(members).map(([name, value]) => [name, { start: 0, end: 1, value }] as const);
    return { source, tree: { ...tree, start: 0, end: 1, type: "map", members: new Map(all) }, start: 0 };
  };
  const own = { slug: scalar("new"), name: scalar("Web"), external_id: scalar("1") };
  const byHand = entry({}, { ...own, name: { ...scalar("Web"), madeAt: template } });
  const unnamed = entry({ madeAt: template }, own);
  const made = [
    unnamed,
    entry({}, { ...own, slug: { ...scalar("new"), madeAt: template } }),
    entry({ madeAt: template }, { ...own, slug: { ...scalar("new"), madeAt: template } }),
  ];

  const judged = (origins: DeclaredResource["origins"], row: Fields, live: readonly Fields[], staying = true) => {
    const document = { catalog_types: [named("rack", { entries: [row] })] };
    const state = stateOf(document, { live: { catalog_types: [named("rack")], "catalog_entries rack": live } });
    const declared = state.declaredIn("catalog_entries", "rack").map((one) => ({ ...one, origins }));
    const found = matchResources(declared, state.live("catalog_entries", "rack") ?? [], () => !staying);
    const said = ({ code, message, help, madeAt }: (typeof found.errors)[number]) =>
      [`${code} ${message}`, help, madeAt?.line].filter((part) => part !== undefined);
    return {
      errors: found.errors.map(said),
      unsettled: found.unsettled.map(({ live: one, reason }) => [one?.key, ...said(reason)]),
    };
  };

  test("whose origin is that of another live one, and whose key is taken", () => {
    const row = named("new", { source: "csv", external_id: "1" });
    const live = [named("old", { source: "csv", external_id: "1" }), named("new"), named("alone", { source: "csv" })];
    const message =
      "E_OTHER_SLUG catalog_types/rack/entries/old has the source and external_id of catalog_types/rack/entries/new; creating that would change the live one instead";
    expect(judged(byHand, row, live)).toEqual({
      errors: [[message, 'Give it the slug "old" to manage that one, or another external_id.']],
      unsettled: [],
    });
    for (const origins of made) {
      const { errors, unsettled } = judged(origins, row, live);
      expect(errors).toEqual([]);
      expect(unsettled.map((one) => one.slice(0, 3))).toEqual([
        [
          "old",
          message,
          "Its new slug is that of another catalog entry, or stands for one elsewhere: give the two different ones, or another external_id.",
        ],
      ]);
    }
  });

  test("whose name is that of another live one, unless the plan removes that one", () => {
    const row = named("new", { name: "Web" });
    const live = [named("old", { name: "web" })];
    const message =
      'E_OTHER_SLUG a live catalog entry with the slug "old" is already named "web"; creating catalog_types/rack/entries/new would make a second one';
    const write = "Write slug: old to manage that one, or choose another name.";
    for (const staying of [true, false])
      expect(judged(byHand, row, live, staying)).toEqual({ errors: [[message, write]], unsettled: [] });
    for (const origins of made) {
      const make = "Make the slug old of it to manage that one, rename one of the two, or exclude the document.";
      const template = origins === unnamed ? [] : [2];
      expect(judged(origins, row, live)).toEqual({ errors: [], unsettled: [[undefined, message, make, ...template]] });
      expect(judged(origins, row, live, false)).toEqual({ errors: [], unsettled: [] });
    }
  });

  test("whose slug a renamed one keeps in the service", () => {
    const row = named("old", { name: "Another" });
    const renamed = [named("old", { source: "csv", external_id: "1" })];
    const naming = named("kept", { source: "csv", external_id: "1" });
    const document = { catalog_types: [named("rack", { entries: [naming, row] })] };
    const state = stateOf(document, { live: { catalog_types: [named("rack")], "catalog_entries rack": renamed } });
    expect(
      matchResources(
        state.declaredIn("catalog_entries", "rack"),
        state.live("catalog_entries", "rack") ?? [],
      ).errors.map(({ message, help }) => [message, help]),
    ).toEqual([
      [
        'catalog_types/rack/entries/kept was renamed and keeps the slug "old" in the service; catalog_types/rack/entries/old cannot have it too',
        "Choose another slug.",
      ],
    ]);
  });
});
