/** A013: two resources of the same color. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf, relatedPlace } from "../field-values.ts";
import { isEnabled, type PlannedResource, type PlannedWorkspace } from "../planned-workspace.ts";

export const repeatedColor: Analyzer = {
  id: "A013",
  name: "repeated-color",
  severity: "note",
  title: "Two resources of one kind have the same color.",
  why: "Responders recognize the color before they read the name, and confuse the two.",
  fix: "Give each of them its own color.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const { resources } of workspace.lists) {
    const firsts = new Map<string, PlannedResource>();
    for (const resource of resources) {
      const color = resource.value("color");
      if (typeof color !== "string" || resource.declared === undefined || !isEnabled(resource)) continue;
      const first = firsts.get(plain(color));
      if (first === undefined) {
        firsts.set(plain(color), resource);
        continue;
      }
      yield {
        message: `${resource.address} has the color of ${first.address}`,
        ...placeOf(resource, "/color"),
        ...relatedPlace(first, "first here", "/color"),
      };
    }
  }
}

/** The color in one spelling: `#ABC` is `#aabbcc`. */
function plain(color: string): string {
  const text = color.toLowerCase();
  return /^#[0-9a-f]{3}$/.test(text) ? text.replace(/[0-9a-f]/g, "$&$&") : text;
}
