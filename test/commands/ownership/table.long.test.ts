/** Every cell of the table of ownership, tried: the example workspace is live, and the example of one kind changes by what the cell says. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { DeclaredResource } from "../../../src/config/resources/declared-resource.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { equal, type Fields, fieldsIn, isFields, isList, type Json, listIn } from "../../../src/core/json.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { exampleOf, loadExamples, modules } from "../../support/samples/example-workspace.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";
import { type Meaning, OWNERSHIP, type OwnershipRow, ownershipTable } from "./table.ts";

/** Module → list → a resource with items that nothing else in the examples refers to. */
const ADDITIONS: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  "custom-fields": {
    custom_fields: { slug: "spare", name: "Spare", field_type: "single_select", options: ["One", "Two"] },
  },
  runbooks: {
    runbooks: {
      slug: "spare",
      name: "Spare",
      inputs: [
        { key: "one", question: "One?" },
        { key: "two", question: "Two?" },
      ],
    },
  },
};

let service: TestService;
let examples: Configuration;

beforeAll(async () => {
  service = serviceFor({});
  const changed = Object.entries(ADDITIONS).map(([module, lists]): [string, Fields] => {
    const example = exampleOf(module);
    const longer = Object.entries(lists).map(([list, own]): [string, Json] => [list, [...listIn(example[list]), own]]);
    return [module, { ...example, ...Object.fromEntries(longer) }];
  });
  examples = withDefaults(await loadExamples(modules, new Map(changed)));
  await service.carryOut(await service.planFor(examples));
  expect((await service.planFor(examples)).changes).toEqual([]);
}, 60_000);
afterAll(() => service.emulator.close());

/** The configuration with the default policy of removals, in which nothing is protected. */
function withDefaults(configuration: Configuration): Configuration {
  const settings = { ...configuration.settings, removal: { default: "disable_or_delete", kinds: {} }, protected: [] };
  const declared = configuration.declared.map((resource) => ({ ...resource, protected: false }));
  return { ...configuration, settings, declared } as Configuration;
}

/** The plan of the lists of one kind with other resources; undefined if the configuration is refused. */
async function planOf(managed: Configuration["managed"], declared: readonly DeclaredResource[]): Promise<Plan> {
  return service.planFor({ ...examples, managed, declared });
}

const isDisabled = ({ kind, fields }: DeclaredResource): boolean => fields[kind.lifecycle.disable ?? ""] === false;
const isBuiltIn = ({ kind, key }: DeclaredResource): boolean => kind.lifecycle.builtins?.keys.includes(key) === true;

/** The removals of a plan and what it preserves, by address. */
function removedBy({ changes, warnings }: Plan): readonly string[] {
  const removals = changes.filter(({ action }) => action === "delete" || action === "disable");
  const kept = warnings.filter(({ code }) => code === "W_RETAINED").flatMap(({ address }) => address ?? []);
  return [...removals.map(({ address }) => address), ...kept];
}

describe.each(OWNERSHIP.filter(({ field }) => field === undefined))("$where", ({ kind, missing, empty, unlisted }) => {
  const own = () => examples.declared.filter((resource) => resource.kind === kind);
  const managed = () => examples.managed.filter((list) => list.kind === kind.name);
  const expectRemoved = (plan: Plan, gone: readonly DeclaredResource[], { goes }: Meaning) => {
    const removed = removedBy(plan);
    for (const resource of gone) {
      expect({ [resource.address]: removed.includes(resource.address) }).toEqual({
        [resource.address]: goes === true && !isBuiltIn(resource) && !isDisabled(resource),
      });
    }
  };

  test("missing", async () => {
    expect(own().length).toBeGreaterThan(0);
    const others = examples.managed.filter((list) => list.kind !== kind.name);
    const plan = await planOf(
      others,
      examples.declared.filter((resource) => resource.kind !== kind),
    );
    expect(plan.changes).toEqual([]);
    expectRemoved(plan, own(), missing);
  });

  test("[]", async () => {
    expectRemoved(await planOf(managed(), []), own(), empty);
  });

  test("not listed", async () => {
    let tried = 0;
    for (const resource of own()) {
      // The last rule of a list has another meaning: see `[]`.
      const rest = own().filter((other) => other !== resource);
      if (!rest.some(({ scope }) => scope === resource.scope)) continue;
      const plan = await planOf(managed(), rest).catch((error: unknown) => {
        if (error instanceof InvalidConfiguration) return undefined;
        throw error;
      });
      if (plan === undefined) continue;
      tried += 1;
      if (kind.lifecycle.order === "rank") expect(plan.changes.some(({ action }) => action === "delete")).toBe(true);
      else expectRemoved(plan, [resource], unlisted);
    }
    expect(tried).toBeGreaterThan(0);
  });
});

describe.each(OWNERSHIP.filter(({ field }) => field !== undefined))("$where", (row) => {
  const { field = "", missing, empty, unlisted } = row;
  const samples = () =>
    examples.declared.filter((resource) => resource.kind === row.kind && size(resource.fields[field]) > 0);
  /** The changes of the field when one resource declares another value of it. */
  const problems: string[] = [];
  const changesWith = async (resource: DeclaredResource, value: Json | undefined): Promise<boolean | undefined> => {
    const { [field]: _value, ...rest } = resource.fields;
    const fields = value === undefined ? rest : { ...rest, [field]: value };
    const declared = examples.declared.map((other) => (other === resource ? { ...resource, fields } : other));
    try {
      const { changes } = await planOf(examples.managed, declared);
      const change = changes.find(({ address }) => address === resource.address);
      return (
        change?.fields.some(({ path, before, after }) => path.startsWith(`/${field}`) && !equal(before, after)) === true
      );
    } catch (error) {
      if (!(error instanceof InvalidConfiguration)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const expectCell = async ({ goes }: Meaning, edit: (value: Json) => Json | undefined) => {
    const results = new Map<string, boolean>();
    for (const resource of samples()) {
      const result = await changesWith(resource, edit(resource.fields[field] ?? null));
      if (result !== undefined) results.set(resource.address, result === (goes === true && !stays(row, resource)));
    }
    if (goes === "refused") {
      expect(problems.join()).toMatch(/needs at least one/);
      expect(results.size).toBe(0);
      return;
    }
    expect(results.size, problems.join("; ")).toBeGreaterThan(0);
    expect([...results].filter(([, isAsSaid]) => !isAsSaid)).toEqual([]);
  };

  test("missing", () => expectCell(missing, () => undefined));
  test("[]", () => expectCell(empty, () => (row.isMapping ? {} : [])));
  test("not listed", () => expectCell(unlisted, withoutLast));
});

/** Whether the items of a resource's list stay: those of a built-in one. */
function stays({ kind, field = "" }: OwnershipRow, resource: DeclaredResource): boolean {
  return kind.fields?.[field]?.keyedItems !== undefined && isBuiltIn(resource);
}

function size(value: Json | undefined): number {
  return isList(value) ? value.length : Object.keys(fieldsIn(value ?? null)).length;
}

function withoutLast(value: Json): Json {
  return isFields(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : listIn(value).slice(0, -1);
}

test("docs/ownership.md has the table", async () => {
  const page = new URL("../../../docs/ownership.md", import.meta.url).pathname;
  const text = readFileSync(page, "utf8").replace(/\| List \| Missing .*(?:\n\|.*)*/, () => ownershipTable());
  expect(text).toContain(ownershipTable());
  await expect(text).toMatchFileSnapshot(page);
});
