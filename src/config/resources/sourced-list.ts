/** Lists of entries that other files make: for reports, and to tell the entries of this configuration from those of others. */

import type { Location } from "../../core/diagnostic.ts";

/** The code of what is wrong with the files of a source as a whole. */
export const SOURCE_WARNING = "W_ENTRIES_FROM";

/** A list of entries that has sources. */
export interface SourcedList {
  readonly kind: string;
  readonly scope: string;
  /** The systems that its entries are recorded as coming from. Entries of others stay; absent if the list owns them all. */
  readonly madeBy?: readonly string[];
  /** A system whose entries are those of another one now → that one. */
  readonly takenOver: ReadonlyMap<string, string>;
  /** The system of the first source, which declared entries are recorded as coming from. */
  readonly source: string;
  readonly sources: readonly EntrySourceSummary[];
  /** Key of an entry → the attributes of its sources that have no value. */
  readonly withoutValue: ReadonlyMap<string, ReadonlySet<string>>;
  /** Attribute that holds references → the catalog type that they lead to. The files may leave out attributes of built-in types. */
  readonly references: ReadonlyMap<string, string>;
  /** The made entries as a text: another text means that another plan is due. */
  readonly digest: string;
  /** Keys that several documents make with different values. These may be references that are spelled in different ways. */
  readonly repeated: ReadonlySet<string>;
  /** Whether every file was read and every document made its entry. */
  readonly isComplete: boolean;
}

/** The numbers of a source. */
export interface EntrySourceSummary {
  /** The system that its entries are recorded as coming from. */
  readonly source: string;
  /** Whether no document makes an entry. */
  readonly isEmpty: boolean;
  readonly files: readonly string[];
  readonly at: Location;
  readonly filesRead: number;
  readonly documents: number;
  /** Without those that an earlier document makes too. */
  readonly entries: number;
  /** Entries that the type's file declares too. */
  readonly overridden: number;
  /** Attribute → the number of entries that have no value for it. */
  readonly missing: ReadonlyMap<string, number>;
}
