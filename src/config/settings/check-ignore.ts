/** Checks the setting `ignore`: its patterns, and that nothing is both declared and ignored. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { fieldsIn } from "../../core/json.ts";
import { childrenOf, type Kind, LIFECYCLE } from "../../kinds/model/kind.ts";
import { resourceSchema } from "../schema/schema.ts";
import { type IgnorePattern, parseIgnore } from "./exemptions.ts";

/** A pattern of `ignore`, and its place in the settings. */
export interface LocatedPattern {
  readonly text: string;
  readonly at: Location | undefined;
}

/** Records patterns that can match nothing, or part of what only changes as a whole. */
export function checkPatterns(patterns: readonly LocatedPattern[], kinds: readonly Kind[], findings: Findings): void {
  const top = kinds.filter(({ parent }) => parent === undefined);
  for (const { text, at } of patterns) {
    const pattern = parseIgnore(text);
    const [name = ""] = pattern.address.split("/");
    const kind = top.find((one) => one.name === name);
    if (kind === undefined) {
      const names = top.map((one) => one.name);
      const help = findings.guess(name, names) ?? `The kinds are: ${names.join(", ")}.`;
      findings.error("E_ADDRESS", `there is no kind "${name}"`, at, { help });
    } else if (kind.lifecycle.order === "rank") checkRanked(pattern, kind, at, findings);
    else checkField(pattern, text, kindsAt(pattern, kind, kinds), at, findings);
  }
}

/** The first rule that matches decides, so a list without one of its rules is another list. */
function checkRanked({ address, path }: IgnorePattern, kind: Kind, at: Location | undefined, findings: Findings): void {
  if (path === undefined && address.endsWith("/*")) return;
  const scope = address.slice(0, Math.max(address.lastIndexOf("/"), 0));
  const list = scope.includes("/") ? scope : address;
  findings.error("E_IGNORE", `a single ${kind.title} cannot be ignored, only a whole list`, at, {
    help: `The order of a list decides which ${kind.title} matches. Write ${list}/* to ignore the list.`,
  });
}

/** The kinds whose addresses a pattern may match: `*` matches slashes as well. */
function kindsAt({ address }: IgnorePattern, kind: Kind, kinds: readonly Kind[]): readonly Kind[] {
  const children = childrenOf(kinds, kind);
  const [, key = "", field] = address.split("/");
  const named = children.filter(({ parent }) => parent?.field === field);
  if (named.length > 0) return named;
  return key.includes("*") || field?.includes("*") === true ? [kind, ...children] : [kind];
}

function checkField(
  { path }: IgnorePattern,
  text: string,
  kinds: readonly Kind[],
  at: Location | undefined,
  findings: Findings,
): void {
  const [, behind] = /#([^/#]*)$/.exec(path === undefined ? text : "") ?? [];
  const isFieldName = behind !== undefined && kinds.some((kind) => fieldsOf(kind).includes(behind));
  if (path === undefined && !isFieldName) return;
  if (path === undefined) {
    findings.error("E_ADDRESS", `"${text}" has no slash between # and the field`, at, {
      help: `Write ${text.slice(0, -(behind ?? "").length)}/${behind}.`,
    });
    return;
  }
  const [name = "", ...members] = path.slice(1).split("/");
  const known = [...new Set(kinds.flatMap(fieldsOf))];
  const title = kinds[0]?.title ?? "resource";
  if (kinds.every(({ identity }) => identity.keys.includes(name))) {
    findings.error("E_IGNORE", `the ${name} of a ${title} cannot be ignored: it names the ${title}`, at, {
      help: `To ignore the whole ${title}, leave out #${path}.`,
    });
  } else if (!known.includes(name)) {
    const help = findings.guess(name, known) ?? `Its fields are: ${known.join(", ")}.`;
    findings.error("E_FIELD", `a ${title} has no field "${name}"`, at, { help });
  } else if (members.length > 0 && !kinds.some(({ fields }) => fields?.[name]?.alwaysSend === true)) {
    findings.error("E_IGNORE", `a part of the ${name} of a ${title} cannot be ignored, only all of it`, at, {
      help: `Write ${text.slice(0, text.indexOf("#"))}#/${name}.`,
    });
  }
}

/** The fields that files can declare, without those that nest resources. */
function fieldsOf(kind: Kind): readonly string[] {
  const { properties } = resourceSchema(kind).part;
  const names = Object.keys(fieldsIn(properties));
  return names.filter((name) => !LIFECYCLE.includes(name) && name !== kind.identity.pin);
}
