/** Our own emulator as a target: over real HTTP on loopback, or in process behind a wrapper that plants a fault. */

import { createEmulator, type Emulator, type EmulatorOptions } from "../src/emulator/emulator.ts";
import { serve } from "../src/emulator/serve.ts";
import type { Fetch } from "./client.ts";
import type { Target } from "./session.ts";

/** A target that must be closed after use. */
export interface OwnTarget {
  readonly target: Target;
  close(): Promise<void>;
}

/** A clock that runs with the system's and can be moved forward. */
function movableClock(): { now: () => Date; advance: (milliseconds: number) => void } {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}

function known(emulator: Emulator, advanceClock: (milliseconds: number) => void): Omit<Target, "url"> {
  return {
    token: emulator.serviceToken,
    adminToken: emulator.adminToken,
    person: "ada@example.com",
    chatId: "U0001",
    otherPerson: "grace@example.com",
    rateLimit: true,
    advanceClock,
    disposable: true,
    reachesLoopback: true,
  };
}

/** A fresh emulator on a free port of 127.0.0.1. */
export async function servedEmulator(): Promise<OwnTarget> {
  const clock = movableClock();
  const emulator = createEmulator({ now: clock.now });
  const served = await serve(emulator);
  return {
    target: { ...known(emulator, clock.advance), url: served.url },
    async close() {
      await served.close();
      await emulator.close();
    },
  };
}

/** A fresh emulator in this process, every request of which passes through the wrapper. */
export function wrappedEmulator(
  wrap: (fetch: Fetch, adminToken: string) => Fetch,
  options: Pick<EmulatorOptions, "dialects"> = {},
): OwnTarget {
  const clock = movableClock();
  const emulator = createEmulator({ ...options, now: clock.now });
  const fetch = wrap(emulator.fetch, emulator.adminToken);
  return {
    target: { ...known(emulator, clock.advance), url: "http://127.0.0.1", fetch },
    async close() {
      await emulator.close();
    },
  };
}
