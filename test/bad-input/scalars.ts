/** B50 to B62: scalars that lie. */

import { fine, type Row, settings, severity, wrong } from "./row.ts";

const spellings = ['"1"', "1.0", "1.5", "-1", "0", "1e3", "0x10", "0o10"];
const minutes = (value: string) => settings(`limits: {requests_per_minute: ${value}}\n`);
const removals = (value: string) => settings(`limits: {max_removals: ${value}}\n`);
const grant = (until: string): string =>
  `agents:\n  - slug: a\n    grants:\n      - {ability: runbooks.read, expires_at: ${until}}\n`;
const among = (some: readonly string[], value: string): boolean => some.includes(value);

export const SCALARS: readonly Row[] = [
  fine(
    "B50: words that were booleans once, as texts",
    "severities: [{slug: a, name: no, default: true}, {slug: b, name: on}, {slug: c, name: yes}, {slug: d, name: off}]\n",
  ),
  ...["yes", "on", "no", "off", "y"].map((word) =>
    wrong(`B50: enabled: ${word}`, severity(`enabled: ${word}`), "E_TYPE"),
  ),
  wrong("B51: a boolean in quotes", severity('enabled: "false"'), "E_TYPE"),
  wrong("B51: a number for a boolean", severity("enabled: 0"), "E_TYPE"),
  // The contract has no positions at all: whatever the value, the key is an error.
  ...spellings.map((value) => wrong(`B52: position: ${value}`, severity(`position: ${value}`), "E_READONLY")),
  // The rule is held where the contract has whole numbers.
  ...[...spellings, "010", "+5"].map((value) =>
    wrong(`B52: requests_per_minute: ${value}`, minutes(value), among(["-1", "0"], value) ? "E_RANGE" : "E_TYPE"),
  ),
  ...[...spellings, "010", "'30'", "30.5%"].flatMap((value) => {
    if (value === "0") return [fine(`B52: max_removals: ${value}`, removals(value))];
    const code = among(['"1"', "-1", "'30'", "30.5%"], value) ? "E_RANGE" : "E_TYPE";
    return [wrong(`B52: max_removals: ${value}`, removals(value), code)];
  }),
  ...["010", "10", "1.0", "0x10", "true"].map((slug) =>
    wrong(`B53: slug: ${slug}`, `severities:\n  - slug: ${slug}\n`, "E_TYPE"),
  ),
  wrong("B53: a slug for a whole entry", "severities:\n  - critical\n", "E_TYPE"),
  wrong("B53: a number as a name", "webhooks:\n  - name: 10\n", "E_TYPE"),
  wrong("B54: slug: 1e3", "severities:\n  - slug: 1e3\n", "E_TYPE"),
  fine("B54: slug: 12_000", "incident_types:\n  - slug: 12_000\n"),
  fine(
    "B54: names that look like days and times",
    "incident_types: [{slug: a, name: 2024-01-01}, {slug: b, name: 12:30}]\n",
  ),
  ...["12345678901234567890", "9007199254740993", "-9007199254740993", "0xffffffffffffffff", "1e30"].map((value) =>
    wrong(`B55: ${value}`, severity(`extra: {n: ${value}}`), "E_NUMBER_PRECISION"),
  ),
  wrong("B55: in the settings", removals("12345678901234567890"), "E_NUMBER_PRECISION"),
  ...[".nan", ".inf", "-.inf", "1e400", "-1e400"].map((value) =>
    wrong(`B56: ${value}`, severity(`extra: {n: ${value}}`), "E_NUMBER"),
  ),
  wrong("B56: in the settings", settings("vars: {n: 1e400}\n"), "E_NUMBER"),
  wrong("B57: a color without quotes", "severities:\n  - slug: a\n    color: #ff0000\n", "E_NULL"),
  wrong("B57: a short color without quotes", "statuses:\n  - slug: a\n    color: #f00\n", "E_NULL"),
  wrong("B58: a field with nothing", "severities:\n  - slug: a\n    name:\n", "E_NULL"),
  wrong("B58: a null that is written", severity("name: null"), "E_NULL"),
  wrong("B58: a slug that is null", "severities:\n  - slug: null\n", "E_NULL"),
  wrong("B58: a kind with nothing", "severities:\n", "E_NULL"),
  wrong("B58: an item with nothing", "severities:\n  -\n", "E_NULL"),
  wrong("B58: a form with nothing", "forms:\n  declare:\n", "E_NULL"),
  wrong("B58: a setting with nothing", settings("base_url:\n"), "E_NULL"),
  fine("B58: a null that the service understands", "custom_fields:\n  - {slug: a, description: null}\n"),
  wrong("B59: an empty name", severity('name: ""'), "E_EMPTY_STRING"),
  wrong("B59: a name of blanks", severity('name: "  "'), "E_EMPTY_STRING"),
  wrong("B59: a name of blanks that do not break", severity('name: "\u00a0"'), "E_EMPTY_STRING"),
  wrong(
    "B59: a name that ends with a line break",
    "severities:\n  - slug: a\n    name: |\n      Outage\n",
    "E_CONTROL",
  ),
  fine("B59: a text that ends with a line break", "incident_types:\n  - slug: a\n    description: |\n      Outage\n"),
  wrong("B60: a name of two lines", severity('name: "a\\nb"'), "E_CONTROL"),
  fine(
    "B60: a name of 10,000 characters",
    `incident_types:\n  - {slug: a, name: ${"x".repeat(10_000)}}\n`,
    "W_TOO_LONG",
  ),
  fine("B60: a name of 255 emoji", `incident_types:\n  - {slug: a, name: ${"😀".repeat(255)}}\n`),
  fine("B60: emoji and right-to-left text", "incident_types: [{slug: a, name: 👩‍🚒}, {slug: b, name: חירום}]\n"),
  wrong("B61: a stage in capitals", "statuses:\n  - {slug: a, lifecycle_stage: Active}\n", "E_ENUM"),
  wrong("B61: a stage with a slip", "statuses:\n  - {slug: a, lifecycle_stage: actve}\n", "E_ENUM"),
  wrong("B61: a policy in capitals", settings("removal: {default: Keep}\n"), "E_ENUM"),
  ...[
    "2026-02-30T00:00:00Z",
    "2026-02-30",
    "2026-13-01",
    "tomorrow",
    "2026-01-01T00:00:00",
    "2026-01-01T25:00:00Z",
  ].map((until) => wrong(`B62: ${until}`, grant(until), "E_DATE")),
];
