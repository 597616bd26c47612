/** The way out: which addresses the emulator may send to, and deliveries to one webhook one after another. */

import { parseUrl } from "../../../core/url.ts";

/** Sends a request to another machine; the global fetch unless tests give their own. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Where deliveries may go: this machine's loopback, or any address. */
export type Reach = "loopback" | "anywhere";

/** The way out of one running emulator. */
export class Outbound {
  readonly send: Send;
  readonly #reach: Reach;
  readonly #last = new Map<string, Promise<void>>();

  constructor(send: Send, reach: Reach) {
    this.send = send;
    this.#reach = reach;
  }

  /** Why nothing is sent to the address; undefined when it may be sent to. */
  refusal(address: string): string | undefined {
    const url = parseUrl(address);
    if (url === undefined) return "the address cannot be read";
    const { protocol, username, password, hostname } = url;
    if (protocol !== "http:" && protocol !== "https:") return "only http and https addresses are delivered to";
    if (username !== "" || password !== "") return "an address with credentials is not delivered to";
    if (this.#reach === "anywhere" || isLoopback(hostname)) return undefined;
    return "deliveries leave this machine only when the emulator is told to allow it";
  }

  /** Runs the task when every earlier one of the same line is over. */
  async inLine(line: string, task: () => Promise<void>): Promise<void> {
    const before = this.#last.get(line) ?? Promise.resolve();
    const turn = before.then(task, task);
    this.#last.set(line, turn);
    try {
      await turn;
    } finally {
      if (this.#last.get(line) === turn) this.#last.delete(line);
    }
  }
}

/** The URL parser has already turned every notation of an IPv4 address into the dotted one. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
