/** Settings of the connections to the service: timeouts, sizes, name lookup, TLS. */

import type { LookupAddress, LookupOptions } from "node:dns";

/** A function that finds the addresses of a host, with the signature of `lookup` in `node:dns`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** Settings of a connection. Times are in milliseconds, sizes in bytes. */
export interface ConnectionSettings {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly maxHeaderSize: number;
  readonly connect: TlsSettings & { readonly lookup: Lookup };
}

/** Settings that hold for a proxy's tunnel as well. */
export interface TlsSettings {
  readonly timeout: number;
  readonly rejectUnauthorized: true;
  readonly minVersion: "TLSv1.2";
}
