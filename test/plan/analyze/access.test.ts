import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { permissionOf } from "../../../src/kinds/model/kind.ts";
import { routing, tables } from "./analyzed.ts";

const resources = [...new Set(kinds.filter(({ endpoint }) => endpoint.admin !== true).map(permissionOf))];
const half = resources.slice(0, Math.floor(resources.length / 2));

tables("A008", [
  ["a key that declares incidents", key({ incidents: ["read", "create", "update"] }), []],
  ["a key that reads everything", key({ severities: ["read"], policies: ["read"], webhooks: ["read"] }), []],
  ["a key that writes the catalog", key({ catalog: ["read", "create", "update"] }), []],
  [
    "a key that deletes configuration",
    key({ catalog: ["delete"], policies: ["update", "delete"], severities: ["update"] }),
    ["warning api_keys/k: api_keys/k can delete catalog, policies and is not the key that applies the configuration"],
  ],
  ["half of the kinds", key(written(...half)), []],
  [
    "more than half of the kinds",
    key(written(...half, resources[half.length] ?? "")),
    [
      `warning api_keys/k: api_keys/k can write ${half.length + 1} of ${resources.length} kinds and is not the key that applies the configuration`,
    ],
  ],
  ["an inactive key", key({ policies: ["delete"] }, { active: false }), []],
  [
    "the protected key that applies the files",
    { severities: [], ...routing(""), ...key({ severities: ["delete"], policies: ["delete"] }, { protected: true }) },
    [],
  ],
  [
    "the protected key writes more than the configuration manages",
    {
      severities: [],
      ...key({ severities: ["delete"], webhooks: ["create"], policies: ["update"] }, { protected: true }),
    },
    ["warning api_keys/k: api_keys/k can write policies, webhooks, which the configuration does not manage"],
  ],
]);

function key(permissions: Fields, more: Fields = {}): Fields {
  return { api_keys: [{ name: "k", permissions, ...more }] };
}

function written(...resources: readonly string[]): Fields {
  return Object.fromEntries(resources.map((resource) => [resource, ["update"]]));
}
