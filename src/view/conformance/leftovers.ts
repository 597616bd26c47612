/** The things that a check leaves in the workspace, and the abilities that its token lacks, in lines. */

import type { Leftover } from "../../conformance/rule.ts";
import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { thousands } from "../../core/value-text.ts";

/** The lacking abilities, one line for each resource; nothing if the token has all. */
export function lackingLines(lacking: readonly string[]): readonly string[] {
  if (lacking.length === 0) return [];
  const byResource = groupBy(lacking, (ability) => ability.split(": ")[0] ?? "");
  const lists = [...byResource].map(
    ([resource, abilities]) => `${resource}: ${abilities.map((ability) => ability.split(": ")[1]).join(", ")}`,
  );
  return ["the token lacks these abilities, and rules that need one are not applicable:", ...lists.map(indented)];
}

const namesInText = 5;

/** One line for each kind and state of what stays, with the names; of many only the first ones, unless verbose. */
export function leftoverLines(leftovers: readonly Leftover[], verbose: boolean): readonly string[] {
  const groups = groupBy(leftovers, ({ kind, state }) => `${kind}: ${state}`);
  return [...groups].map(([heading, group]) => {
    const shown = verbose ? group : group.slice(0, namesInText);
    const more = group.length - shown.length;
    const names = [...shown.map(({ name }) => name), ...(more === 0 ? [] : [`and ${more} more`])].join(", ");
    return sanitised(`${heading}: ${thousands(group.length)} (${names})`);
  });
}

function indented(line: string): string {
  return `  ${line}`;
}
