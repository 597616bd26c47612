import { describe, expect, test } from "vitest";
import { makePlanFor } from "../../../src/app/session/make-plan.ts";
import { declarableFields } from "../../../src/config/edit/declarable.ts";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { DeclaredResource } from "../../../src/config/resources/declared-resource.ts";
import { moduleSchema } from "../../../src/config/schema/schema.ts";
import { violationsBy } from "../../../src/config/schema/validator.ts";
import { type Fields, isFields } from "../../../src/core/json.ts";
import { type Dialects, dialectChoices } from "../../../src/emulator/dialects.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { LiveResource } from "../../../src/kinds/model/resource.ts";
import { loadExamples, modules } from "../../support/samples/example-workspace.ts";
import { compiled } from "../../support/schemas/compiled-schema.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const others = Object.assign({}, ...dialectChoices().map(([name, [, other]]) => ({ [name]: other })));

/** The live entry as if a file held it. */
function asDeclared(live: LiveResource, fields: Fields): DeclaredResource {
  const at = { file: "live.yaml", line: 1, column: 1 };
  const { kind, scope, key, keyField, address } = live;
  return { kind, scope, key, keyField, address, fields, extra: [], protected: false, origins: { at }, secrets: [] };
}

describe.each<readonly [string, Partial<Dialects>]>([
  ["as the interface says", {}],
  ["with every switch thrown", others],
])("the example workspace on a service %s", (_name, dialects) => {
  test("is declared as it is: the plan is empty, and the schemas hold", async () => {
    const service = serviceFor({ dialects });
    try {
      const configuration = await loadExamples(modules);
      await service.carryOut(await service.planFor(configuration));
      const lastApplied = { hashes: {}, resend: false };
      const wishes = {
        filter: { kinds: [], targets: [], excludes: [] },
        parallelism: 4,
        ownPrefixes: [],
        lastApplied,
      };
      const approvals = { allowDelete: false, acceptRoutingWindow: false };
      const options = { version: "0", ...wishes, approvals, now: () => new Date(0), identify: false };
      const { state } = await makePlanFor(configuration, service.writer, kinds, options);
      const entries = configuration.managed.flatMap(({ kind, scope }) => state.live(kind, scope) ?? []);
      const declared = entries.map((entry) => asDeclared(entry, declarableFields(entry, kinds)));
      expect(declared.length).toBeGreaterThan(40);
      for (const { kind, address, fields } of declared) {
        const nested = kind.parent?.field;
        const entry = nested === undefined ? fields : { slug: "parent", name: "Parent", [nested]: [fields] };
        const wrong = violationsBy(compiled(moduleSchema(kind.module)), withoutNulls(entry));
        expect(wrong.map(({ pointer }) => `${address} ${pointer}`)).toEqual([]);
      }
      const exported: Configuration = { ...configuration, texts: new Map(), declared };
      const { changes } = await service.planFor(exported);
      expect(changes.map(({ address, fields }) => [address, fields])).toEqual([]);
    } finally {
      await service.emulator.close();
    }
  });
});

/** A field that the service tells as null is none in a file. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [[name, isFields(value) ? withoutNulls(value) : value]],
    ),
  );
}
