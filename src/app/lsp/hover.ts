/** The explanation of the kind or field at a place, and of the resource that its value names. */

import { startOf } from "../../config/resources/origins.ts";
import { type Explanation, explain } from "../../config/resources/schema-docs.ts";
import { kinds } from "../../kinds/index.ts";
import { kindCalled } from "../../kinds/model/kind.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import { cursorAt, type FileWithTree, resourceAround } from "./cursor.ts";
import { namesAt, titleOf } from "./named-resource.ts";

/** An explanation in Markdown; undefined if there is nothing to explain. */
export function hoverText(
  file: FileWithTree,
  offset: number,
  workspace: ResolvedWorkspace | undefined,
): string | undefined {
  const names = workspace === undefined ? [] : namesAt(file, offset, workspace);
  const targets = names.flatMap(({ address, option, isDeclaration }) => {
    if (isDeclaration) return [];
    const declared = workspace?.state.configuration.declared.find((one) => one.address === address);
    if (declared === undefined) return [`**${address}**: not in the files`];
    const { file: path, line } = startOf(declared);
    const title = titleOf(declared);
    const named = title === undefined ? "" : `, ${title}`;
    return [`**${address}**${option === undefined ? "" : `, option ${option}`}${named} (${path}:${line})`];
  });
  const explanation = explanationAt(file, offset);
  const parts = [...targets.slice(0, 1), ...(explanation === undefined ? [] : [markdown(explanation)])];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** The explanation of the kind or field at a place. */
function explanationAt(file: FileWithTree, offset: number): Explanation | undefined {
  const around = resourceAround(file, offset, kinds);
  const { names, isKey } = cursorAt(file.node, offset);
  const path = around === undefined ? names.slice(0, 1) : [around.kind.name, ...around.cursor.names];
  const [kind = ""] = path;
  // A whole resource, or the blank between two, is no question.
  if (kindCalled(kinds, kind) === undefined || (path.length === 1 && !isKey)) return undefined;
  const explanation = explain(kinds, path);
  return "unknown" in explanation ? undefined : explanation;
}

/** An explanation in Markdown. */
function markdown({ name, type, description, notes, values = [], example }: Explanation): string {
  return [
    `**${name}** *${type}*`,
    description,
    ...notes,
    ...(values.length === 0 ? [] : [`Values: ${values.map((value) => `\`${String(value)}\``).join(", ")}`]),
    ...(example === undefined ? [] : [`\`\`\`yaml\n${example}\n\`\`\``]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
