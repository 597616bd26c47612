/** How a response ends on the wire when it does not end well: cut short, or followed by a reset of its connection. */

/** Thrown instead of a response: the connection is reset before any byte of one. */
export class ConnectionReset extends Error {
  /** As Node names the error at the other end. */
  readonly code: "ECONNRESET" = "ECONNRESET";

  constructor() {
    super("the connection was reset");
  }
}

/** The bytes of the body that are sent, and what becomes of the connection then. */
export interface Ending {
  readonly sent: Uint8Array;
  readonly connection: "close" | "reset";
}

const endings = new WeakMap<Response, Ending>();

/** The response with an ending of its own, for whoever writes it to a connection. */
export function endedBy(response: Response, ending: Ending): Response {
  endings.set(response, ending);
  return response;
}

/** The ending a response was given; undefined for one that ends well. */
export function endingOf(response: Response): Ending | undefined {
  return endings.get(response);
}
