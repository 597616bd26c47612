/** The way to find out which incidents use a resource. The interface's list of incidents has a filter only for some kinds. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { type Kind, mayReference } from "../../kinds/model/kind.ts";
import { addressOf, type LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedWorkspace } from "./resolve.ts";

/** A way to count the incidents that use a resource. */
export type IncidentSearch =
  /** The list of incidents has a query parameter for the resource's id. */
  | { readonly by: "filter"; readonly parameter: string }
  /** The incidents themselves are read. `isUsedBy`: undefined if an incident does not say. */
  | { readonly by: "reading"; readonly isUsedBy: (incident: Fields) => boolean | undefined }
  /** No list says it. */
  | { readonly by: "nothing" };

/** The way to count the incidents that use a live resource; undefined if incidents cannot use it. */
export function incidentSearch(workspace: Workspace, live: LiveResource): IncidentSearch | undefined {
  const { countedBy, namedIn, answeredIn, incidentsUnknown } = live.kind.references ?? {};
  if (incidentsUnknown === true) return { by: "nothing" };
  if (countedBy !== undefined) {
    return typeof live.row.id === "string" ? { by: "filter", parameter: countedBy } : { by: "nothing" };
  }
  if (namedIn !== undefined) return { by: "reading", isUsedBy: (incident) => isNamed(live, incident[namedIn]) };
  if (answeredIn !== undefined) {
    const isUsedBy = (incident: Fields) => {
      const answers = answersOf(incident, answeredIn, live.key);
      return answers === undefined ? undefined : answers.length > 0;
    };
    return { by: "reading", isUsedBy };
  }
  return searchOfChoices(workspace, live);
}

/** The kinds of fields that incidents may answer with resources of a kind, because the fields may reference its parent. */
export function answeredKinds(kinds: Iterable<Kind>, choice: Kind): readonly Kind[] {
  const all = [...kinds];
  const parent = all.find(({ name }) => name === choice.parent?.kind);
  if (parent === undefined) return [];
  return all.filter((kind) => kind.references?.answeredIn !== undefined && mayReference(kind, parent, ""));
}

type Workspace = Pick<ResolvedWorkspace, "state" | "graph">;

/** The search for a resource that is a choice of fields which incidents answer, because the fields reference its parent. */
function searchOfChoices({ state, graph }: Workspace, live: LiveResource): IncidentSearch | undefined {
  const parent = state.kinds.get(live.kind.parent?.kind ?? "");
  if (parent === undefined) return undefined;
  const address = addressOf(parent, "", live.scope);
  const kinds = answeredKinds(state.kinds.values(), live.kind);
  if (kinds.some(({ name }) => state.live(name) === undefined)) return { by: "reading", isUsedBy: () => undefined };
  const fields = kinds.flatMap(({ name, references }) =>
    (state.live(name) ?? [])
      .filter((field) => graph.referencesOf(field).some((reference) => reference.address === address))
      .map(({ key }) => ({ answeredIn: references?.answeredIn ?? "", key })),
  );
  if (fields.length === 0) return undefined;
  const names = new Set(namesOf(live));
  const holds = (incident: Fields) => {
    const answers = fields.map(({ answeredIn, key }) => answersOf(incident, answeredIn, key));
    const isHeld = answers.some((values) => values?.some((value) => textsOf(value).some((text) => names.has(text))));
    if (isHeld) return true;
    return answers.includes(undefined) ? undefined : false;
  };
  return { by: "reading", isUsedBy: holds };
}

/** Whether a value of an incident names the resource: by its id or, if the value has none, by its key or name. */
function isNamed(live: LiveResource, value: Json | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === null) return false;
  if (!isFields(value)) return namesOf(live).includes(String(value));
  const { keys, displayName = "" } = live.kind.identity;
  const field = ["id", ...keys, displayName].find((name) => value[name] !== undefined);
  return field === undefined ? undefined : value[field] === live.row[field];
}

/** The answers of an incident to a field; undefined if the incident does not say. */
export function answersOf(incident: Fields, answeredIn: string, key: string): readonly Json[] | undefined {
  const all = incident[answeredIn];
  if (!isFields(all)) return undefined;
  const value: Json | undefined = Object.hasOwn(all, key) ? all[key] : undefined;
  return (isList(value) ? value : [value]).flatMap((item) =>
    item === undefined || item === null || item === "" ? [] : [item],
  );
}

/** The texts by which an answer names its value: those of its label, id, slug and name that the service returns. */
export function textsOf(answer: Json): readonly string[] {
  return isFields(answer)
    ? [answer.label, answer.id, answer.slug, answer.name].flatMap((part) => (typeof part === "string" ? [part] : []))
    : [String(answer)];
}

/** The id, the key and the name of a resource. */
function namesOf({ kind, key, row }: LiveResource): readonly string[] {
  const { displayName = "" } = kind.identity;
  return [row.id, key, row[displayName]].flatMap((name) => (typeof name === "string" ? [name] : []));
}
