/** Intermediaries that send a write twice. */

/** Sends a write, and answers with its response or that of the second one. */
export function sentTwice<Answer>(): Readonly<Record<string, (send: () => Promise<Answer>) => Promise<Answer>>> {
  return {
    "sent twice, the first answered": async (send) => {
      const first = await send();
      await send();
      return first;
    },
    "sent twice, the second answered": async (send) => {
      await send();
      return send();
    },
  };
}
