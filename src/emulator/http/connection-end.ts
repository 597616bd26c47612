/** The end of a response whose connection does not outlive it: the response is cut short, or the connection is reset after it. */

/** Thrown instead of a response: the connection is reset before any byte of one. */
export class ConnectionReset extends Error {
  /** As Node names the error at the other end. */
  readonly code: "ECONNRESET" = "ECONNRESET";

  constructor() {
    super("the connection was reset");
  }
}

/** The end of a response, and of its connection with it. */
export interface Ending {
  /** The part of the body that is sent; the whole response is sent if absent. */
  readonly sent?: Uint8Array;
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
