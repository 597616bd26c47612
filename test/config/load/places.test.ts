/** The places of values are computed only for messages: with those of each resource, a large configuration takes twice the memory. */

import { beforeEach, expect, it, vi } from "vitest";
import { loaded } from "../loading.ts";

const computed = vi.hoisted(() => ({ mappings: 0 }));

vi.mock(import("../../../src/config/source/yaml/lazy-nodes.ts"), async (original) => {
  const module = await original();
  class CountedOffsets extends module.Offsets {
    override members(...args: Parameters<InstanceType<typeof module.Offsets>["members"]>) {
      computed.mappings += 1;
      return super.members(...args);
    }
  }
  return { ...module, Offsets: CountedOffsets };
});

beforeEach(() => {
  computed.mappings = 0;
});

const repeated = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_unused, index) => `      ${of(index)}`).join("\n");

/** So many resources of several kinds, each with a reference to another one. */
const text = (count: number) => `
severities: [{ slug: major, name: Major }]
custom_fields:
${repeated(count, (index) => `- { slug: field_${index}, name: Field ${index}, field_type: single_select, options: [One, Two] }`)}
forms:
  declare:
${repeated(count, (index) => `- { custom_field: field_${index}, required: true }`)}
catalog_types:
  - slug: service
    name: Service
    attributes: [{ name: Next, attribute_type: reference, reference_type: service }]
    entries:
${repeated(count, (index) => `- { slug: entry_${index}, name: Entry ${index}, attributes: { next: entry_${(index + 1) % count} } }`)}
`;

it("are computed for no resource without a message", async () => {
  const mappings = [];
  for (const count of [3, 100]) {
    computed.mappings = 0;
    await loaded(text(count));
    mappings.push(computed.mappings);
  }
  const [few, many] = mappings;
  expect(few).toBeGreaterThan(0);
  expect(many).toBe(few);
});
