/** The lists of a configuration file: the kinds and scopes that it manages. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { isFields } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import { shellWord } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { resourceSchema } from "../schema/schema.ts";
import type { ParsedFile } from "../source/parsed-file.ts";
import type { Source } from "../source/source.ts";
import { type MapNode, type Member, type Node, placeOf } from "../source/tree.ts";
import { literalText } from "../values/substitution.ts";
import type { ManagedList } from "./configuration.ts";

/** A list in a file. */
export interface OwnedList extends ManagedList {
  readonly of: Kind;
  /** The place of its key. */
  readonly at: Location;
  readonly source: Source;
  readonly items: readonly Node[];
}

/** A list without its items, which can be large. */
export interface ListHeading extends Omit<OwnedList, "items"> {
  /** Keys of resources that are missing or not valid: the list may declare more than is known. */
  hasInvalidKeys?: true;
}

/** Returns the heading of a list. */
export function headingOf({ of, kind, scope, at, source }: OwnedList): ListHeading {
  return { of, kind, scope, at, source };
}

/** Returns every list of a file that is not nested in a resource, in file order. */
export function listsOf(
  file: Pick<ParsedFile, "source" | "node">,
  kinds: readonly Kind[],
  findings: Findings,
): readonly OwnedList[] {
  const { source, node } = file;
  if (node.type !== "map") {
    findings.error(
      "E_ROOT_TYPE",
      "a configuration file must be a mapping of kinds to lists",
      source.location(node.start),
      {
        help: "Begin with the name of a kind, such as severities:.",
      },
    );
    return [];
  }
  if (node.members.has("format_version") && node.members.has("operations")) {
    findings.error("E_PLAN_FILE", "this is a saved plan, not a configuration", source.location(node.start), {
      help: `To apply it, give it as --plan ${shellWord(source.file)}.`,
    });
    return [];
  }
  const top = new Map(kinds.flatMap((kind) => (isTop(kind) ? [[kind.name, kind] as const] : [])));
  const nested = new Map(kinds.flatMap((kind) => (isTop(kind) ? [] : [[kind.name, kind] as const])));
  const unknown = new Map<string, [name: string, member: Member][]>();
  const lists = [...node.members].flatMap(([name, member]) => {
    const kind = top.get(name);
    if (kind !== undefined) return kindLists(kind, member, source, findings);
    const help = nestedHelp(nested.get(name)) ?? elsewhereHelp(name, source) ?? findings.guess(name, top.keys()) ?? "";
    addTo(unknown, help, [name, member]);
    return [];
  });
  for (const [help, keys] of unknown) refuseKeys(keys, help, [...top.values()], source, findings);
  return lists;
}

/** Reports keys that are no kind's name and have the same help as one error: they have one cause. */
function refuseKeys(
  keys: readonly (readonly [name: string, member: Member])[],
  help: string,
  kinds: readonly Kind[],
  source: Source,
  findings: Findings,
): void {
  const [[first, member] = []] = keys;
  if (first === undefined || member === undefined) return;
  const names = keys.map(([name]) => `"${name}"`);
  findings.error("E_UNKNOWN_KEY", `there is no kind ${joinWords(names, "or")}`, placeOf(member, source), {
    help: help === "" ? kindsHelp(first, kinds) : help,
  });
}

/** The names of the kinds, as help for a key that is near to none; it may be the field of a resource. */
function kindsHelp(key: string, kinds: readonly Kind[]): string {
  const isField = kinds.some((kind) => {
    const { properties } = resourceSchema(kind).part;
    return isFields(properties) && Object.hasOwn(properties, key);
  });
  const hint = isField ? `If "${key}" is a field, indent it like the other fields of its resource. ` : "";
  return `${hint}The kinds are: ${kinds.map(({ name }) => name).join(", ")}.`;
}

const SETTINGS = "Settings belong in incidentctl.yaml.";

/** Help for a key of another file. */
function elsewhereHelp(name: string, { file }: Source): string | undefined {
  const help = ELSEWHERE.get(name);
  const isMisnamed = help === SETTINGS && /(?:^|\/)incidentctl\.yml$/.test(file);
  return isMisnamed ? `The settings file must be named incidentctl.yaml: rename ${file}.` : help;
}

/** Help for keys that belong in other files. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["routing_tests", "Routing tests belong in files named *.test.yaml."],
  ...[
    "version",
    "base_url",
    "config",
    "removal",
    "limits",
    "protected",
    "vars",
    "environment_variables",
    "routing",
    "environments",
  ].map((name): [string, string] => [name, SETTINGS]),
]);

/** Whether a kind has a key of its own at the top of a file. */
export function isTop({ parent }: Kind): boolean {
  return parent === undefined || parent.apart === true;
}

function nestedHelp(kind: Kind | undefined): string | undefined {
  if (kind?.parent === undefined) return undefined;
  return `Write them under ${kind.parent.field} of a resource of ${kind.parent.kind}.`;
}

function kindLists(kind: Kind, member: Member, source: Source, findings: Findings): readonly OwnedList[] {
  const { scopes, parent } = kind;
  if (parent !== undefined)
    return descend({ kind, scopes: undefined, source, findings }, [["*"]], kind.name, member, "");
  if (scopes === undefined) return list(kind, "", kind.name, member, source, findings);
  const patterns = scopes.patterns.map((pattern) => pattern.slice(1).split("/"));
  return descend({ kind, scopes: scopes.names, source, findings }, patterns, kind.name, member, "");
}

/** The keys that lead to a list of a kind in a file; of a nested kind, to one that stands apart. */
export function listPath({ name, scopes, parent }: Kind, scope: string): readonly string[] {
  if (parent !== undefined) return [name, scope];
  const pattern = scopes?.patterns.find((one) => one.includes("*") === (scope !== ""));
  const steps = pattern?.slice(1).split("/") ?? [];
  return [name, ...steps.map((step) => (step === "*" ? scope : step))];
}

interface Descent {
  readonly kind: Kind;
  readonly scopes: readonly string[] | undefined;
  readonly source: Source;
  readonly findings: Findings;
}

/** Follows the patterns of a kind's scopes through mappings to its lists. */
function descend(
  descent: Descent,
  patterns: readonly (readonly string[])[],
  name: string,
  member: Member,
  scope: string,
): readonly OwnedList[] {
  const { kind, scopes, source, findings } = descent;
  if (patterns.some((pattern) => pattern.length === 0)) return list(kind, scope, name, member, source, findings);
  const names = [...patterns.flatMap(([first = "*"]) => (first === "*" ? [] : [first])), ...(scopes ?? [])];
  const map = mapping(name, names, member, source, findings);
  if (map === undefined) return [];
  return [...map.members].flatMap(([written, below]) => {
    const key = literalText(written);
    if (key === undefined) {
      const help = `Write $\${ for the characters themselves.`;
      findings.error("E_SUBSTITUTION", "a key cannot have a substitution", placeOf(below, source), { help });
      return [];
    }
    const plain = patterns.filter(([first]) => first === key);
    const open = patterns.filter(([first]) => first === "*" && (scopes === undefined || scopes.includes(key)));
    const chosen = plain.length > 0 ? plain : open;
    if (chosen.length === 0) {
      findings.error("E_UNKNOWN_KEY", `"${name}" has no "${key}"`, placeOf(below, source), {
        help: findings.guess(key, names) ?? `Its keys are: ${names.join(", ")}.`,
      });
      return [];
    }
    const rest = chosen.map((pattern) => pattern.slice(1));
    return descend(descent, rest, key, below, plain.length > 0 ? scope : key);
  });
}

/** Returns the list of a nested kind in a resource; undefined if the resource does not have it, so it is not managed. */
export function nestedList(kind: Kind, resource: Node, scope: string, source: Source): OwnedList | undefined {
  if (resource.type !== "map" || kind.parent === undefined) return undefined;
  const member = resource.members.get(kind.parent.field);
  if (member?.value.type !== "list") return undefined;
  return { of: kind, kind: kind.name, scope, at: placeOf(member, source), source, items: member.value.items };
}

function list(
  kind: Kind,
  scope: string,
  name: string,
  member: Member,
  source: Source,
  findings: Findings,
): readonly OwnedList[] {
  const { value } = member;
  if (value.type === "list") {
    return [{ of: kind, kind: kind.name, scope, at: placeOf(member, source), source, items: value.items }];
  }
  if (value.type === "scalar" && value.value === null) {
    findings.error("E_NULL", `"${name}" has no value`, placeOf(member, source), {
      help: "To have none, write []. To not manage them, remove the key.",
    });
  } else {
    findings.error("E_TYPE", `"${name}" must be a list`, source.location(value.start, value.end), {
      help: `Begin each ${kind.title} with a hyphen.`,
    });
  }
  return [];
}

function mapping(
  name: string,
  keys: readonly string[],
  member: Member,
  source: Source,
  findings: Findings,
): MapNode | undefined {
  const { value } = member;
  if (value.type === "map") return value;
  if (value.type === "scalar" && value.value === null) {
    findings.error("E_NULL", `"${name}" has no value`, placeOf(member, source), {
      help: "To not manage them, remove the key.",
    });
  } else {
    findings.error("E_TYPE", `"${name}" must be a mapping`, source.location(value.start, value.end), {
      help:
        keys.length === 0
          ? `Write lists by the key of what has them: ${name}: { KEY: [] }.`
          : `Its keys are: ${keys.join(", ")}.`,
    });
  }
  return undefined;
}
