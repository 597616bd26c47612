/** Accepted differences, as their file has them. */

/** An accepted difference. */
export interface Acceptance {
  /** Scheme, host and port of the service that it was accepted for. */
  readonly host: string;
  readonly address: string;
  readonly path: string;
  readonly fingerprint: string;
  /** Fingerprint of the declared side; absent in version 1 of the file. */
  readonly declared?: string;
  /** Last day on which it counts, in UTC: `2026-12-31`. */
  readonly until: string;
  readonly because: string;
  /** Who accepted it; absent if that is not recorded. */
  readonly by?: string;
}

/** The name of the file that holds acceptances. */
export const ACCEPTED_FILE = "incidentctl.accepted.json";
