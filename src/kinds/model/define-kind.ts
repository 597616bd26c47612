/** Makes a kind out of the facts that its file states: the rest follows from its name and its title. */

import type { Endpoint, Kind } from "./kind.ts";

/** A kind without what follows from its name. */
export interface KindFacts extends Omit<Kind, keyof DerivedFacts>, DerivedFacts {}

/** Facts that follow from a kind's name, unless they are stated. */
interface DerivedFacts {
  /** Default: the name with hyphens. */
  readonly module?: string;
  readonly endpoint?: EndpointFacts;
}

/** An endpoint without what follows from the kind's name. */
export interface EndpointFacts extends Partial<Omit<Endpoint, "envelope">> {
  /** Default: the kind's name for the list, its title with underscores for one resource. */
  readonly envelope?: Partial<Endpoint["envelope"]>;
}

/** The kind. Paths are `/name` for the list and `/name/{id}` for one resource, unless the facts say otherwise. */
export function defineKind({ module, endpoint = {}, ...facts }: KindFacts): Kind {
  const { name, title } = facts;
  return {
    ...facts,
    module: module ?? name.replaceAll("_", "-"),
    endpoint: {
      list: { path: `/${name}` },
      member: { path: `/${name}/{id}` },
      ...endpoint,
      envelope: { list: name, item: title.replaceAll(" ", "_"), ...endpoint.envelope },
    },
  };
}
