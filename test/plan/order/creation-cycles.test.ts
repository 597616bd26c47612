/** New catalog entries that mention each other, where the service asks for more than their names at once. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { refused, requests } from "../../support/plans/make-plan.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const attributes = (reference_type: string, required: boolean): readonly Fields[] => [
  { name: "Other", attribute_type: "reference", reference_type, required },
  { name: "Notes", attribute_type: "text", required: true },
];
const circle = (must: string): Fields => ({
  catalog_types: [
    {
      slug: "rail",
      name: "Rail",
      attributes: attributes("bank", must === "rail" || must === "both"),
      entries: [{ slug: "cards", name: "Cards", attributes: { other: "north", notes: "n" } }],
    },
    {
      slug: "bank",
      name: "Bank",
      attributes: attributes("rail", must === "bank" || must === "both"),
      entries: [{ slug: "north", name: "North", attributes: { other: "cards", notes: "n" } }],
    },
  ],
});

test.each(["neither", "rail", "bank"])(
  "one is made without the mention only, and where %s needs it the other one is",
  async (must) => {
    const service = serviceFor();
    const plan = await service.converge(circle(must));
    const made = plan.operations.filter(({ address }) => address.includes("/entries/"));
    expect(made).toHaveLength(3);
    expect(made[0]?.body).toMatchObject({ attributes: { notes: "n" } });
    expect(made[0]?.address).not.toContain(`catalog_types/${must}/`);
    expect(made[2]?.address).toBe(made[0]?.address);
    service.emulator.close();
  },
);

test("no entry is made if each of two requires the other: this is an error of the plan", () => {
  const messages = refused(circle("both"));
  expect(messages).toEqual([
    "E_CYCLE catalog_types/bank/entries/north cannot be created: it requires a reference to catalog_types/rail/entries/cards, which requires it in turn",
  ]);
});

test("an entry that references itself is created with its origin: the service takes it only then", () => {
  const entries = [{ slug: "a", name: "A", source: "scanner", external_id: "7", attributes: { peer: "a" } }];
  const peer = { name: "Peer", attribute_type: "reference", reference_type: "host" };
  const made = requests({ catalog_types: [{ slug: "host", name: "Host", attributes: [peer], entries }] });
  expect(made.filter((request) => request.includes("entries"))).toEqual([
    'POST /catalog/types/host/entries {"name":"A","source":"scanner","external_id":"7"}',
    expect.stringMatching(/^PATCH .*\{"attributes":\{"peer":.*\}$/),
  ]);
});
