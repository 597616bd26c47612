/** Our own emulator as a target: over real HTTP on loopback, or in process behind a wrapper that plants a fault. */

import { createEmulator, type Emulator, type EmulatorOptions } from "../emulator/emulator.ts";
import { serve } from "../emulator/serve.ts";
import type { FetchFunction } from "./client.ts";
import type { ConformanceTarget } from "./session.ts";

/** A target that must be closed after use. */
export interface EmulatorTarget {
  readonly target: ConformanceTarget;
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

/** The target of an emulator at the URL, reached through the fetch. */
function targetOf(
  emulator: Emulator,
  url: string,
  fetch: FetchFunction,
  advanceClock: (milliseconds: number) => void,
): ConformanceTarget {
  return {
    url,
    fetch,
    token: emulator.serviceToken,
    adminToken: emulator.adminToken,
    person: "ada@example.com",
    chatId: "U0001",
    otherPerson: "grace@example.com",
    rateLimit: true,
    advanceClock,
    async switchTranscripts(on) {
      const headers = { authorization: `Bearer ${emulator.control?.key ?? ""}`, "content-type": "application/json" };
      const body = JSON.stringify({ transcript_access: on });
      const response = await fetch(new Request(`${url}/control/workspace`, { method: "PATCH", headers, body }));
      if (!response.ok) throw new Error(`the emulator's control interface returned ${response.status}`);
    },
    disposable: true,
    reachesLoopback: true,
  };
}

const exampleWorkspace: EmulatorOptions = { seed: true, control: true, deliverTo: ["loopback"] };

/** A fresh emulator, filled with a believable workspace, on a free port of 127.0.0.1. */
export async function serveEmulatorTarget(): Promise<EmulatorTarget> {
  const clock = movableClock();
  const emulator = createEmulator({ ...exampleWorkspace, now: clock.now });
  const served = await serve(emulator);
  return {
    target: targetOf(emulator, served.url, (request) => globalThis.fetch(request), clock.advance),
    async close() {
      await served.close();
      await emulator.close();
    },
  };
}

/** A fresh emulator in this process, every request of which passes through the wrapper. */
export function wrapEmulatorTarget(
  wrap: (fetch: FetchFunction, adminToken: string) => FetchFunction,
  options: Pick<EmulatorOptions, "dialects"> = {},
): EmulatorTarget {
  const clock = movableClock();
  const emulator = createEmulator({ ...exampleWorkspace, ...options, now: clock.now });
  const fetch = wrap(emulator.fetch, emulator.adminToken);
  return {
    target: targetOf(emulator, "http://127.0.0.1", fetch, clock.advance),
    close: () => emulator.close(),
  };
}
