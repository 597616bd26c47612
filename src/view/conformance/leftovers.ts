/** The things that a check leaves in the workspace, and the abilities that its token lacks, in lines. */

import type { Leftover } from "../../conformance/rule.ts";
import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";

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
  const groups = groupBy(leftovers, ({ kind, state }) => `${kind} ${state}`);
  return [...groups.values()].map((group) => {
    const [{ kind, state } = { kind: "", state: "" }] = group;
    const plural = `${kind.replace(/s$/, "se").replace(/([^e])y$/, "$1ie")}s`;
    const shown = verbose ? group : group.slice(0, namesInText);
    const more = group.length - shown.length;
    const names = [...shown.map(({ name }) => name), ...(more === 0 ? [] : [`and ${more} more`])].join(", ");
    return sanitised(`${counted(group.length, kind, plural)} (${state}): ${names}`);
  });
}

function indented(line: string): string {
  return `  ${line}`;
}
