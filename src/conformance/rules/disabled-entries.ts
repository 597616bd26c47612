/** Rules of "Disabled entries", and of the enabled flag on every resource that bears it. */

import { expectRefusal, expectSame, expectStatus, expectSuccess, expectThat, memberOf } from "../expectation.ts";
import { type ConfigurationResource, findResource, optionLists } from "../fixtures/configuration-resources.ts";
import { declare, idOf, readIncident, severityId, statusIn } from "../fixtures/incidents.ts";
import { clientFor, createMember, listMembers, memberPath } from "../fixtures/requests.ts";
import { type ConformanceRule, NotApplicable, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { numberAt, textAt } from "../value-shape.ts";

async function isListed(
  context: RuleContext,
  kind: ConfigurationResource,
  address: string,
  disabled: boolean,
): Promise<boolean> {
  return (await listMembers(context, kind, disabled)).some((entry) => entry[kind.address] === address);
}

/** Disables a new entry and returns its address. */
async function disabledEntry(context: RuleContext, kind: ConfigurationResource): Promise<string> {
  const created = await createMember(context, kind);
  const exchange = await clientFor(context, kind.path).patch(memberPath(kind, created), { enabled: false });
  expectStatus(exchange, 200);
  return textAt(created, kind.address);
}

/** The way in which incidents use an entry, and the change that ends the use. */
interface Use {
  readonly kind: ConfigurationResource;
  readonly input: string;
  readonly shows: string;
  release(context: RuleContext): Promise<string>;
}

const uses: readonly Use[] = [
  { kind: findResource("severities"), input: "severity_id", shows: "severity", release: severityId },
  {
    kind: findResource("statuses"),
    input: "status_id",
    shows: "status",
    release: async (context) => idOf(await statusIn(context, "active")),
  },
  {
    kind: findResource("incident_types"),
    input: "incident_type_id",
    shows: "type",
    async release(context) {
      const types = await listMembers(context, findResource("incident_types"));
      const other = types.find((type) => !textAt(type, "name").startsWith("Conformance "));
      if (other === undefined) throw new NotApplicable("the workspace has no other incident type to change to");
      return idOf(other);
    },
  },
];

const optionRows: readonly RuleDefinition[] = optionLists.flatMap((kind): readonly RuleDefinition[] => [
  {
    id: `disabled.1.kept.${kind.id}`,
    title: `1: enabled: false keeps the entry and its slug (${kind.id})`,
    async check(context) {
      const slug = await disabledEntry(context, kind);
      const listed = (await listMembers(context, kind, true)).find((entry) => entry.slug === slug);
      expectThat(listed !== undefined, `the entry ${slug} among all entries`, null);
      expectSame("enabled", listed?.enabled, false);
    },
  },
  {
    id: `disabled.2.hidden.${kind.id}`,
    title: `2: listings omit disabled entries (${kind.id})`,
    async check(context) {
      const slug = await disabledEntry(context, kind);
      expectSame("the entry in the listing", await isListed(context, kind, slug, false), false);
    },
  },
  {
    id: `disabled.2.asked.${kind.id}`,
    title: `2: include_disabled=true lists disabled and enabled entries (${kind.id})`,
    async check(context) {
      const slug = await disabledEntry(context, kind);
      const enabled = textAt(await createMember(context, kind), "slug");
      expectSame("the disabled entry in the full listing", await isListed(context, kind, slug, true), true);
      expectSame("the enabled entry in the full listing", await isListed(context, kind, enabled, true), true);
    },
  },
  {
    id: `disabled.back.${kind.id}`,
    title: `Enabled flag: enabled: true brings an entry back under its old slug (${kind.id})`,
    async check(context) {
      const slug = await disabledEntry(context, kind);
      const exchange = await context.client.patch(`${kind.path}/${slug}`, { enabled: true });
      expectStatus(exchange, 200);
      expectSame("the entry in the listing", await isListed(context, kind, slug, false), true);
    },
  },
]);

const useRows: readonly RuleDefinition[] = uses.flatMap(
  ({ kind, input, shows, release }): readonly RuleDefinition[] => [
    {
      id: `disabled.1.used.${kind.id}`,
      title: `1: disabling an entry leaves incidents that use it unchanged (${kind.id})`,
      async check(context) {
        const created = await createMember(context, kind);
        const before = await declare(context, { [input]: idOf(created) });
        expectStatus(await context.client.patch(memberPath(kind, created), { enabled: false }), 200);
        const after = await readIncident(context, idOf(before));
        expectSame(`incident.${shows}`, after[shows], before[shows]);
      },
    },
    {
      id: `disabled.3.refused.${kind.id}`,
      title: `3: deleting an entry an incident refers to is refused with 422 and the count (${kind.id})`,
      async check(context) {
        const created = await createMember(context, kind);
        const entry = idOf(created);
        await declare(context, { [input]: entry });
        await declare(context, { [input]: entry });
        const exchange = await context.client.delete(memberPath(kind, created));
        expectRefusal(exchange, 422);
        const message = textAt(exchange.body, "error", "message").replaceAll(textAt(created, "name"), "");
        expectThat(/\b2\b/.test(message), "a message with the count of references, 2", message, exchange);
        const still = await isListed(context, kind, textAt(created, "slug"), false);
        expectSame("the entry after the refusal", still, true);
      },
    },
    {
      id: `disabled.3.released.${kind.id}`,
      title: `3: an entry without references can be deleted (${kind.id})`,
      async check(context) {
        const other = await release(context);
        const created = await createMember(context, kind);
        const id = idOf(await declare(context, { [input]: idOf(created) }));
        expectStatus(await context.client.patch(`incidents/${id}`, { [input]: other }), 200);
        const exchange = await context.client.delete(memberPath(kind, created));
        expectSuccess(exchange);
      },
    },
  ],
);

const flagged = ["agents", "alert_sources", "webhooks"].map(findResource);

const flagRows: readonly RuleDefinition[] = flagged.map((kind) => ({
  id: `disabled.flag.${kind.id}`,
  title: `Enabled flag: PATCH enabled switches a member off and on (${kind.id})`,
  async check(context: RuleContext) {
    const client = clientFor(context, kind.path);
    const path = memberPath(kind, await createMember(context, kind));
    for (const enabled of [false, true]) {
      const exchange = await client.patch(path, { enabled });
      expectStatus(exchange, 200);
      expectSame("enabled", memberOf(exchange).enabled, enabled, exchange);
    }
  },
}));

const listedRows: readonly RuleDefinition[] = flagged.map((kind) => ({
  id: `disabled.2.listed.${kind.id}`,
  basis: "wire",
  title: `2: only what is offered to responders is left out of listings: a disabled member stays (${kind.id})`,
  async check(context: RuleContext) {
    const member = await createMember(context, kind);
    const path = memberPath(kind, member);
    expectStatus(await clientFor(context, kind.path).patch(path, { enabled: false }), 200);
    const listed = (await listMembers(context, kind)).find((each) => memberPath(kind, each) === path);
    expectSame("enabled in the listing", listed?.enabled, false);
  },
}));

/** The rules of disabled entries. */
export const disabledEntryRules: readonly ConformanceRule[] = rulesOf("Disabled entries", [
  ...optionRows,
  ...useRows,
  {
    id: "disabled.3.free",
    title: "3: an entry nothing refers to is deleted and gone from both listings",
    async check(context) {
      for (const kind of optionLists) {
        const created = await createMember(context, kind);
        const exchange = await context.client.delete(memberPath(kind, created));
        expectSuccess(exchange);
        expectSame("the deleted entry", await isListed(context, kind, textAt(created, "slug"), true), false);
        expectRefusal(await context.client.patch(memberPath(kind, created), { name: "x" }), 404, "not_found");
      }
    },
  },
  {
    id: "disabled.3.only",
    title: "3: deleting a referenced entry is refused with the count, even if it cannot be deleted for another reason",
    async check(context) {
      if (!context.disposable) throw new NotApplicable("a faulty service would delete a status that people rely on");
      const kind = findResource("statuses");
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
  ...flagRows,
  ...listedRows,
]);
