/**
 * Every cell of the table of ownership, tried: the examples are live and partly in use, a text states one list otherwise, and its plan is
 * applied. What it took away is what a plan of the examples brings back.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { DeclaredResource } from "../../../src/config/resources/declared-resource.ts";
import { listPath } from "../../../src/config/resources/lists.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import {
  equal,
  type Fields,
  fieldsIn,
  isFields,
  isList,
  type Json,
  listIn,
  objectsIn,
  pick,
  textIn,
  valueAt,
  withoutMembers,
  withValueAt,
} from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { type Kind, mayReference } from "../../../src/kinds/model/kind.ts";
import { isDisabled } from "../../../src/kinds/model/resource.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { exampleOf, loadExamples, modules } from "../../support/samples/example-workspace.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";
import { type Fate, type Meaning, OWNERSHIP } from "./table.ts";

// Each resource is removed, judged by the service, and made again.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** List → resources that nothing else in the examples refers to, some with items that nothing refers to. */
const ADDITIONS: Readonly<Record<string, readonly Fields[]>> = {
  severities: [{ slug: "spare", name: "Spare" }],
  statuses: [{ slug: "spare", name: "Spare", lifecycle_stage: "active" }],
  incident_types: [{ slug: "spare", name: "Spare" }],
  incident_roles: [{ slug: "spare", name: "Spare" }],
  custom_fields: [{ slug: "spare", name: "Spare", field_type: "single_select", options: ["One", "Two"] }],
  catalog_types: [
    {
      ...{ slug: "spare", name: "Spare" },
      attributes: ["One", "Two"].map((name) => ({ name, attribute_type: "text" })),
      entries: [{ slug: "left", name: "Left" }],
    },
    { slug: "held", name: "Held", attributes: [{ name: "Kept", attribute_type: "text" }] },
  ],
  runbooks: [{ slug: "spare", name: "Spare", inputs: ["one", "two"].map((key) => ({ key, question: "Which?" })) }],
};

/** A built-in catalog type whose attributes are stated. */
const STATED = "environment";

/** What an incident answers, by custom field. */
const ANSWERS: Readonly<Record<string, Json>> = { region: "Both", data_classes: ["None"], vendor: "nordbank" };

/** The attributes that an entry in no file has a value of, by catalog type. */
const HELD: Readonly<Record<string, Json>> = { held: ["Kept"] };

let service: TestService;
/** The examples with the additions, as one document. */
let whole: Fields;
let examples: Configuration;

beforeAll(async () => {
  service = serviceFor({});
  const all = fieldsIn(Object.assign({}, ...modules.map(exampleOf)));
  const longer = Object.entries(ADDITIONS).map(([list, own]): [string, Json] => [list, [...listIn(all[list]), ...own]]);
  whole = inOnePlace({ ...all, ...Object.fromEntries(longer) });
  examples = await configurationOf(whole);
  await service.carryOut(await service.planFor(examples));
  await declareIncident();
});
afterEach(async () => {
  expect((await service.planFor(examples)).changes).toEqual([]);
});
afterAll(() => service.emulator.close());

/** The document with the lists that stand apart from their resources in these, and all that a default workspace has of one type. */
function inOnePlace(document: Fields): Fields {
  return kinds.reduce((sum, { name, parent }) => {
    if (parent?.apart !== true) return sum;
    const { [name]: lists, ...rest } = sum;
    const { definitions = {} } = kinds.find((one) => one.name === parent.kind)?.lifecycle.builtins ?? {};
    const owners = objectsIn(rest[parent.kind]).map((owner) => {
      const slug = textIn(owner.slug) ?? "";
      const own = [...listIn(owner[parent.field]), ...listIn(fieldsIn(lists)[slug])];
      return {
        ...owner,
        ...(slug === STATED ? definitions[slug] : {}),
        ...(own.length === 0 ? {} : { [parent.field]: own }),
      };
    });
    return { ...rest, [parent.kind]: owners };
  }, document);
}

/** An incident that uses a severity, a type, an option and an entry, and has runbooks. */
async function declareIncident(): Promise<void> {
  const idOf = async (path: string, slug: string): Promise<Json> => {
    const lists = Object.values(fieldsIn(await service.hand("GET", path)));
    return lists.flatMap(objectsIn).find((row) => row.slug === slug)?.id ?? null;
  };
  await service.hand("POST", "/incidents", {
    idempotency_key: "1",
    name: "One",
    severity_id: await idOf("/severities", "critical"),
    status_id: await idOf("/statuses", "spare"),
    incident_type_id: await idOf("/incident_types", "vendor_outage"),
    custom_fields: ANSWERS,
  });
}

/** The configuration of a document, with one policy of removals, in which nothing is protected. */
async function configurationOf(document: Fields, policy = "disable_or_delete"): Promise<Configuration> {
  const configuration = await loadExamples([], new Map([["one", document]]));
  const settings = { ...configuration.settings, removal: { default: policy, kinds: {} }, protected: [] };
  const declared = configuration.declared.map((resource) => ({ ...resource, protected: false }));
  return { ...configuration, settings, declared } as Configuration;
}

/** The steps to a list, in a document that has the resources which hold it. */
function stepsTo(document: Fields, kind: Kind, scope: string): readonly string[] {
  if (kind.parent === undefined) return listPath(kind, scope);
  const at = objectsIn(document[kind.parent.kind]).findIndex(({ slug }) => slug === scope);
  return [kind.parent.kind, String(at), kind.parent.field];
}

/** The documents with one list and nothing else but the identities of the resources that may hold it: one for each place of the list. */
function only({ parent, ...kind }: Kind, scope: string, list: readonly Json[]): readonly Fields[] {
  if (parent === undefined) return [fieldsIn(withValueAt({}, listPath(kind, scope), list))];
  const owners: Fields = { [parent.kind]: objectsIn(whole[parent.kind]).map((one) => pick(one, ["slug"])) };
  const inside = withValueAt(owners, stepsTo(owners, { parent, ...kind }, scope), list);
  return [inside, ...(parent.apart === true ? [{ [kind.name]: { [scope]: list } }] : [])].map(fieldsIn);
}

/** What became of some resources. */
interface Tried {
  readonly plan: Plan;
  readonly fates: ReadonlyMap<DeclaredResource, { readonly fate: Fate; readonly isRefused: boolean }>;
}

/**
 * Applies a document, and after it the examples again; undefined if other resources do not allow it. The service itself is asked to delete
 * what of the resources has stayed.
 */
async function applied(document: Fields, resources: readonly DeclaredResource[]): Promise<Tried | undefined> {
  const plan = await planOf(document);
  if (plan === undefined) return undefined;
  if (plan.blocked.length > 0) {
    return { plan, fates: new Map(resources.map((resource) => [resource, { fate: "blocked", isRefused: false }])) };
  }
  const deletions = await service.planFor(await configurationOf(document, "delete"));
  const { outcomes } = await service.carryOut(plan);
  const retained = outcomes.flatMap(({ status, operation }) => (status === "retained" ? [operation.address] : []));
  const warned = plan.warnings.flatMap(({ code, address }) => (code === "W_RETAINED" ? [address] : []));
  const { changes } = await service.planFor(examples);
  const fates = new Map<DeclaredResource, { readonly fate: Fate; readonly isRefused: boolean }>();
  for (const resource of resources) {
    const fate = fateOf(resource, [...retained, ...warned], changes);
    const path = deletions.operations.find(
      ({ method, address }) => method === "DELETE" && address === resource.address,
    )?.path;
    const isKept = fate === "disabled" || fate === "preserved";
    fates.set(resource, { fate, isRefused: isKept && (await isRefused(path)) });
  }
  await service.carryOut(await service.planFor(examples));
  return { plan, fates };
}

/** The plan of a document; undefined if other resources refer to what it does not name. */
async function planOf(document: Fields): Promise<Plan | undefined> {
  try {
    return await service.planFor(await configurationOf(document));
  } catch (error) {
    if (error instanceof InvalidConfiguration && /there is no|has no/.test(error.message)) return undefined;
    throw error;
  }
}

/** The fate of a resource, by the changes that bring it back. A rule has no name: one of its list came back. */
function fateOf({ kind, address }: DeclaredResource, kept: readonly unknown[], changes: Plan["changes"]): Fate {
  const isRanked = kind.lifecycle.order === "rank";
  const list = address.replace(/[^/]*$/, "");
  const own = changes.filter((change) => (isRanked ? change.address.startsWith(list) : change.address === address));
  if (own.some(({ action }) => action === "create")) return "goes";
  if (own.some(({ action }) => action === "enable")) return "disabled";
  expect(own).toEqual([]);
  return kept.includes(address) ? "preserved" : "stays";
}

/** Whether the service refuses a deletion. */
async function isRefused(path: string | undefined): Promise<boolean> {
  if (path === undefined) throw new Error("the policy delete deletes it neither");
  const error = await service.hand("DELETE", path.replace("/api/v1", "")).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Error && !/: 422 /.test(error.message)) throw error;
  return error !== undefined;
}

const isBuiltIn = ({ kind, key }: DeclaredResource): boolean => kind.lifecycle.builtins?.keys.includes(key) === true;

/** Whether it is the default one, or the last of a group of which one must remain. */
function isLast({ kind, fields }: DeclaredResource): boolean {
  const { exclusive = "", atLeastOnePer: group } = kind.lifecycle;
  if (fields[exclusive] === true) return true;
  const others = examples.declared.filter((one) => one.kind === kind && !isDisabled(one));
  return group !== undefined && others.filter((one) => one.fields[group] === fields[group]).length === 1;
}

/** Whether it has resources that refer to it and would go with it: rules of a source. */
const hasDependents = ({ kind, key }: DeclaredResource): boolean =>
  examples.declared.some(
    (other) =>
      kind.references?.cascades?.includes(other.kind.name) === true &&
      mayReference(other.kind, kind, "") &&
      other.kind.parent === undefined &&
      other.scope === key,
  );

type Use = "free" | "used" | "builtIn" | "last";
const USES = ["free", "used", "builtIn", "last"] as const;

/** The fates that a cell gives to each use that makes a difference. */
function fatesIn(meaning: Meaning): ReadonlyMap<Use, Fate> {
  return new Map(USES.flatMap((use) => (meaning[use] === undefined ? [] : [[use, meaning[use]]])));
}

describe.each(OWNERSHIP.filter(({ field }) => field === undefined))("$where", ({ kind, missing, empty, unlisted }) => {
  const own = () => examples.declared.filter((resource) => resource.kind === kind);
  const scopes = () => [...new Set(own().map(({ scope }) => scope))];
  const listed = (scope: string) => own().filter((resource) => resource.scope === scope);

  /** Holds the fates against a cell. Each use that the cell tells apart must have been met. */
  const expectCell = (meaning: Meaning, all: readonly Tried[]) => {
    const fates = fatesIn(meaning);
    const met = new Set<Use>();
    for (const [resource, { fate, isRefused: inUse }] of all.flatMap((one) => [...one.fates])) {
      // What is disabled already stays.
      const use = isBuiltIn(resource)
        ? "builtIn"
        : isLast(resource)
          ? "last"
          : inUse || hasDependents(resource)
            ? "used"
            : "free";
      const expected = isDisabled(resource) ? "stays" : (fates.get(use) ?? meaning.free);
      expect({ [`${resource.address}, ${use}`]: fate }).toEqual({ [`${resource.address}, ${use}`]: expected });
      met.add(use);
    }
    expect([...met]).toEqual(expect.arrayContaining([...fates.keys()]));
  };

  test("missing", async () => {
    for (const scope of scopes()) {
      const document = withoutMembers(whole, [`/${stepsTo(whole, kind, scope).join("/")}`]);
      const result = await applied(document, listed(scope));
      expect(result?.plan.changes).toEqual([]);
      expectCell(missing, result === undefined ? [] : [result]);
    }
  });

  test("[]", async () => {
    const all: Tried[] = [];
    for (const scope of scopes()) {
      for (const document of only(kind, scope, [])) {
        const result = await applied(document, listed(scope));
        if (result !== undefined) all.push(result);
      }
    }
    expectCell(empty, all);
  });

  test("not listed", async () => {
    const all: Tried[] = [];
    for (const scope of scopes()) {
      const items = listIn(valueAt(whole, stepsTo(whole, kind, scope)));
      // The last rule of a list has another meaning: see `[]`.
      if (items.length === 1) continue;
      for (const [at, resource] of listed(scope).entries()) {
        for (const document of only(kind, scope, items.toSpliced(at, 1))) {
          const result = await applied(document, [resource]);
          if (result !== undefined) all.push(result);
        }
      }
    }
    expectCell(unlisted, all);
  });
});

describe.each(OWNERSHIP.filter(({ field }) => field !== undefined))("$where", (row) => {
  const { kind, field = "", isMapping, missing, empty, unlisted } = row;
  const samples = () =>
    examples.declared.filter((resource) => resource.kind === kind && size(resource.fields[field]) > 0);

  /** The fate of a resource's list when the text states it otherwise, or not at all; undefined if other resources do not allow that. */
  const fateWith = async (resource: DeclaredResource, value: Json | undefined): Promise<Fate | undefined> => {
    const siblings = examples.declared.filter((one) => one.kind === kind && one.scope === resource.scope);
    const steps = [...stepsTo(whole, kind, resource.scope), String(siblings.indexOf(resource)), field];
    const document =
      value === undefined ? withoutMembers(whole, [`/${steps.join("/")}`]) : fieldsIn(withValueAt(whole, steps, value));
    await holdValues();
    const plan = await planOf(document).catch((error: unknown) => {
      if (error instanceof InvalidConfiguration && error.message.includes("needs at least one"))
        return "error" as const;
      throw error;
    });
    if (plan === "error") return plan;
    if (plan === undefined) return undefined;
    if (plan.blocked.length > 0) return "blocked";
    await service.carryOut(plan);
    const back = await service.planFor(examples);
    await service.carryOut(back);
    const own = back.changes.find(({ address }) => address === resource.address);
    if (own?.fields.some(({ path, before, after }) => path.startsWith(`/${field}`) && !equal(before, after)) === true) {
      return "goes";
    }
    const isWarned = plan.warnings.some(
      ({ code, address }) => code === "W_RETAINED" && address?.startsWith(resource.address) === true,
    );
    return isWarned ? "preserved" : "stays";
  };

  const expectCell = async (meaning: Meaning, edit: (value: Json) => Json | undefined) => {
    const fates = fatesIn(meaning);
    const met = new Set<Use>();
    for (const resource of samples()) {
      const list = resource.fields[field] ?? null;
      const stated = edit(list);
      const fate = await fateWith(resource, stated);
      if (fate === undefined) continue;
      const use =
        kind.fields?.[field]?.keyedItems !== undefined && isBuiltIn(resource)
          ? "builtIn"
          : isItemUsed(resource, list, stated)
            ? "used"
            : "free";
      const expected = fates.get(use) ?? meaning.free;
      expect({ [`${resource.address}, ${use}`]: fate }).toEqual({ [`${resource.address}, ${use}`]: expected });
      met.add(use);
    }
    expect([...met]).toEqual(expect.arrayContaining([...fates.keys()]));
  };

  test("missing", () => expectCell(missing, () => undefined));
  test("[]", () => expectCell(empty, () => (isMapping ? {} : [])));
  test("not listed", () => expectCell(unlisted, withoutLast));
});

/** Makes the entry that no file has, which goes with its type. */
async function holdValues(): Promise<void> {
  const { entries } = fieldsIn(await service.hand("GET", "/catalog/types/held/entries"));
  if (listIn(entries).length > 0) return;
  await service.hand("POST", "/catalog/types/held/entries", { slug: "one", name: "One", attributes: { kept: "1" } });
}

/** Whether the incident, or an entry that no file has, uses an item that is not stated any more. */
function isItemUsed({ key }: DeclaredResource, before: Json, after: Json | undefined): boolean {
  const gone = listIn(before).filter((item) => !listIn(after).some((other) => equal(item, other)));
  const used = [ANSWERS[key] ?? HELD[key] ?? []].flat();
  return after !== undefined && gone.some((item) => used.includes(isFields(item) ? (item.name ?? null) : item));
}

function size(value: Json | undefined): number {
  return isList(value) ? value.length : Object.keys(fieldsIn(value ?? null)).length;
}

function withoutLast(value: Json): Json {
  return isFields(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : listIn(value).slice(0, -1);
}
