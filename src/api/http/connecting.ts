/** How connections to the service are made: timeouts, sizes, name lookup, TLS. */

import type { LookupAddress, LookupOptions } from "node:dns";

/** Finds the addresses of a host, as `lookup` of `node:dns`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** How connections are made, and when they are given up. Times are in milliseconds, sizes in bytes. */
export interface Connecting {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly maxHeaderSize: number;
  readonly connect: Securing & { readonly lookup: Lookup };
}

/** What holds for a tunnel as well. */
export interface Securing {
  readonly timeout: number;
  readonly rejectUnauthorized: true;
  readonly minVersion: "TLSv1.2";
}
