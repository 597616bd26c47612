import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { permissionOf } from "../../../src/kinds/model/kind.ts";
import { routing, type Surroundings, tables } from "./analyzed.ts";

const keep: Surroundings = { settings: { removal: { default: "keep", kinds: {} } } };

tables("A007", [
  ["https, one each", { webhooks: [hook("a"), hook("b", "https://b.example/")] }, []],
  [
    "plain http",
    { webhooks: [hook("a", "http://a.example/")] },
    ["warning webhooks/a: webhooks/a sends over plain http"],
  ],
  ["plain http, disabled", { webhooks: [{ ...hook("a", "http://a.example/"), enabled: false }] }, []],
  [
    "one URL for the same event",
    { webhooks: [hook("a", "https://a.example", "x", "y"), hook("b", "https://A.example:443/", "y")] },
    ["warning webhooks/b: webhooks/b has the same URL as webhooks/a"],
  ],
  [
    "one URL for different events",
    { webhooks: [hook("a", "https://a.example/", "x"), hook("b", "https://a.example/", "y")] },
    ["note webhooks/b: webhooks/b has the same URL as webhooks/a"],
  ],
  [
    "the URL of a live one that stays",
    { webhooks: [hook("a", "https://a.example/", "x")] },
    ["warning webhooks/a: webhooks/a has the same URL as webhooks/b"],
    { ...keep, live: { webhooks: [hook("b", "https://a.example/", "x")] } },
  ],
  [
    "what is only live is nobody's here",
    { severities: [] },
    [],
    { live: { webhooks: [hook("b", "http://b.example/")] } },
  ],
]);

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

tables("A012", [
  ["no end", agent({ ability: "incidents.read" }), []],
  ["an end in the far future", agent({ ability: "incidents.read", expires_at: "2026-12-06T00:00:00Z" }), []],
  [
    "an end within two weeks",
    agent({ ability: "incidents.read", expires_at: "2026-12-05" }),
    ["warning agents/bot/grants/incidents.read: agents/bot/grants/incidents.read expires on 2026-12-05"],
  ],
  [
    "an end that has passed",
    agent({ ability: "incidents.read", expires_at: "2026-11-21T07:59:59Z" }),
    ["warning agents/bot/grants/incidents.read: agents/bot/grants/incidents.read has expired on 2026-11-21"],
  ],
  ["a disabled agent", agent({ ability: "incidents.read", expires_at: "2026-11-01" }, { enabled: false }), []],
]);

function hook(name: string, url = `https://${name}.example/`, ...subscribed_events: readonly string[]): Fields {
  return { name, url, subscribed_events };
}

function key(permissions: Fields, more: Fields = {}): Fields {
  return { api_keys: [{ name: "k", permissions, ...more }] };
}

function written(...resources: readonly string[]): Fields {
  return Object.fromEntries(resources.map((resource) => [resource, ["update"]]));
}

function agent(grant: Fields, more: Fields = {}): Fields {
  return { agents: [{ slug: "bot", ...more, grants: [grant] }] };
}
