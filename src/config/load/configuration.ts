/** The configuration as the rest of the program sees it: which collections are managed, and what is declared in them. */

import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Settings } from "../settings/settings.ts";
import type { Directive } from "../source/directives.ts";

/** A list of entries that the files own: a kind, or one scope of it. */
export interface Managed {
  readonly kind: string;
  /** Empty for kinds that have no scopes, and for the workspace's routing rules. */
  readonly scope: string;
}

/** An entry that an overlay takes away. */
export interface Dropped {
  readonly address: string;
  /** Where the overlay says so. */
  readonly at: Location;
}

/** What was loaded; it holds no errors, those were thrown as `InvalidConfiguration`. */
export interface Configuration {
  readonly settings: Settings;
  /** In file order; a collection appears once, also when it is declared empty. */
  readonly managed: readonly Managed[];
  /** In file order within a collection. */
  readonly declared: readonly DeclaredResource[];
  /** Which addresses a narrowed run may change; left out where it may change all of them. */
  readonly admits?: (address: string) => boolean;
  /** What the chosen environment has laid over the files: its overlays in their order, and the entries that they take away. */
  readonly overlaid?: { readonly files: readonly string[]; readonly dropped: readonly Dropped[] };
  readonly warnings: readonly Diagnostic[];
  /** In file order. */
  readonly directives: readonly Directive[];
  /** SHA-256 over the files' paths and bytes, and the names (never values) of what was substituted. */
  readonly digest: string;
  /** Values that came from the environment, to be masked wherever text leaves the program. */
  readonly secrets: readonly string[];
  /** Where the key stands that names a managed list. */
  readonly listAt: (kind: string, scope: string) => Location | undefined;
  /** The lines of a file that was read, for code frames. */
  lines(file: string): readonly string[] | undefined;
}
