/** The result of one check of `doctor`. */
export interface HealthCheck {
  /** A part of the setup, or a kind. */
  readonly subject: string;
  /** A `finding` stops a plan or an apply; a `note` does not. */
  readonly status: "fine" | "note" | "finding";
  readonly message: string;
}
