/** An emulator with its control surface: /control for who has the key, everything else past the log and the faults. */

import { randomUUID, timingSafeEqual } from "node:crypto";
import type { Application } from "../application.ts";
import { readBody } from "../http/body-schema.ts";
import type { Handler, Incoming, Reply } from "../http/exchange.ts";
import { jsonReply, notFound, Refusal, refusalReply } from "../http/http-error.ts";
import { readJson } from "../http/request-body.ts";
import { chatRoutes } from "./chat-endpoints.ts";
import type { Control } from "./control.ts";
import type { ControlRoute } from "./control-endpoint.ts";
import { interfered } from "./fault-injection.ts";
import { serviceRoutes } from "./service-endpoints.ts";

const basePath = "/control";
const routes: readonly ControlRoute[] = [...serviceRoutes, ...chatRoutes];

/** The way of a request to the control surface or, observed and disturbed, to the application. */
export function controlled(application: Application, control: Control): Handler {
  const observed = interfered(application, { now: control.clock.now, log: control.log, faults: control.faults });
  return async (incoming) => {
    const { pathname } = incoming.url;
    const isControl = pathname === basePath || pathname.startsWith(`${basePath}/`);
    return isControl ? answer(control, incoming, pathname.slice(basePath.length)) : observed(incoming);
  };
}

async function answer(control: Control, incoming: Incoming, path: string): Promise<Reply> {
  try {
    admit(control, incoming.headers.get("authorization") ?? "");
    const body = incoming.method === "GET" ? {} : await readJson(incoming);
    for (const route of routes) {
      const parameters = route.method === incoming.method ? matched(route.path, path) : undefined;
      if (parameters === undefined) continue;
      const checked = route.body === undefined ? {} : readBody(route.body, body);
      const result = route.handle({ control, body: checked, param: (name) => parameters.get(name) ?? "" });
      if (result.body === undefined) return { status: result.status, headers: {}, body: null };
      return jsonReply(result.status, result.body, randomUUID());
    }
    throw notFound();
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error);
    const message = error instanceof Error ? error.message : String(error);
    return refusalReply(new Refusal(500, "internal_error", message));
  }
}

/** Throws 401 unless the header bears the key. */
function admit(control: Control, header: string): void {
  const given = Buffer.from(header);
  const wanted = Buffer.from(`Bearer ${control.key}`);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new Refusal(401, "unauthorized", "The control key is missing or wrong");
}

/** The parameters of a path that fits the pattern; undefined when it does not. */
function matched(pattern: string, path: string): ReadonlyMap<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const actual = given[index] ?? "";
    if (part.startsWith(":")) parameters.set(part.slice(1), actual);
    else if (part !== actual) return undefined;
  }
  return parameters;
}
