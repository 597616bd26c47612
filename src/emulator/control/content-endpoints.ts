/** Control endpoints for the content of the workspace: seeds and snapshots. */

import type { Fields } from "../../core/json.ts";
import { notFound } from "../http/http-error.ts";
import { seedSchema } from "../seeds/seed-data.ts";
import { created, noContent, ok } from "../service/module.ts";
import { type ControlEndpoint, controlEndpoint, listResult } from "./control-endpoint.ts";
import { responseSchemas } from "./response-schemas.ts";

const snapshotBody = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", pattern: "^[\\w.-]{1,100}$", description: "Replaces an earlier one of the name." },
  },
} as const;

/** The endpoints of this group. */
export const contentEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint({
    method: "GET",
    path: "/seed",
    summary: "Exports the people and incidents as a seed, without the configuration.",
    status: 200,
    response: responseSchemas.anyObject,
    handle: ({ control }) => ok({ ...(control.seeds.export() as Fields) }),
  }),
  controlEndpoint({
    method: "POST",
    path: "/seed",
    summary: "Adds people and incidents; those of the example workspace without a body.",
    body: seedSchema,
    status: 204,
    handle: ({ control, body }) => {
      if (Object.keys(body).length === 0) control.seed();
      else control.seeds.load(body as Fields);
      return noContent;
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/snapshots",
    summary: "Lists the snapshots.",
    status: 200,
    response: responseSchemas.snapshots,
    handle: ({ control }) => listResult("snapshots", control.snapshots),
  }),
  controlEndpoint({
    method: "POST",
    path: "/snapshots",
    summary: "Keeps the content of the workspace and the position of the clock in memory.",
    body: snapshotBody,
    status: 201,
    response: responseSchemas.snapshot,
    handle: ({ control, body }) => created({ ...control.takeSnapshot(body.name) }),
  }),
  controlEndpoint({
    method: "POST",
    path: "/snapshots/:name/restore",
    summary: "Restores a snapshot. The tokens of the start, dialects, faults and the log of requests stay.",
    status: 204,
    handle: ({ control, param }) => {
      if (!control.restoreSnapshot(param("name"))) throw notFound();
      return noContent;
    },
  }),
  controlEndpoint({
    method: "DELETE",
    path: "/snapshots/:name",
    summary: "Removes a snapshot.",
    status: 204,
    handle: ({ control, param }) => {
      control.removeSnapshot(param("name"));
      return noContent;
    },
  }),
];
