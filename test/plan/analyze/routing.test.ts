import { type Case, routing, rule, tables } from "./analyzed.ts";

tables("A003", [
  ["rules on different fields", routing("", rule("a", "service is_one_of x"), rule("b", "title contains x")), []],
  ["the catch-all is last", routing("", rule("a", "service is_empty"), rule("b")), []],
  [
    "a catch-all above",
    routing("Datadog", rule("all"), rule("b", "service is_one_of x")),
    ['warning routing_rules/Datadog/2: the rule "b" never applies: "all" above it matches every alert'],
  ],
  ...(
    [
      ["the same conditions", ["service is_one_of x"], ["service is_one_of x"]],
      ["a set in another order", ["service is_one_of x|y"], ["service is_one_of y|x"]],
      ["a superset", ["service is_one_of x|y|z"], ["service is_one_of z|x"]],
      ["fewer conditions", ["service is_one_of x"], ["title contains q", "service is_one_of x"]],
      ["a part of the contained text", ["title contains disk"], ["title contains disk full"]],
      ["a part of the prefix", ["title contains full"], ["title starts_with disk full"]],
      ["a shorter prefix", ["title starts_with disk"], ["title starts_with disk full"]],
      ["a prefix of every value", ["service starts_with api"], ["service is_one_of api-1|api-2"]],
      ["a part of every value", ["service contains pi"], ["service is_one_of api-1|api-2"]],
      ["the same expression", ["title matches_regex ^a.*b$"], ["title matches_regex ^a.*b$"]],
      ["both empty", ["team is_empty"], ["team is_empty", "title contains x"]],
    ] as const
  ).map(
    ([title, broad, narrow]): Case => [
      title,
      routing("", rule("a", ...broad), rule("b", ...narrow)),
      [
        'warning routing_rules/workspace/2: the rule "b" never applies: "a" above it matches every alert that this rule matches',
      ],
    ],
  ),
  ...(
    [
      ["a subset above", ["service is_one_of x"], ["service is_one_of x|y"]],
      ["more conditions above", ["service is_one_of x", "title contains q"], ["service is_one_of x"]],
      ["a longer part above", ["title contains disk full"], ["title contains disk"]],
      ["a prefix above a contained text", ["title starts_with disk"], ["title contains disk"]],
      ["a prefix of only one value", ["service starts_with api"], ["service is_one_of api-1|web"]],
      ["a value above a prefix", ["title is_one_of disk"], ["title starts_with disk"]],
      ["another expression", ["title matches_regex a"], ["title matches_regex ab"]],
      ["an expression above a value", ["title matches_regex .*"], ["title is_one_of a"]],
      ["empty above a value", ["team is_empty"], ["team is_one_of a"]],
      ["the same value of another field", ["team is_one_of a"], ["service is_one_of a"]],
    ] as const
  ).map(([title, broad, narrow]): Case => [title, routing("", rule("a", ...broad), rule("b", ...narrow)), []]),
  ["the broad rule is disabled", routing("", { ...rule("a"), enabled: false }, rule("b", "x is_empty")), []],
  ["the narrow rule is disabled", routing("", rule("a"), { ...rule("b", "x is_empty"), enabled: false }), []],
  [
    "the broad rule is of another scope",
    { routing_rules: { workspace: [rule("a")], sources: { S: [rule("b")] } } },
    [],
  ],
]);

tables("A004", [
  ["the last rule matches everything", routing("Datadog", rule("a", "x is_empty"), rule("b")), []],
  ["the workspace rules may let alerts through", routing("", rule("a", "x is_empty")), []],
  [
    "no rule matches everything",
    routing("Datadog", rule("a", "x is_empty")),
    [
      "warning routing_rules/Datadog: routing_rules/Datadog: alerts of the source that none of its rules matches are dropped",
    ],
  ],
  [
    "the catch-all is disabled",
    routing("Datadog", rule("a", "x is_empty"), { ...rule("b"), enabled: false }),
    [
      "warning routing_rules/Datadog: routing_rules/Datadog: alerts of the source that none of its rules matches are dropped",
    ],
  ],
  [
    "the source is switched off",
    { alert_sources: [{ name: "Datadog", enabled: false }], ...routing("Datadog", rule("a", "x is_empty")) },
    [],
  ],
  [
    "no rules at all",
    routing("Datadog"),
    [
      "note routing_rules/Datadog: routing_rules/Datadog: if the source has had its own rules before, all its alerts are dropped",
    ],
  ],
  ["no rules, and none before", routing("Datadog"), [], { live: routing("Datadog") }],
  [
    "no rules where some are live",
    routing("Datadog"),
    [
      "warning routing_rules/Datadog: routing_rules/Datadog: the source loses its rules; if the service does not fall back to the workspace rules, all its alerts are dropped",
    ],
    { live: routing("Datadog", rule("a")) },
  ],
]);
