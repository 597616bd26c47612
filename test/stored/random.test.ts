/** Random workspaces on a service that stores texts in another form, chosen by a seed for each list and field. */

import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makePlanFor } from "../../src/app/session/make-plan.ts";
import { InvalidConfiguration } from "../../src/core/diagnostic.ts";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { kinds } from "../../src/kinds/index.ts";
import { updateLastApplied } from "../../src/plan/checks/update-last-applied.ts";
import { storedOtherwise, withCreatedIds } from "../../src/run/apply/stored-otherwise.ts";
import { IgnoredChange } from "../../src/run/exchange/failure.ts";
import { reader } from "../../src/service/http/client.ts";
import { configured } from "../support/plans/configuration.ts";
import { configuration } from "../support/samples/arbitrary-configuration.ts";
import { DEFAULT_OPTIONS, serviceFor, type TestService } from "../support/service/test-service.ts";

/** Forms in which services were seen to store names: the slug that they derive stays. */
const NAME_FORMS: readonly ((text: string) => string)[] = [
  (text) => text.trim(),
  (text) => text.toLowerCase(),
  (text) => text.normalize("NFD"),
];

/** Forms in which services were seen to store texts. */
const FORMS: readonly ((text: string) => string)[] = [
  ...NAME_FORMS,
  (text) => (text.endsWith("\n") ? text : `${text}\n`),
  (text) => text.replace(/\r?\n/g, "\r\n"),
  (text) => text.replace(/\s+/g, " "),
  (text) => (text.endsWith(" (see wiki)") ? text : `${text} (see wiki)`),
  (text) => text.slice(0, 8),
];

/** The form of a field of a list: none for half of them. */
function formOf(seed: number, list: string, field: string): (text: string) => string {
  const byte = createHash("sha256").update(`${seed} ${list} ${field}`).digest()[0] ?? 0;
  const forms = field === "name" ? NAME_FORMS : FORMS;
  return (byte % 2 === 0 ? undefined : forms[(byte >> 1) % forms.length]) ?? ((text) => text);
}

function altered(value: Json, form: (field: string) => (text: string) => string, field: string): Json {
  // References name resources and options: under other names, this service would refuse them.
  if (field === "options" || field === "slug") return value;
  if (typeof value === "string") return form(field)(value);
  if (isList(value)) return value.map((item) => altered(item, form, field));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, altered(member, form, name)]));
}

/** A service that alters what it is sent; where that would be refused, it stores it as it is. */
function altering(seed: number): Emulator {
  const emulator = createEmulator({ requestsPerMinute: 1_000_000 });
  const fetch = async (request: Request): Promise<Response> => {
    if (!["POST", "PATCH", "PUT"].includes(request.method)) return emulator.fetch(request);
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    const text = await request.text();
    const [list = ""] = new URL(url).pathname.replace("/api/v1/", "").split("/");
    const body = text === "" ? "" : JSON.stringify(altered(JSON.parse(text), (field) => formOf(seed, list, field), ""));
    const send = (sent: string) =>
      emulator.fetch(new Request(url, { method, headers, ...(sent === "" ? {} : { body: sent }) }));
    const answer = await send(body);
    return answer.ok || body === text ? answer : send(text);
  };
  return { ...emulator, fetch };
}

/** Applies a document as the command does, and returns the hashes that the lock gets. */
async function applied(service: TestService, document: Fields) {
  const plan = await service.plan(document);
  const { outcomes } = await service.apply(plan);
  const failed = outcomes.flatMap((outcome) => (outcome.status === "failed" ? [outcome.error] : []));
  expect(failed.filter((error) => !(error instanceof IgnoredChange)).map(String)).toEqual([]);
  const own = configured(document);
  const made = await makePlanFor(withCreatedIds(own, outcomes), reader(service.writer), kinds, {
    ...DEFAULT_OPTIONS,
    lastApplied: { hashes: {}, resend: false, verifying: true },
  });
  const stored = storedOtherwise(made.plan.changes, outcomes, made);
  return { hashes: updateLastApplied(own, plan.operations, made.plan, {}, { stored }), stored, verifying: made.plan };
}

test("after one apply, no second plan writes anything: it has no change, or names the live name to write", async () => {
  await fc.assert(
    fc.asyncProperty(configuration, fc.nat(), async (document, seed) => {
      const service = serviceFor({}, altering(seed));
      try {
        const { hashes } = await applied(service, document);
        const again = await service
          .plan(document, { options: { lastApplied: { hashes, resend: false } } })
          .catch((error: unknown) => error);
        if (again instanceof InvalidConfiguration)
          expect([...new Set(again.diagnostics.map(({ code }) => code))]).toEqual(["E_OTHER_FORM"]);
        else expect(again).toMatchObject({ operations: [] });
      } finally {
        service.emulator.close();
      }
    }),
    { numRuns: Number(process.env.CAMPAIGN_STORED ?? 100) },
  );
}, 600_000);
