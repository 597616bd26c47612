/** Signals that also time out. */

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
