/** A kind of which only what must be said is said: what its row leaves out is nothing special, everywhere in the planner. */

import { describe, expect, test } from "vitest";
import { DesiredFiles } from "../../src/app/pull/desired-files.ts";
import type { Configuration } from "../../src/config/resources/configuration.ts";
import type { DeclaredResource } from "../../src/config/resources/declared-resource.ts";
import { type Fields, isList } from "../../src/core/json.ts";
import type { Kind } from "../../src/kinds/model/kind.ts";
import { addressOf } from "../../src/kinds/model/resource.ts";
import { updateLastApplied } from "../../src/plan/checks/update-last-applied.ts";
import { makePlan } from "../../src/plan/make/make.ts";
import type { Plan } from "../../src/plan/model/plan.ts";
import { hashValue, type LastApplied } from "../../src/workspace/match/last-applied.ts";
import type { Observation } from "../../src/workspace/match/observation.ts";
import { resolve } from "../../src/workspace/match/resolve.ts";
import { childLists, needsDetail, optionCounts, removalLists } from "../../src/workspace/read/what-to-read.ts";
import { configured } from "../support/plans/configuration.ts";

const moons: Kind = {
  name: "moons",
  title: "moon",
  module: "moons",
  identity: { keys: ["name"], idFields: ["id"] },
  endpoint: {
    list: { path: "/moons" },
    member: { path: "/moons/{id}" },
    envelope: { list: "moons", item: "moon" },
  },
  lifecycle: {},
};
/** Moons that may mention each other, and cannot be made to let go. */
const bound: Kind = {
  ...moons,
  references: {
    dependsOn: ["moons"],
    of:
      () =>
      ({ near }) =>
        (isList(near) ? near : []).map((key, at) => ({
          at: `/near/${at}`,
          kind: "moons",
          scope: "",
          key: String(key),
        })),
  },
};

/** Moons that can be switched off, and what lies on them, which goes with them. */
const lit: Kind = { ...moons, lifecycle: { disable: "lit" } };
const craters: Kind = {
  ...moons,
  name: "craters",
  title: "crater",
  parent: { kind: "moons", field: "craters" },
  endpoint: { ...moons.endpoint, list: { path: "/moons/{scope}/craters" }, member: { path: "/craters/{id}" } },
  references: {
    dependsOn: ["moons"],
    of: (_lookup, scope) => () => [{ at: "", kind: "moons", scope: "", key: scope }],
  },
};

const at = { file: "moons.yaml", line: 1, column: 1 };

function declared(kind: Kind, fields: Fields): DeclaredResource {
  const key = String(fields.name);
  const entry = { kind, scope: "", key, keyField: "name", address: addressOf(kind, "", key), fields, extra: [] };
  return { ...entry, protected: false, origins: { at }, secrets: [] };
}

const files = (kind: Kind, entries: readonly Fields[]): Configuration => ({
  ...configured({}),
  managed: [{ kind: kind.name, scope: "" }],
  declared: entries.map((fields) => declared(kind, fields)),
});
const found = (rows: readonly Fields[]): Observation => ({
  lists: [{ kind: "moons", scope: "", rows: rows.map((row) => ({ id: `m-${row.name}`, ...row })) }],
  unread: [],
});

/** Rows of another kind that are read. */
interface Others {
  readonly kind: Kind;
  readonly scope: string;
  readonly rows: readonly Fields[];
}

function plan(
  kind: Kind,
  entries: readonly Fields[],
  rows: readonly Fields[],
  memory?: LastApplied,
  others?: Others,
): Plan {
  const { lists: collections, ...observation } = found(rows);
  return makePlan({
    ...resolve(files(kind, entries), [kind, ...(others === undefined ? [] : [others.kind])], {
      ...observation,
      lists: [
        ...collections,
        ...(others === undefined ? [] : [{ kind: others.kind.name, scope: others.scope, rows: others.rows }]),
      ],
    }),
    usage: { incidents: new Map() },
    declarable: ({ fields }) => fields,
    approvals: { allowDelete: true, acceptRoutingWindow: true },
    host: "http://127.0.0.1:1",
    version: "0.0.0",
    now: new Date(0),
    ownPrefixes: [],
    lastApplied: memory ?? { hashes: {}, resend: false },
  });
}

const requests = (made: Plan): readonly string[] =>
  made.operations.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);

const io = { name: "Io", orbit: 1 };

describe.each([
  ["that mentions nothing", moons],
  ["that may mention its like", bound],
])("an entry %s", (_title, kind) => {
  test("is made, changed and deleted by its fields, and left alone where it says what is live", () => {
    expect(requests(plan(kind, [io], []))).toEqual(['POST /api/v1/moons {"name":"Io","orbit":1}']);
    expect(requests(plan(kind, [io], [{ ...io, orbit: 2, color: "red" }]))).toEqual([
      'PATCH /api/v1/moons/m-Io {"orbit":1}',
    ]);
    expect(requests(plan(kind, [io], [{ ...io, color: "red" }]))).toEqual([]);
    const gone = plan(kind, [], [io]);
    expect(requests(gone)).toEqual(["DELETE /api/v1/moons/m-Io null"]);
    expect(gone.operations[0]).toMatchObject({ retains: "the moon", guard: { row: { id: "m-Io" } } });
  });

  test("is remembered by what was declared of a field that the service does not tell", () => {
    const untold = plan(kind, [io], [{ name: "Io" }], { hashes: {}, resend: false, verifying: true });
    expect(requests(untold)).toEqual([]);
    const lock = updateLastApplied(files(kind, [io]), [], untold, {});
    expect(lock).toEqual({ "moons/Io#orbit": hashValue(1) });
    expect(requests(plan(kind, [{ ...io, orbit: 2 }], [{ name: "Io" }], { hashes: lock, resend: false }))).toEqual([
      'PATCH /api/v1/moons/m-Io {"orbit":2}',
    ]);
  });

  test("is read whole where its row leaves out what is declared", () => {
    const asks = needsDetail(files(kind, [io]));
    expect(asks(kind, { name: "Io" })).toBe(true);
    expect(asks(kind, { name: "Io", orbit: 4 })).toBe(false);
  });

  test("needs nothing else to be read that its kind does not mention", () => {
    const resolved = resolve(files(kind, [io]), [kind], found([io, { name: "Europa" }]));
    expect(removalLists(resolved)).toEqual(kind === bound ? [{ kind: "moons", scope: "" }] : []);
    expect(childLists(resolved)).toEqual([]);
    expect(optionCounts(resolved)).toEqual([]);
  });

  test("is mirrored field by field, and listed where nobody has", () => {
    const rows = [
      { ...io, orbit: 2 },
      { name: "Europa", orbit: 3, color: "" },
    ];
    const { state, graph } = resolve(files(kind, [io]), [kind], found(rows));
    const { entries, missing: gone } = new DesiredFiles(state, graph, ({ row: { id: _id, ...row } }) => row).list(
      kind,
      "",
    );
    expect(entries.map(({ fields }) => (fields instanceof Map ? [...fields] : fields))).toEqual([
      [["orbit", 2]],
      { name: "Europa", orbit: 3 },
    ]);
    expect(gone).toEqual([]);
  });
});

describe("entries that mention each other and cannot be made to let go", () => {
  test("stay with what they mention, and what only mentions them goes", () => {
    const rows = [
      { name: "a", near: ["b", "c"] },
      { name: "b", near: ["a"] },
      { name: "c", near: [] },
      { name: "d", near: ["a"] },
    ];
    const { operations, warnings } = plan(bound, [], rows);
    expect(operations.map(({ path }) => path)).toEqual(["/api/v1/moons/m-d"]);
    expect(warnings.map(({ address }) => address)).toEqual(["moons/a", "moons/b", "moons/c"]);
  });

  test("go one after the other where there is no circle", () => {
    const rows = [
      { name: "a", near: ["a"] },
      { name: "b", near: ["a"] },
    ];
    expect(plan(bound, [], rows).operations.map(({ path }) => path)).toEqual([
      "/api/v1/moons/m-b",
      "/api/v1/moons/m-a",
    ]);
  });
});

describe("what lies in an entry and mentions it", () => {
  const others = { kind: craters, scope: "Io", rows: [{ id: "c-1", name: "Loki" }] };

  test("goes along where the entry cannot be disabled, and holds it where it can be", () => {
    const within = { ...moons, references: { cascades: ["craters"] } };
    const gone = plan(within, [], [io], undefined, others);
    expect(requests(gone)).toEqual(["DELETE /api/v1/moons/m-Io null"]);
    expect(gone.changes.map(({ cascades }) => cascades)).toEqual([["moons/Io/craters/Loki"]]);
    const off = plan({ ...within, lifecycle: { disable: "lit" } }, [], [{ ...io, lit: true }], undefined, others);
    expect(requests(off)).toEqual(['PATCH /api/v1/moons/m-Io {"lit":false}']);
  });

  test("holds it where it would not go along", () => {
    const { operations, warnings } = plan(moons, [], [io], undefined, others);
    expect(operations).toEqual([]);
    expect(warnings.map(({ address }) => address)).toEqual(["moons/Io"]);
  });
});

test("a switch that nobody declares and the service does not tell is no field that could not be read", () => {
  const memory = { hashes: {}, resend: false };
  expect(plan(lit, [io], [{ ...io }], memory).unreadable).toEqual([]);
  const stated = plan(lit, [{ ...io, lit: true }], [{ ...io }], memory).unreadable;
  expect(stated.map(({ address, path }) => `${address}${path}`)).toEqual(["moons/Io/lit"]);
});
