/** Faults in tokens and permissions. */

import { at, rowsAt, textAt } from "../../../src/conformance/value-shape.ts";
import type { Fields, Json } from "../../../src/core/json.ts";
import {
  bodyToSend,
  changeRequest,
  changeResponse,
  fieldsOf,
  intercept,
  mapRows,
  matches,
  type PlantedFault,
  pathOf,
} from "./planted-fault.ts";

/** Faults of tokens and permissions. */
export const tokenFaults: readonly PlantedFault[] = [
  {
    title: "the listing of agents contains a token",
    foundBy: ["agent.token.once"],
    wrap(fetch) {
      const tokens = new Map<string, Json>();
      return intercept(fetch, async (request, send) => {
        if (request.path !== "agents") return undefined;
        const { status, body } = await send(request.method, pathOf(request), bodyToSend(request));
        if (request.method === "POST") tokens.set(textAt(body, "id"), at(body, "token") ?? null);
        const shown = (agent: Fields) => ({ ...agent, token: tokens.get(textAt(agent, "id")) ?? null });
        return { status, body: request.method === "GET" ? mapRows(body, shown) : body };
      });
    },
  },
  {
    title: "a service key's permissions are merged instead of replaced",
    foundBy: ["resources.7"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", /^api_keys\//)(request) || request.body.permissions === undefined) return undefined;
        const prefix = request.path.split("/")[1];
        const key = rowsAt((await send("GET", "api_keys")).body, "api_keys").find((each) => each.prefix === prefix);
        const permissions = { ...fieldsOf(key?.permissions), ...fieldsOf(request.body.permissions) };
        return send("PATCH", request.path, { ...request.body, permissions });
      }),
  },
  {
    title: "rotating ends the first token",
    foundBy: ["agents.rotate"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("POST", /^agents\/[^/]+\/rotate$/)(request)) return undefined;
        const slug = request.path.split("/")[1] ?? "";
        const agents = rowsAt((await send("GET", "agents")).body, "agents");
        const tokens = rowsAt(
          agents.find((agent) => agent.slug === slug),
          "tokens",
        );
        for (const token of tokens) await send("DELETE", `agents/${slug}/tokens/${textAt(token, "prefix")}`);
        return undefined;
      }),
  },
  {
    title: "a new agent holds three abilities",
    foundBy: ["agent.abilities", "authentication.6"],
    wrap: changeResponse(matches("POST", /^agents$/), ({ status, body }) => ({
      status,
      body: { ...fieldsOf(body), granted_abilities: 3 },
    })),
  },
  {
    title: "a service key reaches the agents",
    foundBy: ["authentication.5.agents"],
    wrap: (fetch, adminToken) =>
      changeRequest(
        ({ path }) => path === "agents",
        () => ({ token: adminToken }),
      )(fetch, adminToken),
  },
  {
    title: "a missing or wrong token returns 403",
    foundBy: ["errors.401", "authentication.2.missing", "authentication.2.invalid"],
    wrap: changeResponse(
      () => true,
      ({ status, body }) => ({ status: status === 401 ? 403 : status, body }),
    ),
  },
  {
    title: "a key without the permission returns 404",
    foundBy: ["errors.403", "authentication.3.severities"],
    wrap: changeResponse(
      () => true,
      ({ status, body }) => ({ status: status === 403 ? 404 : status, body }),
    ),
  },
];
