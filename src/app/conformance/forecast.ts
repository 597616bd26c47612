/** A forecast of a check: the same rules, tried on the embedded service with a token that may do as little. */

import { setImmediate } from "node:timers/promises";
import { abilityOf, type NamedAbility } from "../../conformance/abilities.ts";
import { type ConformanceTarget, checkService } from "../../conformance/check.ts";
import type { FetchFunction } from "../../conformance/client.ts";
import { rowsAt } from "../../conformance/value-shape.ts";
import { isFields, parseJson } from "../../core/json.ts";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { errorResponse, HttpError } from "../../emulator/http/http-error.ts";
import type { Forecast } from "../../view/conformance/forecast.ts";
import type { ConformanceOptions } from "./conformance-definition.ts";

/** A personal token is never refused for the number of its requests here: the forecast counts them. */
const unlimited = 1_000_000_000;

/** Tries the chosen rules for a check of the target. */
export async function forecast(
  options: Pick<ConformanceOptions, "section" | "rule">,
  target: ConformanceTarget,
  lacking: readonly NamedAbility[],
  signal: AbortSignal,
): Promise<Forecast> {
  const emulator = createEmulator({ seed: true, deliverTo: ["loopback"], requestsPerMinute: unlimited });
  try {
    const isPerson = (fact: string | undefined, own: string) => (fact === undefined ? undefined : own);
    let requests = 0;
    const fetch: FetchFunction = async (request) => {
      requests += 1;
      // The embedded service never waits: without a pause, this process would notice neither an interruption nor that the
      // checked service closes an idle connection.
      await setImmediate();
      return refusal(request, emulator, lacking) ?? emulator.fetch(request);
    };
    const own: ConformanceTarget = {
      url: "http://127.0.0.1",
      fetch,
      token: target.token === undefined ? undefined : emulator.adminToken,
      adminToken: target.adminToken === undefined ? undefined : emulator.adminToken,
      lacking,
      person: isPerson(target.person, "ada@example.com"),
      chatId: isPerson(target.chatId, "U0001"),
      otherPerson: isPerson(target.otherPerson, "grace@example.com"),
      incident: target.incident === undefined ? undefined : await notedIncident(emulator),
      reachesLoopback: target.reachesLoopback,
    };
    const open = async () => ({ target: own, close: async () => {} });
    const report = await checkService({ ...options, open, signal, onResult: () => {} });
    return { ...report, requests };
  } finally {
    await emulator.close();
  }
}

/** The response to a request of the checking token for which it lacks the ability. */
function refusal(request: Request, emulator: Emulator, lacking: readonly NamedAbility[]): Response | undefined {
  if (request.headers.get("authorization") !== `Bearer ${emulator.adminToken}`) return undefined;
  const { pathname } = new URL(request.url);
  const ability = abilityOf(request.method, pathname);
  if (ability === undefined || !lacking.includes(ability)) return undefined;
  const { status, headers, body } = errorResponse(new HttpError(403, "forbidden", `The token lacks ${ability}`));
  return new Response(String(body), { status, headers });
}

/** An incident of the example workspace that has notes, as the one of --incident is said to. */
async function notedIncident(emulator: Emulator): Promise<string | undefined> {
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${emulator.adminToken}` };
    const response = await emulator.fetch(new Request(`http://127.0.0.1/api/v1/incidents${path}`, { headers }));
    const body = parseJson(await response.text());
    return isFields(body) ? body : {};
  };
  for (const { id } of rowsAt(await read(""), "incidents")) {
    const events = rowsAt(await read(`/${id}/timeline?per_page=100`), "timeline");
    if (events.filter(({ event_type: type }) => type === "milestone.noted").length > 1) return String(id);
  }
  return undefined;
}
