/** Responses that end their connection: cut short, or followed by a reset. */

/** Thrown to reset the connection before any byte of a response. */
export class ConnectionReset extends Error {
  /** Node's name for the error at the client. */
  readonly code: "ECONNRESET" = "ECONNRESET";

  constructor() {
    super("the connection was reset");
  }
}

/** The end of a connection during or after a response. */
export interface ConnectionEnd {
  /** The part of the body that is sent; the whole response is sent if absent. */
  readonly bodyPart?: Uint8Array;
  readonly connection: "close" | "reset";
}

const endings = new WeakMap<Response, ConnectionEnd>();

/** Marks a response for the server that writes it to a connection. */
export function withConnectionEnd(response: Response, ending: ConnectionEnd): Response {
  endings.set(response, ending);
  return response;
}

/** The connection end of a response; undefined if the connection stays open. */
export function connectionEndOf(response: Response): ConnectionEnd | undefined {
  return endings.get(response);
}
