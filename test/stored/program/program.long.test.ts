/** The program on services that store, or answer, other forms: plan, apply and plan of every kind, as built and over HTTP too. */

import { afterAll, describe, expect, test } from "vitest";
import { someOf } from "../../support/samples/sample-size.ts";
import { ALTERATIONS } from "./alterations.ts";
import { DOCUMENTS } from "./documents.ts";
import { AlteredProgram, type Ended } from "./proxy.ts";

const program = new AlteredProgram();
afterAll(() => program.close());

const APPLY = "apply --yes --allow-delete --accept-routing-window --max-removals 100% --secrets-out tokens.jsonl".split(
  " ",
);
const PLAN = ["plan", "--detailed-exitcode"];

/** Says which name or slug to write. */
const DOUBTS = /E_OTHER_(FORM|SLUG)\b/;
/** Reasons for which an operation may fail, each of which a person can act on. */
const REASONS = /, but left .* unchanged|was created, but the service chose the slug|the service responded to /;

/** The reasons for which operations failed. */
function failures({ told }: Ended): readonly string[] {
  const lines = told.split("\n");
  return lines.flatMap((line, at) => (/^ +(failed|unknown) /.test(line) ? [lines[at + 1] ?? ""] : []));
}

/** Resources that were created. Rules have no names: a second one may be another one. */
function created({ writes }: Ended): readonly string[] {
  return writes.filter((line) => line.startsWith("POST ") && !line.includes("routing_rules"));
}

async function keepsTheLaws(kind: string, service: string, isBuilt: boolean): Promise<void> {
  program.begin(DOCUMENTS[kind] ?? {}, ALTERATIONS[service] ?? {}, isBuilt);
  const first = await program.run(...APPLY);
  const failed = failures(first);
  expect(first.exit, first.told).toBe(failed.length === 0 ? 0 : 4);
  expect(
    failed.filter((line) => !REASONS.test(line)),
    first.told,
  ).toEqual([]);
  const second = await program.run(...PLAN);
  const isDoubtful = second.exit === 1 && DOUBTS.test(second.told);
  if (failed.length === 0 && !isDoubtful) expect(second.exit, first.told + second.told).toBe(0);
  const again = await program.run(...APPLY);
  if (failed.length === 0 || isDoubtful) expect(again.writes, first.told + again.told).toEqual([]);
  // What has failed may be tried again, and nothing else is made.
  else expect(created(again), first.told + again.told).toEqual([]);
  if (first.exit !== 0) return;
  const undone = await program.run("undo");
  expect(undone.told).not.toContain("somebody");
  expect(undone.exit, undone.told).toBe(0);
  const pulled = await program.run("pull");
  expect([0, 7], pulled.told).toContain(pulled.exit);
  if (pulled.exit === 7) return;
  const third = await program.run(...PLAN);
  expect(third.exit, pulled.told + third.told).toBe(0);
  expect(third.told).not.toContain("[W_FORM]");
}

const services = Object.keys(ALTERATIONS);
const kinds = Object.keys(DOCUMENTS);

describe.each(someOf(services, 0, 3))("a service that %s", { timeout: 120_000 }, (service) => {
  const at = services.indexOf(service);

  test.each(someOf(kinds, at, 2))("has its %s written once", (kind) => keepsTheLaws(kind, service, false));

  test("does so over HTTP too", () => keepsTheLaws(kinds[at % kinds.length] ?? "", service, true));
});
