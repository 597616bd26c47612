/** The style of a report for its reader and terminal. */

import type { Paint } from "./ansi.ts";

export interface ReportStyle {
  readonly paint: Paint;
  /** Shows everything: no summaries, no cut values, with sources and requests. */
  readonly verbose: boolean;
  /** Wraps the lines of a finished report for its terminal; absent if lines are not wrapped. */
  readonly fold?: (text: string) => string;
  /** Words in place of symbols, arrows and bars, for screen readers. */
  readonly words?: boolean;
  /** Columns of the terminal, for lines that are cut and not wrapped. */
  readonly width?: number;
}
