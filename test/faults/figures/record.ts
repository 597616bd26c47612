/** Figures of one part of the fault tests, as they are recorded. */

/** Parts of the harness, in the order of the page. */
export const PARTS = [
  "fault runs",
  "raw runs",
  "bad disks",
  "kills",
  "interleavings",
  "cuts of a list",
  "lost responses to creations",
] as const;
export type Part = (typeof PARTS)[number];

/** Figures of one part in one run of the tests. */
export interface Figures {
  readonly part: Part;
  readonly runs: number;
  readonly violations: number;
  /** More numbers, by name. */
  readonly details?: Readonly<Record<string, number>>;
}

/** Figures as they are recorded. */
export interface FiguresRecord extends Figures {
  readonly seconds: number;
  readonly seed: number;
  /** Time of the record, ISO 8601. */
  readonly at: string;
  /** Last commit that changed the program; ends with + if it had uncommitted changes. */
  readonly commit: string;
}
