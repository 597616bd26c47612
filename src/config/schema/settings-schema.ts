/** The schema of the settings file `incidentctl.yaml`. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { moduleSchema } from "./schema.ts";

/** Describes the settings; what kinds there are decides which removal policies can be named. */
export function settingsSchema(kinds: readonly Kind[]): Fields {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings",
    description: "What the tool may do, and where.",
    type: "object",
    additionalProperties: false,
    properties: {
      version: { description: "The version of this format: 1.", type: "integer", const: 1 },
      base_url: BASE_URL,
      config: {
        description: "Directories and files that hold the configuration, relative to this file.",
        type: "array",
        minItems: 1,
        uniqueItems: true,
        items: { description: "A directory or a file.", type: "string", minLength: 1 },
      },
      removal: {
        description: "Policy for live resources of a managed kind that are not in the configuration.",
        type: "object",
        additionalProperties: false,
        properties: {
          default: policy("For every kind that has no line of its own: disable_or_delete when left out."),
          ...Object.fromEntries(kinds.map((kind) => [kind.name, policy(`For ${kind.name}.`)])),
        },
      },
      limits: {
        description: "Ceilings on what one run may do.",
        type: "object",
        additionalProperties: false,
        properties: {
          max_removals: {
            description:
              "The most resources of a kind that one apply may delete or disable: a number, or a percentage of the enabled ones, rounded down. 0% allows none. Default: 30%, or 3 of a kind with fewer than 10.",
            type: ["integer", "string"],
            minimum: 0,
            pattern: "^(?:100|[1-9]?[0-9])%$",
            $comment: "E_RANGE: Write a whole number, or a share from 0% to 100%.",
          },
          max_incidents_read: {
            description:
              "The most incidents that a plan reads to find out whether they use an incident type that is to be removed: the interface cannot list the incidents of a type. Default: 1,000. If there are more, the type is disabled and not deleted.",
            type: "integer",
            minimum: 100,
            maximum: 100_000,
          },
          requests_per_minute: {
            description: "How many requests a minute to stay under; the service refuses more than 1,000 of one key.",
            type: "integer",
            minimum: 1,
            maximum: 1000,
          },
        },
      },
      protected: {
        description: "Addresses of resources that are never removed, disabled or replaced; * matches any text.",
        type: "array",
        uniqueItems: true,
        items: {
          description: "An address, such as severities/critical or alert_sources/*.",
          type: "string",
          pattern: "^[^/]+/.+$",
          $comment: "E_ADDRESS: An address is a kind and a name with a slash between them.",
        },
      },
      ignore: {
        description:
          "Resources and fields that are neither compared, changed, counted nor removed, because somebody else owns them; * matches any text. Routing rules are ignored by whole scope.",
        type: "array",
        uniqueItems: true,
        items: {
          description:
            "An address, such as webhooks/legacy *, or fields of addresses behind #, such as severities/*#/color.",
          type: "string",
          pattern: "^[^/#]+/.+$",
          $comment: "E_ADDRESS: Write an address, such as webhooks/legacy *, or a field, such as severities/*#/color.",
        },
      },
      vars: VARS,
      routing: {
        description: "How routing changes are made.",
        type: "object",
        additionalProperties: false,
        properties: {
          holding_outcome: holdingOutcome(kinds),
        },
      },
      environments: {
        description: "What differs in an environment that -e names.",
        type: "object",
        additionalProperties: {
          description: "One environment.",
          type: "object",
          additionalProperties: false,
          properties: {
            base_url: BASE_URL,
            vars: VARS,
            overlays: {
              description: "Files laid over the configuration, one after another, relative to this file.",
              type: "array",
              uniqueItems: true,
              items: { description: "A file.", type: "string", minLength: 1 },
            },
          },
        },
      },
    },
  };
}

const BASE_URL: Fields = {
  description: "Scheme, host and port of the service: the only place the token is sent to.",
  type: "string",
  minLength: 1,
};

const VARS: Fields = {
  description: `Values for \${var:name}.`,
  type: "object",
  additionalProperties: { description: "A value.", type: ["string", "number", "boolean"] },
};

function policy(description: string): Fields {
  return { description, type: "string", enum: ["keep", "disable", "delete", "disable_or_delete"] };
}

/** The outcome of a rule, wherever a kind has one. */
function holdingOutcome(kinds: readonly Kind[]): Fields {
  const description = "What happens to alerts while a source changes over to rules of its own, or back.";
  for (const kind of kinds.filter(({ lifecycle: { order } }) => order === "rank")) {
    const { properties } = moduleSchema(kind.module);
    const outcome =
      properties !== undefined && properties !== null && typeof properties === "object" && "outcome" in properties
        ? properties.outcome
        : undefined;
    if (outcome !== undefined) return { ...(outcome as Fields), description };
  }
  return { description, type: "object" };
}
