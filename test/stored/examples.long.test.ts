/** The example workspace on a service that answers, or stores, other forms of everything: every kind at once. */

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { type Fields, fieldsIn, isFields, isList, type Json } from "../../src/core/json.ts";
import { openTestWorld, type World, type WorldIo } from "../commands/world.ts";
import { folder } from "../support/samples/example-workspace.ts";
import { someOf } from "../support/samples/sample-size.ts";
import { alteringIo, answeringIo } from "./altering.ts";

/** The form of a value; `name` is that of the member that holds it. */
type Form = (value: Json, name: string) => Json;

/** Lists of rows, and numbers of pages, which are no values. */
const ROWS =
  /^(severities|statuses|incident_types|incident_roles|custom_fields|fields|runbooks|types|entries|webhooks)$/;
const ROWS_ALSO = /^(alert_sources|routing_rules|api_keys|agents|grants|incidents|members)$/;
const PAGES = /^(total|page|per_page|total_pages|next_page|count)$/;
/** Members of requests that mean something else in another form: names, references and the values of conditions. */
const REFERENCES =
  /name|slug|label|title|id$|key|type|field|values?$|operator|provider|source|url|conditions|options|ability|default|tier|regions|customers/;

const isRows = (name: string): boolean => ROWS.test(name) || ROWS_ALSO.test(name);

function inForm(value: Json, form: Form, name = ""): Json {
  if (isList(value))
    return form(
      value.map((item) => inForm(item, form, name)),
      name,
    );
  if (!isFields(value)) return form(value, name);
  return form(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inForm(one, form, key)])), name);
}

const answers =
  (form: Form) =>
  (io: WorldIo): WorldIo =>
    answeringIo(io, (body) => fieldsIn(inForm(body, form)));
const stores =
  (form: Form) =>
  (io: WorldIo): WorldIo =>
    alteringIo(
      io,
      (body): Fields => fieldsIn(inForm(body, (value, name) => (REFERENCES.test(name) ? value : form(value, name)))),
    );

async function opened(service: (io: WorldIo) => WorldIo): Promise<World> {
  const world = await openTestWorld({});
  cpSync(folder, world.folder, { recursive: true });
  rmSync(join(world.folder, "routing.test.yaml"));
  const settings = join(world.folder, "incidentctl.yaml");
  const text = readFileSync(settings, "utf8").replace("https://incidents.example.com", "http://localhost:4010");
  writeFileSync(settings, text.replace("30%", "100%"));
  Object.assign(world.io, service({ ...world.io }));
  return world;
}

const ended = (text: Json): Json => (typeof text === "string" && text.includes(" ") ? `${text.trimEnd()}\n` : text);

/** Members with one of a few values, and those with a list or an object of such values. */
const KNOWN =
  /^(provider|lifecycle_stage|field_type|option_source|attribute_type|role|operator|action|condition_field|system_field|ability|kind|type|subscribed_events)$/;
const known =
  (form: (text: string) => string): Form =>
  (value, name) => {
    if (KNOWN.test(name) && typeof value === "string") return form(value);
    if (name !== "permissions" || !isFields(value)) return value;
    const actions = (list: Json): Json => (isList(list) ? list.map((action) => form(String(action))) : list);
    return Object.fromEntries(Object.entries(value).map(([resource, list]) => [resource, actions(list)]));
  };

const SERVICES: readonly (readonly [title: string, service: (io: WorldIo) => WorldIo])[] = [
  [
    "answers null for empty lists",
    answers((value, name) => (isList(value) && value.length === 0 && !isRows(name) ? null : value)),
  ],
  ["answers null for empty texts", answers((value) => (value === "" ? null : value))],
  [
    "answers empty texts for null",
    answers((value, name) => (value === null && !PAGES.test(name) && name !== "expires_at" ? "" : value)),
  ],
  [
    "answers numbers as texts",
    answers((value, name) => (typeof value === "number" && !PAGES.test(name) ? String(value) : value)),
  ],
  [
    "answers rows in another order",
    answers((value, name) => (isList(value) && isRows(name) ? value.toReversed() : value)),
  ],
  ["answers names of values in upper case", answers(known((text) => text.toUpperCase()))],
  ["answers names of values padded and with hyphens", answers(known((text) => ` ${text.replaceAll("_", "-")} `))],
  ["stores texts with a last line break", stores(ended)],
  ["stores texts trimmed", stores((text) => (typeof text === "string" ? text.trim() : text))],
  [
    "stores texts shortened",
    stores((text) => (typeof text === "string" && text.includes(" ") ? text.slice(0, 12) : text)),
  ],
  ["stores texts escaped", stores((text) => (typeof text === "string" ? text.replaceAll("'", "&#39;") : text))],
  ["stores lists in another order", stores((value) => (isList(value) ? value.toReversed() : value))],
];

test.each(someOf(SERVICES, 0))(
  "after one apply, nothing is left to write where the service %s",
  { timeout: 240_000 },
  async (_title, service) => {
    const world = await opened(service);
    const first = await world.run(apply, { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" });
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    const second = await world.run(plan, { paths: [], detailedExitcode: true });
    expect(second.exit, second.stdout + second.stderr).toBe(0);
    const pulled = await world.run(pull, { paths: [] });
    // A text from a file of its own is a conflict, which a person resolves.
    expect(pulled.exit, pulled.stdout + pulled.stderr).toBe(/conflict.*substitution/.test(pulled.stderr) ? 7 : 0);
    const third = await world.run(plan, { paths: [], detailedExitcode: true });
    expect(third.exit, third.stdout + third.stderr).toBe(0);
  },
);
