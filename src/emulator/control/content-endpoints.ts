/** Control endpoints for the content of the workspace: seeds and snapshots. */

import type { Fields } from "../../core/json.ts";
import { notFound } from "../http/http-error.ts";
import { seedSchema } from "../seeds/seed-data.ts";
import { type ControlEndpoint, controlEndpoint } from "./control-endpoint.ts";
import { anyObject, list, object, text, time } from "./response-schema.ts";

const snapshotBody = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", pattern: "^[\\w.-]{1,100}$", description: "Replaces an earlier one of the name." },
  },
} as const;

const snapshotSchema = object({ name: text, taken_at: time });

/** The endpoints of this group. */
export const contentEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint("GET", "/seed", "Exports the people and incidents as a seed, without the configuration.", {
    response: anyObject,
    handle: ({ control }) => control.seeds.export(),
  }),
  controlEndpoint("POST", "/seed", "Adds people and incidents; those of the example workspace without a body.", {
    body: seedSchema,
    handle: ({ control, body }) => {
      if (Object.keys(body).length === 0) control.seed();
      else control.seeds.load(body as Fields);
    },
  }),
  controlEndpoint("GET", "/snapshots", "Lists the snapshots.", {
    response: list("snapshots", snapshotSchema),
    handle: ({ control }) => ({ snapshots: control.snapshots }),
  }),
  controlEndpoint("POST", "/snapshots", "Keeps the content of the workspace and the position of the clock in memory.", {
    body: snapshotBody,
    status: 201,
    response: snapshotSchema,
    handle: ({ control, body }) => control.takeSnapshot(body.name),
  }),
  controlEndpoint(
    "POST",
    "/snapshots/:name/restore",
    "Restores a snapshot. The tokens of the start, dialects, faults and the log of requests stay.",
    {
      handle: ({ control, param }) => {
        if (!control.restoreSnapshot(param("name"))) throw notFound();
      },
    },
  ),
  controlEndpoint("DELETE", "/snapshots/:name", "Removes a snapshot.", {
    handle: ({ control, param }) => control.removeSnapshot(param("name")),
  }),
];
