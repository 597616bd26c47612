/** A plan resolves and matches once for each round of reading, and nothing after that resolves or matches again. */

import { beforeEach, expect, test, vi } from "vitest";
import { makePlanFor } from "../../../src/app/session/make-plan.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { paged, serviceOf } from "../../service/service.ts";
import { configured } from "../../support/plans/configuration.ts";

const made = vi.hoisted(() => ({ rounds: 0, states: 0, matchings: 0, graphs: 0 }));

vi.mock(import("../../../src/workspace/read/observe.ts"), async (original) => {
  const module = await original();
  return {
    ...module,
    observe: (...args: Parameters<typeof module.observe>) => {
      made.rounds += 1;
      return module.observe(...args);
    },
  };
});

vi.mock(import("../../../src/workspace/match/resolved-state.ts"), async (original) => {
  const module = await original();
  class CountedState extends module.ResolvedState {
    constructor(...args: ConstructorParameters<typeof module.ResolvedState>) {
      super(...args);
      made.states += 1;
    }
  }
  return { ...module, ResolvedState: CountedState };
});

vi.mock(import("../../../src/workspace/match/match.ts"), async (original) => {
  const module = await original();
  class CountedMatching extends module.Matching {
    constructor(...args: ConstructorParameters<typeof module.Matching>) {
      super(...args);
      made.matchings += 1;
    }
  }
  return { ...module, Matching: CountedMatching };
});

vi.mock(import("../../../src/workspace/match/reference-graph.ts"), async (original) => {
  const module = await original();
  class CountedGraph extends module.ReferenceGraph {
    constructor(...args: ConstructorParameters<typeof module.ReferenceGraph>) {
      super(...args);
      made.graphs += 1;
    }
  }
  return { ...module, ReferenceGraph: CountedGraph };
});

beforeEach(() => {
  Object.assign(made, { rounds: 0, states: 0, matchings: 0, graphs: 0 });
});

const SIZE = 10_000;
const attributes = [{ name: "Next", attribute_type: "reference", reference_type: "service" }];
const slug = (index: number) => `entry_${index}`;

/** A service of 10,000 catalog entries, each of which references the next one. */
const service = () => {
  const entries = Array.from({ length: SIZE }, (_unused, index): Fields => {
    const references = [{ key: "next", target_entry_id: `id_${(index + 1) % SIZE}` }];
    return { id: `id_${index}`, slug: slug(index), name: `Entry ${index}`, attributes: {}, references };
  });
  const type = { id: "type_1", slug: "service", name: "Service", attributes };
  const forms = ["declare", "update", "resolve", "cancel"].map((name) => [`/forms/${name}`, { fields: [] }] as const);
  return serviceOf({
    ...Object.fromEntries(forms),
    "/runbooks": { runbooks: [] },
    "/custom_fields": { custom_fields: [] },
    "/routing_rules": { routing_rules: [] },
    "/alert_sources": { alert_sources: [] },
    "/catalog/types": (query) => paged("types", [type], query),
    "/catalog/types/service/entries": (query) => paged("entries", entries, query),
  });
};

/** The same entries in files: one is renamed, one is not listed, and one is new. */
function declared(): Fields {
  const entries = Array.from({ length: SIZE }, (_unused, index): Fields => {
    const name = index === 5 ? "Changed" : `Entry ${index}`;
    return { slug: slug(index), name, attributes: { next: slug((index + 1) % SIZE) } };
  }).filter((_entry, index) => index !== 7);
  const added = { slug: "added", name: "Added", attributes: { next: slug(7) } };
  return { catalog_types: [{ slug: "service", name: "Service", attributes, entries: [...entries, added] }] };
}

test("a plan of 10,000 resources is resolved and matched once for each round of reading", async () => {
  const { reader } = service();
  const { plan } = await makePlanFor(configured(declared()), reader, kinds, {
    version: "0.0.0",
    filter: { kinds: [], targets: [], excludes: [] },
    approvals: { allowDelete: true, maxRemovals: { entries: 10 }, acceptRoutingWindow: false },
    parallelism: 4,
    now: () => new Date(0),
    ownPrefixes: [],
    lastApplied: { hashes: {}, resend: false },
    identify: false,
  });
  expect(plan.summary).toMatchObject({ create: 1, update: 1, unchanged: SIZE - 1 });
  expect(made.rounds).toBeGreaterThan(0);
  expect(made.rounds).toBeLessThanOrEqual(4);
  expect(made).toEqual({ rounds: made.rounds, states: made.rounds, matchings: made.rounds, graphs: made.rounds });
});
