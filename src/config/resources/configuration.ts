/** The loaded configuration: the managed lists and the declared resources. */

import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import { listName } from "../../kinds/model/resource.ts";
import type { Exemptions } from "../settings/exemptions.ts";
import type { Settings } from "../settings/settings.ts";
import type { Directive } from "../source/directives.ts";
import { withoutTokens } from "../source/leaked-tokens.ts";
import { linesIn } from "../source/source.ts";
import type { DeclaredResource } from "./declared-resource.ts";
import type { SourcedList } from "./sourced-list.ts";

/** A list that the files manage: a kind, or one scope of a kind. */
export interface ManagedList {
  readonly kind: string;
  /** Empty for kinds without scopes, and for the workspace's routing rules. */
  readonly scope: string;
  /** Systems: live resources that come from others, or from none, are left alone. Default: the files own the whole list. */
  readonly madeBy?: readonly string[];
}

/** A resource that an overlay removes. */
export interface OverlayRemoval {
  readonly address: string;
  /** The `$remove` in the overlay. */
  readonly at: Location;
}

/** Whether other files make resources of a list. */
export function isSourced({ sourced = [] }: Pick<Configuration, "sourced">, kind: string, scope: string): boolean {
  return sourced.some((list) => list.kind === kind && list.scope === scope);
}

/** A valid configuration, as data. Errors are thrown as `InvalidConfiguration`. */
export interface Configuration {
  readonly settings: Settings;
  /** In file order. A list appears once, even if it is empty. */
  readonly managed: readonly ManagedList[];
  /** In file order within a list. */
  readonly declared: readonly DeclaredResource[];
  /** The paths of a part of the configuration, relative to its root: plans are of the resources that it declares. Default: the whole. */
  readonly part?: readonly string[];
  /** The addresses that a filtered run may change; absent if it may change all. */
  readonly reach?: AddressFilter;
  /** Addresses of disabled resources to remove: only an undo removes what is disabled already. */
  readonly removesDisabled?: ReadonlySet<string>;
  /** The resources whose origins name live ones, if others than the declared ones do: those of the files, for an undo. */
  readonly naming?: readonly DeclaredResource[];
  /** The run that it undoes: what it does not list is what that run made. Absent for the files. */
  readonly undoes?: string;
  /** The places that plans leave alone; absent if the settings ignore nothing. */
  readonly exemptions?: Exemptions;
  /** The overlays of the chosen environment in their order, and the resources that they remove. */
  readonly overlays?: { readonly files: readonly string[]; readonly removals: readonly OverlayRemoval[] };
  /** The lists that have resources made out of other files; absent if there are none. */
  readonly sourced?: readonly SourcedList[];
  readonly warnings: readonly Diagnostic[];
  /** In file order. */
  readonly directives: readonly Directive[];
  /** SHA-256 of the paths and bytes of the files, and of the names of substitutions, never their values. */
  readonly digest: string;
  /** File, also an included one → the first 16 hex digits of the SHA-256 of its bytes. */
  readonly files: Readonly<Record<string, string>>;
  /** The environment variables that the files use, with their values. */
  readonly environmentValues: ReadonlyMap<string, string>;
  /** Values from the environment that a second net masks in finished text; see `searchable` of `config/load`. */
  readonly secrets: readonly string[];
  /** The names of variables of the settings with a value from the environment. */
  readonly secretVariables: readonly string[];
  /** Name of a list, by `listName` → the place of the key that holds it. */
  readonly listLocations: ReadonlyMap<string, Location>;
  /** Loaded file → its text, for code frames. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The configuration of no files. */
export function emptyConfiguration(settings: Settings): Configuration {
  return {
    settings,
    managed: [],
    declared: [],
    warnings: [],
    directives: [],
    digest: "",
    files: {},
    environmentValues: new Map(),
    secrets: [],
    secretVariables: [],
    listLocations: new Map(),
    texts: new Map(),
  };
}

/** Why a live resource that the configuration does not list is removed. */
export function removalReason({ undoes }: Pick<Configuration, "undoes">): string {
  return undoes === undefined ? "not in the configuration" : `made by run ${undoes}`;
}

/** Addresses of resources, or what they begin with: all of `targets`, or all resources if there are none, but for `excludes`. */
export interface AddressFilter {
  readonly targets: readonly string[];
  readonly excludes: readonly string[];
  /** Of these, exactly the addresses in the set. Default: all. */
  readonly only?: ReadonlySet<string>;
}

/** Whether a filter admits an address. */
export function admits({ targets, excludes, only }: AddressFilter, address: string): boolean {
  const isIn = (outer: string): boolean => addressIncludes(outer, address);
  if (only?.has(address) === false) return false;
  return (targets.length === 0 || targets.some(isIn)) && !excludes.some(isIn);
}

/** Whether an address is another one or within it. */
export function addressIncludes(outer: string, address: string): boolean {
  return address === outer || address.startsWith(`${outer}/`);
}

/** The place of the key that holds a managed list; undefined if no file has it. */
export function listAt(
  { listLocations }: Pick<Configuration, "listLocations">,
  kind: string,
  scope: string,
): Location | undefined {
  return listLocations.get(listName(kind, scope));
}

/** The lines of a loaded file without the tokens in them; undefined for any other file. */
export function linesOf({ texts }: Pick<Configuration, "texts">, file: string): readonly string[] | undefined {
  const text = texts.get(file);
  return text === undefined ? undefined : linesIn(withoutTokens(text));
}
