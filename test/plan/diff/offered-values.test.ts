/** Values that an attribute of a catalog type offers and entries hold: the service lets none of them go that is in use. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const type = (options: readonly string[], more: Fields): Fields => ({
  catalog_types: [
    {
      slug: "rail",
      name: "Rail",
      attributes: [
        { name: "Tier", attribute_type: "select", options },
        { name: "Notes", attribute_type: "text" },
      ],
      ...more,
    },
  ],
});
const holding = (attributes: Fields): Fields => ({ entries: [{ slug: "cards", name: "Cards", attributes }] });
const first = type(["One", "Two", "Three"], holding({ tier: "Three", notes: "x" }));

/** What each request is for, after the first document is applied and then this one; the plan after it must be empty. */
async function thereafter(document: Fields): Promise<readonly string[]> {
  const service = serviceFor();
  await service.converge(first);
  const plan = await service.converge(document);
  service.emulator.close();
  return [...plan.operations.map(({ method, path, body }) => told(method, path, body)), ...plan.warnings.map(message)];
}

function told(method: string, path: string, body: Fields | null): string {
  const sent = JSON.stringify(body ?? {});
  const offered = /"options":(\[[^\]]*\])/.exec(sent)?.[1];
  return `${method} ${path.includes("entries") ? "entry" : "type"} ${offered ?? sent}`;
}

function message({ message }: { readonly message: string }): string {
  return message;
}

test("a value is removed after its entry takes another one", async () => {
  expect(await thereafter(type(["One", "Two"], holding({ tier: "One" })))).toEqual([
    'PATCH entry {"attributes":{"tier":"One","notes":"x"}}',
    'PATCH type ["One","Two"]',
  ]);
});

test("a value is added before an entry takes it, and its former value is removed after", async () => {
  expect(await thereafter(type(["Four", "One"], holding({ tier: "Four" })))).toEqual([
    'PATCH type ["One","Two","Three","Four"]',
    'PATCH entry {"attributes":{"tier":"Four","notes":"x"}}',
    'PATCH type ["Four","One"]',
  ]);
});

test("a value is removed after its entry is deleted", async () => {
  expect(await thereafter(type(["One"], { entries: [] }))).toEqual(["DELETE entry {}", 'PATCH type ["One"]']);
});

test("a value stays if an entry keeps it, and the warning names the entry", async () => {
  const stays = 'catalog_types/rail: option "Three" of "Tier" is not in the configuration but stays: 1 entry holds it';
  expect(await thereafter(type(["Two"], holding({ notes: "x" })))).toEqual(['PATCH type ["Two","Three"]', stays]);
  expect(await thereafter(type(["Two"], {}))).toEqual(['PATCH type ["Two","Three"]', stays]);
});
