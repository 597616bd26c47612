/** An incident reduced to what the declare form asked of it: no name, no summary, no text of anybody. */

/** One answer to a field of choices in the words that mean it, such as label and id; for other fields its text. */
export type Answer = readonly string[];

/** An incident as it stands, taken for the declaration that opened it. */
export interface PastIncident {
  /** Where it came from; empty when nobody said. */
  readonly source: string;
  /** Slug; undefined when it is not known. */
  readonly severity: string | undefined;
  /** Slug; null for none, undefined when it is not known. */
  readonly type: string | null | undefined;
  /** Whether a system field was answered, by its name; one that is not in it may have been or not. */
  readonly system: Readonly<Record<string, boolean>>;
  /** Answers by the slug of the custom field; a field without an answer is not in it. */
  readonly custom: ReadonlyMap<string, readonly Answer[]>;
}
