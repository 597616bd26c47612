import { describe, expect, test } from "vitest";
import { incidentsUsing, incidentsWithOption } from "../../../src/workspace/match/incident-usage.ts";
import { contextOf } from "../../support/plans/make-plan.ts";

const levels = {
  severities: [
    { id: "s1", slug: "critical", name: "Critical" },
    { id: "s2", slug: "major", name: "Major" },
  ],
};

describe("the incidents of a resource", () => {
  test("are known by its id, and unknown without a count", () => {
    const { state, usage } = contextOf({}, { live: levels, held: { s1: 4 }, uncounted: ["s2"] });
    const [critical, major] = state.live("severities") ?? [];
    expect(critical === undefined ? undefined : incidentsUsing(usage, critical)).toEqual({ count: 4 });
    expect(major === undefined ? undefined : incidentsUsing(usage, major)).toBeUndefined();
  });

  test("of an option are known by its label or its id, and unknown without a count", () => {
    const options = [
      { id: "o1", label: "EU" },
      { id: "o2", label: "US" },
      { id: "o3", label: "MEA" },
    ];
    const live = {
      custom_fields: [
        { slug: "region", options },
        { slug: "zone", options },
      ],
    };
    const { state, usage } = contextOf({}, { live, chosen: { region: { EU: 2, o2: 3 } } });
    const [region, zone] = state.live("custom_fields") ?? [];
    if (region === undefined || zone === undefined) throw new Error("two fields were given");
    expect(["EU", "US", "MEA"].map((label) => incidentsWithOption(usage, region, "options", label))).toEqual([2, 3, 0]);
    expect(incidentsWithOption(usage, zone, "options", "EU")).toBeUndefined();
    expect(incidentsWithOption(usage, region, "options", "Elsewhere")).toBe(0);
    expect(incidentsWithOption(usage, region, "labels", "EU")).toBe(2);
  });
});
