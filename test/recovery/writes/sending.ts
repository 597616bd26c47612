/** Plans that are carried out against a service whose responses are lost, without commands. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import type { Journal } from "../../../src/run/journal/intent.ts";
import type { ApplyResult } from "../../../src/run/journal/outcome.ts";
import type { IssuedToken, TokenSink } from "../../../src/run/tokens/sink.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import type { TestService } from "../../support/service/test-service.ts";

/** A sink that stores tokens in a list. */
export function sinkTo(stored: IssuedToken[]): TokenSink {
  return { probe: async () => {}, store: async (issued) => void stored.push(issued) };
}

/** Applies a plan without real waiting. */
export async function carryOut(
  plan: Plan,
  writer: Writer,
  options: { readonly sink?: TokenSink; readonly journal?: Journal; readonly clock?: VirtualClock } = {},
): Promise<ApplyResult> {
  const run = apply(plan, writer, { keepGoing: false, sink: sinkTo([]), clock: new VirtualClock(), ...options });
  for (let step = await run.next(); ; step = await run.next()) if (step.done === true) return step.value;
}

/** Prefixes of all tokens that work. */
export async function liveTokens(service: TestService): Promise<readonly string[]> {
  const rowsOf = async (list: string): Promise<readonly Fields[]> => {
    const body: Json = await service.hand("GET", `/${list}?include_disabled=true`);
    return isFields(body) && isList(body[list]) ? body[list].filter(isFields) : [];
  };
  const issued = (await rowsOf("agents")).flatMap(({ tokens }) => (isList(tokens) ? tokens.filter(isFields) : []));
  return [...(await rowsOf("api_keys")), ...issued].map(({ prefix }) => String(prefix));
}
