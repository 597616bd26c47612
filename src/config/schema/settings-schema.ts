/** The schema of the settings file `incidentctl.yaml`. */

import { type Fields, fieldsIn } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { withHints } from "./editor-hints.ts";
import { moduleSchema } from "./schema.ts";

/** The schema of the settings for editors. */
export function settingsForEditors(kinds: readonly Kind[]): Fields {
  return withHints(settingsSchema(kinds), "settings");
}

/** Describes the settings; what kinds there are decides which removal policies can be named. */
export function settingsSchema(kinds: readonly Kind[]): Fields {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings",
    description: "The service, the policies and the environments.",
    type: "object",
    additionalProperties: false,
    properties: {
      version: { description: "The version of this format: 1.", type: "integer", const: 1 },
      base_url: BASE_URL,
      config: {
        description: "Folders and files of the configuration, relative to this file. Default: the folder of this file.",
        type: "array",
        minItems: 1,
        uniqueItems: true,
        items: { description: "A folder or a file.", type: "string", minLength: 1 },
      },
      base: {
        description:
          "The configuration before the change, with which a plan compares: a revision of git, a directory relative to this file, or none. Default: in a git work tree, the merge base with the remote's default branch, else HEAD.",
        type: "string",
        pattern: "^[^-]",
        $comment: "E_VALUE: A revision does not begin with a hyphen.",
      },
      removal: {
        description: "Policy for live resources of a managed kind that are not in the configuration.",
        type: "object",
        additionalProperties: false,
        properties: {
          default: policy("For kinds without a line of their own. Default: disable_or_delete."),
          ...Object.fromEntries(kinds.map((kind) => [kind.name, policy(`For ${kind.name}.`)])),
        },
      },
      limits: {
        description: "Limits of one run.",
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
            description: "Most requests in a minute. Default: 900. The service refuses more than 1,000 with one key.",
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
      service_profile: SERVICE_PROFILE,
      vars: VARS,
      environment_variables: {
        description: `Names of the only variables that \${env:NAME} may read. Default: any but those of forges and their tools, such as GITHUB_TOKEN. Those of incidentctl itself cannot be read.`,
        type: "array",
        uniqueItems: true,
        items: {
          description: "The name of a variable, such as PAGER_TOKEN.",
          type: "string",
          pattern: "^(?![Ii][Nn][Cc][Ii][Dd][Ee][Nn][Tt][Cc][Tt][Ll]_)[A-Za-z_][A-Za-z0-9_]*$",
          $comment: "E_VALUE: Write the name of a variable, without $. Those of incidentctl itself cannot be read.",
        },
      },
      routing: {
        description: "Settings of routing changes.",
        type: "object",
        additionalProperties: false,
        properties: {
          holding_outcome: holdingOutcome(kinds),
        },
      },
      environments: {
        description: "Environments, by the name that -e takes.",
        type: "object",
        additionalProperties: {
          description: "One environment.",
          type: "object",
          additionalProperties: false,
          properties: {
            base_url: BASE_URL,
            service_profile: SERVICE_PROFILE,
            vars: VARS,
            overlays: {
              description: "Overlays of the configuration, applied in this order, relative to this file.",
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

const SERVICE_PROFILE: Fields = {
  description:
    "A file that conformance --out wrote: what is known about the service where the interface leaves it open. Relative to this file.",
  type: "string",
  minLength: 1,
};

const BASE_URL: Fields = {
  description: "Scheme, host and port of the service. Tokens are sent nowhere else.",
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
  const description = "Outcome of alerts while a source gets its first rules or loses its last ones.";
  for (const kind of kinds.filter(({ lifecycle: { order } }) => order === "rank")) {
    const { outcome } = fieldsIn(moduleSchema(kind.module).properties);
    if (outcome !== undefined) return { ...fieldsIn(outcome), description };
  }
  return { description, type: "object" };
}
