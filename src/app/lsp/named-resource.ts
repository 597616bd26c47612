/** The resource that a place in a file names: where it is declared, and everything that references it. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { ListHeading } from "../../config/resources/lists.ts";
import { fileOf, locationOf } from "../../config/resources/origins.ts";
import { loadRoutingTests } from "../../config/resources/routing-tests.ts";
import { testReferences } from "../../config/rules/routing-tests.ts";
import { placeOf } from "../../config/source/tree.ts";
import { InvalidConfiguration, type Location } from "../../core/diagnostic.ts";
import { isFields, listIn, pointerIsWithin, stepsOf, textIn, valueAt } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import { addressOf, addressPrefix } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import {
  allListsOf,
  cursorAt,
  type FileWithTree,
  type ResourceAround,
  resourceAround,
  writtenFields,
} from "./cursor.ts";
import type { EditedProject } from "./edited-project.ts";

/** A resource, or an option of one. */
export interface NamedResource {
  readonly address: string;
  /** The label of the option. */
  readonly option?: string | undefined;
}

/** A resource that a place names, and the place of the name. */
export interface NameAt extends NamedResource {
  readonly at: Location;
  /** The place declares it. */
  readonly isDeclaration: boolean;
}

/** The resources that the value or key at an offset names, the likeliest first. */
export function namesAt(file: FileWithTree, offset: number, workspace: ResolvedWorkspace): readonly NameAt[] {
  const around = resourceAround(file, offset, kinds);
  if (around === undefined) return scopeAt(file, offset);
  if (around.cursor.isKey || around.cursor.node.type !== "scalar") return [];
  const at = placeOf(around.cursor.node, file.source);
  const declared = declaredAt(around, file, workspace);
  // The key of a form's field is the custom field that it shows: a reference says more than a declaration.
  const references = referencesAt(around, declared, workspace);
  if (references.length > 0) return references.map((name) => ({ ...name, at, isDeclaration: false }));
  const own = declaredName(around, declared);
  return own === undefined ? [] : [{ ...own, at, isDeclaration: true }];
}

/** The scope whose key is at an offset: the alert source of rules, the type of entries. */
function scopeAt(file: FileWithTree, offset: number): readonly NameAt[] {
  const { member, isKey } = cursorAt(file.node, offset);
  if (!isKey || member === undefined) return [];
  const at = placeOf(member, file.source);
  return allListsOf(file, kinds).flatMap((list) => {
    const address = isSame(list.at, at) ? scopeAddress(list) : undefined;
    return address === undefined ? [] : [{ address, at, isDeclaration: false }];
  });
}

/** The address of the resource that the key of a list names; undefined if it names none. */
function scopeAddress({ of, scope }: ListHeading): string | undefined {
  const name = of.scopes?.kind ?? (of.parent?.apart === true ? of.parent.kind : undefined);
  const kind = kinds.find((one) => one.name === name);
  return kind === undefined || scope === "" ? undefined : addressOf(kind, "", scope);
}

/** The declared resource around a place; undefined if it cannot be loaded. */
function declaredAt(
  { kind, node }: ResourceAround,
  { source }: FileWithTree,
  workspace: ResolvedWorkspace,
): DeclaredResource | undefined {
  return workspace.state.configuration.declared.find(
    (one) =>
      one.kind === kind && "start" in one.origins && one.origins.start === node.start && fileOf(one) === source.file,
  );
}

/** The resource or option that a place declares. */
function declaredName(
  { kind, scope, cursor, node }: ResourceAround,
  declared: DeclaredResource | undefined,
): NamedResource | undefined {
  const [field = "", index, part] = cursor.steps;
  const fields = writtenFields(node);
  const key =
    declared?.key ?? kind.identity.keys.map((name) => fields[name]).find((value) => typeof value === "string");
  if (typeof key !== "string") return undefined;
  const address = declared?.address ?? addressPrefix(kind, scope) + key;
  if (kind.identity.keys.includes(field) && index === undefined) return { address };
  if (kind.fields?.[field]?.optionList !== true || index === undefined || (part !== undefined && part !== "label"))
    return undefined;
  const option = listIn(fields[field])[Number(index)];
  return option === undefined ? undefined : { address, option: optionLabel(option) };
}

/** The references of a value of a resource, those to declared resources first. */
function referencesAt(
  { kind, scope, node, pointer }: ResourceAround,
  declared: DeclaredResource | undefined,
  { graph, state }: ResolvedWorkspace,
): readonly NamedResource[] {
  // The declared fields have the key where the file has another name of the resource.
  const fields = declared?.fields ?? writtenFields(node);
  const inFields = pointer.replace(/^\/extra(?=\/)/, "");
  const all = graph.referencesOf({ kind, scope, fields }).filter(({ reference }) => reference.at === inFields);
  const known = new Set(state.configuration.declared.map(({ address }) => address));
  const named = all.map(({ address, reference: { option } }) => ({ address, option }));
  return named.toSorted((left, right) => rank(left) - rank(right));

  // An option is more precise than its field, and the field than its place on a form.
  function rank({ address, option }: NamedResource): number {
    return (known.has(address) ? 0 : 2) + (option === undefined ? 1 : 0);
  }
}

/** The place where a resource or an option is declared. */
export function declarationOf({ address, option }: NamedResource, { state }: ResolvedWorkspace): readonly Location[] {
  return state.configuration.declared
    .filter((one) => one.address === address)
    .map((resource) =>
      locationOf(resource.origins, option === undefined ? `/${resource.keyField}` : optionPointer(resource, option)),
    );
}

/** The JSON Pointer to the label of an option. */
export function optionPointer({ kind, fields }: DeclaredResource, label: string): string {
  for (const [name, { optionList }] of Object.entries(kind.fields ?? {})) {
    if (optionList !== true) continue;
    const index = listIn(fields[name]).findIndex((option) => optionLabel(option) === label);
    const pointer = `/${name}/${index}`;
    if (index >= 0) return isFields(valueAt(fields, stepsOf(pointer))) ? `${pointer}/label` : pointer;
  }
  return "";
}

/** Every place in the files that references a resource or an option by its key or label. */
export function referencesTo(
  { address, option }: NamedResource,
  workspace: ResolvedWorkspace,
  files: readonly FileWithTree[],
  project: EditedProject,
): readonly Location[] {
  const { configuration } = workspace.state;
  const references = configuration.declared.flatMap((resource) =>
    workspace.graph.referencesOf(resource).flatMap(({ reference, address: target }) => {
      if (target !== address || reference.option !== option || reference.at === "") return [];
      return [locationOf(resource.origins, reference.at)];
    }),
  );
  const scopes =
    option !== undefined
      ? []
      : files.flatMap((file) =>
          allListsOf(file, kinds).flatMap((list) => (scopeAddress(list) === address ? [list.at] : [])),
        );
  const tests = option !== undefined ? [] : testReferencesTo(address, workspace, project);
  return distinctPlaces([...references, ...scopes, ...tests]);
}

function testReferencesTo(address: string, { state }: ResolvedWorkspace, project: EditedProject): readonly Location[] {
  try {
    const options = { cwd: project.home, check: () => {}, mayBeEmpty: true, tree: project.tree };
    return testReferences(loadRoutingTests([], state.configuration, options)).flatMap(({ kind, key, at }) =>
      address === `${kind}/${key}` ? [at] : [],
    );
  } catch (error) {
    // Tests with errors have findings of their own.
    if (error instanceof InvalidConfiguration) return [];
    throw error;
  }
}

/** The places without repetitions. */
export function distinctPlaces(places: readonly Location[]): readonly Location[] {
  return [...new Map(places.map((at) => [`${at.file}:${at.line}:${at.column}`, at])).values()];
}

function isSame(one: Location, other: Location): boolean {
  return one.line === other.line && one.column === other.column;
}

/** The display name of a resource; undefined if it is the key, or came from the environment. */
export function titleOf({ kind, key, fields, secrets }: DeclaredResource): string | undefined {
  const { displayName = "name" } = kind.identity;
  const title = textIn(fields[displayName]);
  return title === key || secrets.some((pointer) => pointerIsWithin(pointer, `/${displayName}`)) ? undefined : title;
}
