import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { type Case, found, routing, rule, tables } from "./analyzed.ts";

/** A rule with an outcome. */
const outcome = (value: Fields): Fields => routing("", { name: "a", outcome: value });
const owner = (of: string): Fields => outcome({ action: "notify_only", notify: { type: "owning_team", of } });
const channel = (channel_id: string): Fields =>
  outcome({ action: "notify_only", notify: { type: "channel", channel_id } });

const SQUAD: Fields = { slug: "squad", name: "Squad", attributes: [{ name: "On call", attribute_type: "text" }] };
const LIVE_SERVICE: Fields = {
  catalog_types: [{ slug: "service", attributes: [{ name: "Teir", attribute_type: "text" }] }],
};
const TEAM: Fields = {
  catalog_types: [{ slug: "team", entries: [{ slug: "payments", name: "Money", external_id: "T-1", source: "s" }] }],
};

tables("A016", [
  ...[
    "service",
    "severity_raw",
    "environment",
    "severity",
    "device",
    "region",
    "service.tier",
    "service.slack_channel",
  ].map((name): Case => [`the field ${name}`, routing("", rule("a", `${name} is_empty`)), []]),
  ...(
    [
      ["sevrity_raw", "severity_raw"],
      ["enviroment", "environment"],
      ["Service", "service"],
      ["sevice.tier", "service.tier"],
    ] as const
  ).map(
    ([name, near]): Case => [
      `a field near ${near}`,
      routing("", rule("a", `${name} is_empty`)),
      [`warning routing_rules/workspace/1: alerts are not known to have the field "${name}"; the nearest is "${near}"`],
    ],
  ),
  ["a field that a routing test has", routing("", rule("a", "sevrity_raw is_empty")), [], { tested: ["sevrity_raw"] }],
  [
    "a field near one that a routing test has",
    routing("", rule("a", "clustre is_empty")),
    ['warning routing_rules/workspace/1: alerts are not known to have the field "clustre"; the nearest is "cluster"'],
    { tested: ["cluster"] },
  ],
  [
    "an attribute near one of a default workspace",
    routing("", rule("a", "service.teir is_empty")),
    ['error routing_rules/workspace/1: the catalog type service has no attribute "teir"; the nearest is "tier"'],
  ],
  ["an attribute that the workspace may have", routing("", rule("a", "service.pager is_empty")), []],
  [
    "an attribute that a type of the files need not have",
    { catalog_types: [{ slug: "service" }], ...routing("", rule("a", "service.pager is_empty")) },
    ['warning routing_rules/workspace/1: the catalog type service has no attribute "pager"'],
  ],
  ["an attribute that the workspace has", routing("", rule("a", "service.teir is_empty")), [], { live: LIVE_SERVICE }],
  [
    "an attribute that the workspace does not have",
    routing("", rule("a", "service.pager is_empty")),
    ['error routing_rules/workspace/1: the catalog type service has no attribute "pager"'],
    { live: LIVE_SERVICE },
  ],
  [
    "an attribute of a type whose attributes the service does not return",
    routing("", rule("a", "service.teir is_empty")),
    [],
    { live: { catalog_types: [{ slug: "service" }] } },
  ],
  [
    "an attribute of a type of the files",
    {
      catalog_types: [SQUAD],
      ...routing("", rule("a", "squad.on_call is_empty", "squad.oncall is_empty", "squad is_empty")),
    },
    ['error routing_rules/workspace/1: the catalog type squad has no attribute "oncall"; the nearest is "on_call"'],
  ],
  ...["service", "functionality", "product", "service.owner_team"].map(
    (of): Case => [`the owner of ${of}`, owner(of), []],
  ),
  ["the owner of a type of the files", { catalog_types: [SQUAD], ...owner("squad") }, []],
  [
    "the owner of what is near a type",
    owner("servce"),
    [
      'error routing_rules/workspace/1: no team owns "servce": there is no catalog type "servce"; the nearest is "service"',
    ],
  ],
  [
    "the owner of an attribute that the type does not have",
    outcome({ action: "auto_create_incident", invite: [{ type: "owning_team", of: "service.owner_taem" }] }),
    [
      'error routing_rules/workspace/1: the catalog type service has no attribute "owner_taem"; the nearest is "owner_team"',
    ],
  ],
  [
    "the owner of no type, where all are known",
    owner("product"),
    ['warning routing_rules/workspace/1: no team owns "product": there is no catalog type "product"'],
    { live: LIVE_SERVICE },
  ],
]);

const PAYMNTS: Fields = routing("", rule("a", "team is_one_of payments|Money|MONEY|T-1|paymnts"));
const UNKNOWN_TEAM =
  'routing_rules/workspace/1: the catalog type team has no entry "paymnts"; the nearest is "payments"';

tables("A017", [
  ["teams that nobody knows", PAYMNTS, []],
  ["the catalog has no entries", { catalog_types: [{ slug: "team", entries: [] }], ...PAYMNTS }, []],
  ["a team that the files do not have", { ...TEAM, ...PAYMNTS }, [`warning ${UNKNOWN_TEAM}`]],
  ["a team that the workspace does not have", PAYMNTS, [`warning ${UNKNOWN_TEAM}`], { live: TEAM }],
  [
    "a team that may be live: others are preserved",
    { ...TEAM, ...PAYMNTS },
    [],
    { settings: { removal: { default: "keep", kinds: {} } } },
  ],
  [
    "a team that may be live: the kind that entries belong to preserves others",
    { ...TEAM, ...PAYMNTS },
    [],
    { settings: { removal: { default: "disable_or_delete", kinds: { catalog_types: "keep" } } } },
  ],
  ["a part of a name", { ...TEAM, ...routing("", rule("a", "team starts_with paymnts", "team contains x")) }, []],
  [
    "an option that a live attribute does not have",
    routing("", rule("a", "service.tier is_one_of Critical|Critcal")),
    [
      'warning routing_rules/workspace/1: the attribute tier of the catalog type service has no option "Critcal"; the nearest is "Critical"',
    ],
    {
      live: {
        catalog_types: [
          { slug: "service", attributes: [{ name: "Tier", attribute_type: "select", options: ["Critical"] }] },
        ],
      },
    },
  ],
  ["an option that the workspace may have", routing("", rule("a", "service.tier is_one_of Gold")), []],
]);

tables("A018", [
  ...["C0123456789", "C1", "34", "19:abc@thread.tacv2"].map((id): Case => [`the channel ${id}`, channel(id), []]),
  ...["#alerts", "@oncall", "alerts", "alerts eu"].map(
    (id): Case => [
      `the channel ${id}`,
      channel(id),
      [`warning routing_rules/workspace/1: "${id}" is the name of a channel, not its id`],
    ],
  ),
]);

test("labels that monitors send are not taken for misspelt fields", () => {
  const labels =
    "alertname alert_id alert_type application app category class cluster component container culprit customer dashboard database datacenter device env env_name event_type grafana_folder group host hostname id instance job level logger monitor mountpoint name namespace node org owner phone platform pod priority product project queue rack region release rule_uid runbook_url severity shard source state summary tags tenant test text timestamp topic transaction type url version zone";
  const document = routing("", ...labels.split(" ").map((label) => rule(label, `${label} is_one_of x`)));
  expect(found("A016", document)).toEqual([]);
});

test("a known field with one letter changed, removed or swapped is found, with its name", () => {
  const known = [
    "service",
    "severity_raw",
    "environment",
    "description",
    "functionality",
    "fingerprint",
    "external_id",
  ];
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.nat(), fc.nat(2), (name, seed, how) => {
      const at = seed % (name.length - 1);
      const rest = name.slice(at + 1);
      const typed = [
        `${name.slice(0, at)}#${rest}`,
        name.slice(0, at) + rest,
        `${name.slice(0, at)}${rest[0]}${name[at]}${rest.slice(1)}`,
      ][how];
      fc.pre(typed !== undefined && typed !== name);
      expect(found("A016", routing("", rule("a", `${typed} is_empty`)))).toEqual([
        `warning routing_rules/workspace/1: alerts are not known to have the field "${typed}"; the nearest is "${name}"`,
      ]);
    }),
  );
});

test("random configurations have no misspelt fields, and no channels by name", () => {
  fc.assert(
    fc.property(configuration, (document) => {
      expect([...found("A016", document), ...found("A018", document)]).toEqual([]);
    }),
  );
});
