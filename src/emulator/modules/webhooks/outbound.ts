/** Outbound requests: allowed addresses, and an order for each webhook. */

import { parseUrl } from "../../../core/url.ts";

/** Sends a webhook's request; the global fetch by default. */
export type SendWebhook = (url: string, init: RequestInit) => Promise<Response>;

/** Allowed targets of webhooks: this machine's loopback, or any address. */
export type WebhookReach = "loopback" | "anywhere";

/** Sends the webhook requests of one emulator. */
export class OutboundSender {
  readonly send: SendWebhook;
  readonly #reach: WebhookReach;
  readonly #last = new Map<string, Promise<void>>();

  constructor(send: SendWebhook, reach: WebhookReach) {
    this.send = send;
    this.#reach = reach;
  }

  /** The reason why an address is not allowed; undefined if it is. */
  rejectionReason(address: string): string | undefined {
    const url = parseUrl(address);
    if (url === undefined) return "the address cannot be read";
    const { protocol, username, password, hostname } = url;
    if (protocol !== "http:" && protocol !== "https:") return "only http and https addresses are delivered to";
    if (username !== "" || password !== "") return "an address with credentials is not delivered to";
    if (this.#reach === "anywhere" || isLoopback(hostname)) return undefined;
    return "deliveries leave this machine only if the emulator allows it";
  }

  /** Runs the task after all earlier ones of the same queue. */
  async runInOrder(line: string, task: () => Promise<void>): Promise<void> {
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

/** The URL parser normalizes every notation of an IPv4 address. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
