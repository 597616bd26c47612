/** The type of a raw fault: when the hostile server acts, and how. */

import type { Identity } from "../../support/service/certificates.ts";
import type { ReceivedRequest, ServedResponse } from "./http-bytes.ts";

/** Phases of an exchange between client and service, in their order. */
export type Phase =
  | "name lookup"
  | "connect"
  | "tunnel"
  | "TLS handshake"
  | "headers sent"
  | "body sent"
  | "committed"
  | "response headers"
  | "response body"
  | "response"
  | "list"
  | "idle reuse";

/** One side of a connection. */
export interface Line {
  write(bytes: string | Buffer): void;
  /** Writes below TLS, if there is TLS. */
  spill(bytes: string | Buffer): void;
  /** Closes the sending side after everything written. */
  end(): void;
  reset(): void;
}

/** A request that a hostile server has received, and what it can do with it. */
export interface Exchange extends Line {
  readonly request: ReceivedRequest;
  /** Lets the service carry out the request. */
  deliver(): Promise<ServedResponse>;
  /** Lets the service carry it out after so many milliseconds of virtual time. */
  deliverLater(milliseconds: number): void;
  /** Writes the same bytes until the client closes the connection. */
  flood(bytes: string | Buffer): void;
  /** Sends a well-formed response. */
  respond(response: ServedResponse): void;
}

/** Addresses that a name has, one list for each lookup; the last one stays. Undefined: the lookup fails. */
export type Addresses = readonly (readonly string[] | undefined)[];

/** Moment of a fault, and its action. */
export type RawAction =
  /** The name of the service has other addresses than before. */
  | { readonly at: "lookup"; readonly addresses: Addresses }
  /** No server listens. */
  | { readonly at: "nowhere" }
  /** The connection is made. */
  | { readonly at: "accept"; readonly act: (line: Line) => void }
  /** The proxy has received the request for a tunnel. */
  | { readonly at: "tunnel"; readonly act: (line: Line) => void }
  /** The server has received the first bytes of a handshake. */
  | { readonly at: "hello"; readonly act: (line: Line) => void }
  /** The server, or the https proxy, has another certificate. */
  | {
      readonly at: "certificate";
      readonly identity: (trusted: CertificateSource) => Identity;
      readonly of: "server" | "proxy";
    }
  /** The first bytes of the request have arrived. */
  | { readonly at: "head"; readonly act: (line: Line) => void }
  /** The whole request has arrived. */
  | { readonly at: "request"; readonly act: (exchange: Exchange) => Promise<void> | void }
  /** An earlier request on this connection got its response; `request` is the next one, if the server waits for it. */
  | { readonly at: "idle"; readonly act: (line: Line) => void }
  | { readonly at: "reuse"; readonly act: (exchange: Exchange) => Promise<void> | void };

/** Issues certificates of the authority that the client trusts. */
export interface CertificateSource {
  issue(claims: { readonly names: readonly string[]; readonly from?: Date; readonly until?: Date }): Identity;
}

/** A fault on the wire. */
export interface RawFault {
  readonly phase: Phase;
  readonly name: string;
  readonly action: RawAction;
  /** Number of consecutive requests with the fault; 1 by default. */
  readonly times?: number;
  /** Only for these requests. */
  readonly only?: "reads" | "writes";
  /** Only over TLS, or only through a proxy. */
  readonly needs?: "TLS" | "proxy" | "https proxy";
  /** Only a timeout of the client ends it. */
  readonly endless?: true;
}
