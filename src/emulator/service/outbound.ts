/** Outbound requests: allowed addresses, an order for each webhook, and a time limit. */

import { parseUrl } from "../../core/url.ts";

/** Sends a webhook's request; the global fetch by default. */
export type SendWebhook = (url: string, init: RequestInit) => Promise<Response>;

/** An allowed target of webhooks: one host and port, every port of this machine's loopback, or any address. */
export type DeliveryTarget = `${string}:${number}` | "loopback" | "anywhere";

/** The target of this name, such as `127.0.0.1:9000`; undefined if there is none. */
export function deliveryTarget(name: string): DeliveryTarget | undefined {
  if (name === "loopback" || name === "anywhere") return name;
  const url = /^[^\s/?#@]+:\d{1,5}$/.test(name) ? parseUrl(`http://${name}`) : undefined;
  return url === undefined ? undefined : `${url.hostname}:${portOf(url)}`;
}

/** Sends the webhook requests of one emulator. */
export class OutboundSender {
  readonly send: SendWebhook;
  readonly #targets: readonly DeliveryTarget[];
  readonly #last = new Map<string, Promise<void>>();

  constructor(send: SendWebhook, targets: readonly DeliveryTarget[]) {
    this.send = send;
    this.#targets = targets;
  }

  /** The reason why an address is not allowed; undefined if it is. */
  rejectionReason(address: string): string | undefined {
    const url = parseUrl(address);
    if (url === undefined) return "the address cannot be read";
    const { protocol, username, password, hostname } = url;
    if (protocol !== "http:" && protocol !== "https:") return "only http and https addresses are delivered to";
    if (username !== "" || password !== "") return "an address with credentials is not delivered to";
    const host = `${hostname}:${portOf(url)}`;
    const isAllowed = this.#targets.some(
      (target) => target === "anywhere" || target === host || (target === "loopback" && isLoopback(hostname)),
    );
    return isAllowed ? undefined : `the emulator delivers nothing to ${host}; allow it with --deliver-to ${host}`;
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

/**
 * Returns a signal that aborts as soon as `signal` does, or after so many milliseconds. `AbortSignal.any` would not do: on Node 20 it
 * does not keep the timeout from being collected as garbage, and then never aborts.
 */
export function withTimeout(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  for (const source of [signal, AbortSignal.timeout(milliseconds)]) {
    if (source.aborted) controller.abort(source.reason);
    source.addEventListener("abort", () => controller.abort(source.reason), { once: true, signal: controller.signal });
  }
  return controller.signal;
}

/** The port of a URL, also where it is the default of its protocol. */
function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** The URL parser normalizes every notation of an IPv4 address. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
