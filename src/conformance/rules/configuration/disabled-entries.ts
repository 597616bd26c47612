/** Rules of "Disabled entries", and of the enabled flag on every resource that bears it. */

import { expectRefusal, expectThat } from "../../expectation.ts";
import { all, noRow, row } from "../../expected.ts";
import { findResource, optionLists } from "../../fixtures/configuration-resources.ts";
import { anyStatus, incident, made } from "../../fixtures/given.ts";
import { declare, idOf, statusIn } from "../../fixtures/incidents.ts";
import { listMembers, memberPath } from "../../fixtures/requests.ts";
import { forEach, type RowStep, type Rules, rulesOf } from "../../row.ts";
import { type ConformanceRule, NotApplicable } from "../../rule.ts";
import { numberAt, textAt } from "../../value-shape.ts";

const isMade = { slug: "{made.slug}" };

function setEnabled(member: string, enabled: boolean): RowStep {
  return { request: `PATCH ${member}`, body: { enabled }, shows: { enabled } };
}

const optionRules: Rules = forEach(optionLists, ({ id }) => {
  // The only status of a stage cannot be disabled.
  const given = { ...(id === "statuses" ? { any: anyStatus } : {}), made: made(id) };
  const disabled = setEnabled(`${id}/{made.slug}`, false);
  return {
    [`disabled.1.kept.${id}`]: {
      title: `1: enabled: false keeps the entry and its slug (${id})`,
      given,
      steps: [disabled, { request: `LIST ${id}?include_disabled=true`, shows: row(isMade, { enabled: false }) }],
    },
    [`disabled.2.hidden.${id}`]: {
      title: `2: listings omit disabled entries (${id})`,
      given,
      steps: [disabled, { request: `LIST ${id}`, shows: noRow(isMade) }],
    },
    [`disabled.2.asked.${id}`]: {
      title: `2: include_disabled=true lists disabled and enabled entries (${id})`,
      given: { ...given, other: made(id) },
      steps: [
        disabled,
        { request: `LIST ${id}?include_disabled=true`, shows: all(row(isMade), row({ slug: "{other.slug}" })) },
      ],
    },
    [`disabled.back.${id}`]: {
      title: `Enabled flag: enabled: true brings an entry back under its old slug (${id})`,
      given,
      steps: [disabled, setEnabled(`${id}/{made.slug}`, true), { request: `LIST ${id}`, shows: row(isMade) }],
    },
  };
});

/** The ways in which incidents use an entry: the input, the field that shows it, and another entry that ends the use. */
const uses: readonly (readonly [id: string, input: string, field: string, other: string])[] = [
  ["severities", "severity_id", "severity", "{severity.id}"],
  ["statuses", "status_id", "status", "{status.active.id}"],
  ["incident_types", "incident_type_id", "type", "{type.id}"],
];

const useRules: Rules = forEach(uses, ([id, input, field, other]) => {
  const using = incident({ [input]: "{made.id}" });
  const given = { made: made(id), incident: using };
  return {
    [`disabled.1.used.${id}`]: {
      title: `1: disabling an entry leaves incidents that use it unchanged (${id})`,
      given,
      steps: [
        setEnabled(`${id}/{made.slug}`, false),
        { request: "READ incidents/{incident.id}", shows: { [field]: `{incident.${field}}` } },
      ],
    },
    [`disabled.3.refused.${id}`]: {
      title: `3: deleting an entry an incident refers to is refused with 422 and the count (${id})`,
      given: { ...given, second: using },
      steps: [
        { request: `DELETE ${id}/{made.slug}`, refusal: "422", message: /\b2\b/ },
        { request: `LIST ${id}`, shows: row(isMade) },
      ],
    },
    [`disabled.3.released.${id}`]: {
      title: `3: an entry without references can be deleted (${id})`,
      given,
      steps: [
        { request: "PATCH incidents/{incident.id}", body: { [input]: other } },
        { request: `DELETE ${id}/{made.slug}` },
      ],
    },
  };
});

const flagged = ["agents", "alert_sources", "webhooks"].map(findResource);

const flagRules: Rules = forEach(flagged, ({ id, path, address }) => ({
  [`disabled.flag.${id}`]: {
    title: `Enabled flag: PATCH enabled switches a member off and on (${id})`,
    given: { made: made(id) },
    steps: [false, true].map((enabled) => setEnabled(`${path}/{made.${address}}`, enabled)),
  },
}));

const listedRules: Rules = forEach(flagged, ({ id, path, address }) => ({
  [`disabled.2.listed.${id}`]: {
    basis: "wire",
    title: `2: only what is offered to responders is left out of listings: a disabled member stays (${id})`,
    given: { made: made(id) },
    steps: [
      setEnabled(`${path}/{made.${address}}`, false),
      { request: `LIST ${path}`, shows: row({ [address]: `{made.${address}}` }, { enabled: false }) },
    ],
  },
}));

export const disabledEntryRules: readonly ConformanceRule[] = rulesOf("Disabled entries", {
  ...optionRules,
  ...useRules,
  "disabled.3.free": {
    title: "3: an entry nothing refers to is deleted and gone from both listings",
    given: Object.fromEntries(optionLists.map(({ id }) => [id, made(id)])),
    steps: optionLists.flatMap(({ id }) => [
      { request: `DELETE ${id}/{${id}.slug}` },
      { request: `LIST ${id}?include_disabled=true`, shows: noRow({ slug: `{${id}.slug}` }) },
      { request: `PATCH ${id}/{${id}.slug}`, body: { name: "x" }, refusal: "404 not_found" },
    ]),
  },
  "disabled.3.only": {
    title: "3: deleting a referenced entry is refused with the count, even if it cannot be deleted for another reason",
    async check(context) {
      if (!context.disposable) throw new NotApplicable("a faulty service would delete a status that people rely on");
      const kind = findResource("statuses");
      await statusIn(context, "canceled");
      const canceled = (await listMembers(context, kind)).filter(({ lifecycle_stage: stage }) => stage === "canceled");
      const [only, ...others] = canceled;
      if (only === undefined || others.length > 0) throw new NotApplicable("the canceled stage has several statuses");
      await declare(context, { status_id: idOf(only) });
      const { body } = await context.client.get(`incidents?status_id=${idOf(only)}`);
      const exchange = await context.client.delete(memberPath(kind, only));
      expectRefusal(exchange, 422);
      const message = textAt(exchange.body, "error", "message");
      const total = numberAt(body, "pagination", "total");
      expectThat(new RegExp(`\\b${total}\\b`).test(message), `a message with the count, ${total}`, message, exchange);
    },
  },
  ...flagRules,
  ...listedRules,
});
