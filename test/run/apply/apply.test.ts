import { describe, expect, it } from "vitest";
import { MissingValue, UnexpectedSlug } from "../../../src/run/exchange/failure.ts";
import { type Answering, coded, error, except, fine, operation, run } from "./run.ts";

const three = [operation("a"), operation("b"), operation("c", { depends_on: ["a"] })];

describe("an apply", () => {
  it("sends the operations as planned, in the order of the plan, and reports each", async () => {
    const { sent, events, result } = await run(
      [
        operation("a", { method: "POST", path: "/api/v1/levels", body: { name: "A", color: null } }),
        operation("b", { query: { source: "Data dog" }, admin: true }),
        operation("c", { method: "DELETE" }),
      ],
      fine,
    );
    expect(sent).toEqual([
      'POST /levels {"name":"A","color":null}',
      'PATCH /levels/b?source=Data+dog as admin {"name":"b"}',
      "DELETE /levels/c",
    ]);
    expect(events.map(({ status, operation: { id } }) => `${id} ${status}`)).toEqual([
      "a started",
      "a done",
      "b started",
      "b done",
      "c started",
      "c done",
    ]);
    expect(result.counts).toEqual({
      done: 3,
      fell_back: 0,
      retained: 0,
      failed: 0,
      unknown: 0,
      pending: 0,
      skipped: 0,
    });
  });

  it("sends nothing for an empty plan", async () => {
    const { sent, events } = await run([], fine);
    expect([sent, events]).toEqual([[], []]);
  });

  it("succeeds if a resource to delete does not exist", async () => {
    const { result } = await run(
      [operation("a", { method: "DELETE" })],
      except({ DELETE: [404, error("Resource not found")] }),
    );
    expect(result.outcomes[0]).toMatchObject({ status: "done", gone: true });
  });
});

describe("a refusal", () => {
  it("stops the run", async () => {
    const { told, sent, result } = await run(three, except({ "PATCH /levels/a": [422, error("Name is taken")] }));
    expect(told).toEqual(["a failed", "b skipped", "c skipped"]);
    expect(sent).toHaveLength(1);
    expect(result.outcomes[0]).toMatchObject({ error: { status: 422, message: "Name is taken", requestId: "6f1c" } });
    expect(result.outcomes[1]).toMatchObject({ because: "stopped", after: "a" });
    expect(result.counts).toMatchObject({ failed: 1, skipped: 2 });
  });

  it.each([400, 403, 404, 409, 422])("with %i skips only dependent operations with --keep-going", async (status) => {
    const later = operation("d", { depends_on: ["c"] });
    const answering = except({ "PATCH /levels/a": [status, error("no")] });
    const { told, result } = await run([...three, later], answering, { keepGoing: true });
    expect(told).toEqual(["a failed", "b done", "c skipped", "d skipped"]);
    expect(result.outcomes[2]).toMatchObject({ because: "depends", after: "a" });
    expect(result.outcomes[3]).toMatchObject({ because: "depends", after: "c" });
  });

  it.each([401, 429])("with %i stops the run even with --keep-going", async (status) => {
    const { told, sent } = await run(three, except({ "PATCH /levels/a": [status, error("no")] }), { keepGoing: true });
    expect(told).toEqual(["a failed", "b skipped", "c skipped"]);
    expect(sent).toHaveLength(status === 429 ? 3 : 1);
  });

  it("of a connection stops the run even with --keep-going, as certainly not applied", async () => {
    const answering: Answering = () => {
      throw Object.assign(new TypeError("fetch failed"), {
        cause: Object.assign(coded("ECONNREFUSED"), { syscall: "connect" }),
      });
    };
    expect((await run(three, answering, { keepGoing: true })).told).toEqual(["a failed", "b skipped", "c skipped"]);
  });
});

describe("an unknown outcome", () => {
  it.each<[string, readonly [number, object?] | "reset"]>([
    ["a reset", "reset"],
    ["500", [500, error("oops")]],
    ["503", [503, error("oops")]],
    ["501", [501, error("oops")]],
    ["an empty 200", [200]],
    ["a list", [200, []]],
    ["a redirect", [302, {}]],
  ])("after %s stops the run, sent once, even with --keep-going", async (_what, answer) => {
    const { told, sent, result } = await run(three, except({ "PATCH /levels/a": answer }), { keepGoing: true });
    expect(told).toEqual(["a unknown", "b skipped", "c skipped"]);
    expect(sent).toHaveLength(1);
    expect(result.counts).toMatchObject({ unknown: 1, skipped: 2 });
  });
});

describe("a change that waits for approval", () => {
  const waiting = except({
    "PATCH /levels/a": [202, { ...error("Somebody must approve", "approval_required"), approval_id: "ap-7" }],
  });

  it("is pending and never done", async () => {
    const { told, result } = await run(three, waiting);
    expect(told).toEqual(["a pending", "b skipped", "c skipped"]);
    expect(result.outcomes[0]).toMatchObject({ approvalId: "ap-7", message: "Somebody must approve" });
  });

  it("blocks only dependent operations with --keep-going", async () => {
    expect((await run(three, waiting, { keepGoing: true })).told).toEqual(["a pending", "b done", "c skipped"]);
  });
});

describe("a refused removal", () => {
  const deletion = operation("a", { method: "DELETE", path: "/api/v1/levels/a" });
  const disabling = { ...deletion, fallback: { method: "PATCH" as const, body: { enabled: false } } };
  const inUse = error("A is in use by 3 incidents and cannot be deleted.");
  const dependent = operation("b", { depends_on: ["a"] });

  it("falls back to the alternative of the plan, and reports why", async () => {
    const { told, sent, result } = await run([disabling, dependent], except({ DELETE: [422, inUse] }));
    expect(told).toEqual(["a fell_back", "b done"]);
    expect(sent).toEqual(["DELETE /levels/a", 'PATCH /levels/a {"enabled":false}', 'PATCH /levels/b {"name":"b"}']);
    expect(result.outcomes[0]).toMatchObject({ message: "A is in use by 3 incidents and cannot be deleted." });
  });

  it("falls back for that reason only", async () => {
    expect((await run([disabling], except({ DELETE: [403, error("no")] }))).sent).toEqual(["DELETE /levels/a"]);
    expect((await run([disabling], except({ DELETE: [500, error("oops")] }))).told).toEqual(["a unknown"]);
    expect((await run([disabling], fine)).sent).toEqual(["DELETE /levels/a"]);
  });

  it("is a failure if the alternative is refused as well", async () => {
    const { told, result } = await run(
      [disabling],
      except({ DELETE: [422, inUse], PATCH: [422, error("It is the default")] }),
    );
    expect(told).toEqual(["a failed"]);
    expect(result.outcomes[0]).toMatchObject({ error: { message: "It is the default" } });
  });

  it("preserves the resource if the plan allows it, and does not fail the run", async () => {
    const retaining = operation("a", { retains: "a used option stays" });
    const { told, result } = await run([retaining, dependent], except({ "PATCH /levels/a": [422, inUse] }));
    expect(told).toEqual(["a retained", "b done"]);
    expect(result.outcomes[0]).toMatchObject({ message: "A is in use by 3 incidents and cannot be deleted." });
  });

  it("is a failure otherwise", async () => {
    expect((await run([deletion], except({ DELETE: [422, inUse] }))).told).toEqual(["a failed"]);
  });
});

describe("a value that is not in the plan", () => {
  const creation = operation("new", { method: "POST", path: "/api/v1/levels", address: "levels/new" });
  const created = except({ POST: [201, { level: { id: "id 1&2", slug: "a", priority: 7, up: "../2" } }] });

  it("comes from an earlier creation, into path, query and body", async () => {
    const { sent } = await run(
      [
        creation,
        operation("b", {
          path: "/api/v1/levels/(known after apply)/x",
          query: { level_id: "(known after apply)", other: "1" },
          body: { outcome: { "a/b~c": [{}, { level_id: "(known after apply)" }] }, top: "(known after apply)" },
          inserts: [
            { at: "/path/4", address: "levels/new", fields: ["id"] },
            { at: "/query/level_id", address: "levels/new", fields: ["id"] },
            { at: "/body/outcome/a~1b~0c/1/level_id", address: "levels/new", fields: ["id"] },
            { at: "/body/top", address: "levels/new", fields: ["endpoint_path", "priority"] },
          ],
        }),
      ],
      created,
    );
    expect(sent[1]).toBe(
      'PATCH /levels/id%201%262/x?level_id=id+1%262&other=1 {"outcome":{"a/b~c":[{},{"level_id":"id 1&2"}]},"top":7}',
    );
  });

  it("is not inserted into a path that it would change", async () => {
    const insert = { at: "/path/4", address: "levels/new", fields: ["up"] };
    const there = operation("b", { path: "/api/v1/levels/(known after apply)", inserts: [insert] });
    const { sent, result } = await run([creation, there], created);
    expect(sent).toHaveLength(1);
    expect(result.outcomes[1]).toMatchObject({ status: "failed", error: expect.any(MissingValue) });
  });

  it("comes from the environment", async () => {
    const withheld = operation("a", {
      body: { url: "(known after apply)" },
      inserts: [
        { at: "/body/url", address: "levels/a", secret: "/url" },
        { at: "/body/deep/er", address: "levels/a", secret: "/url" },
      ],
    });
    const secret = (address: string, pointer: string) =>
      address === "levels/a" && pointer === "/url" ? "https://x" : undefined;
    expect((await run([withheld], fine, { secret })).sent).toEqual([
      'PATCH /levels/a {"url":"https://x","deep":{"er":"https://x"}}',
    ]);
    const { result, sent } = await run([withheld], fine);
    expect(sent).toEqual([]);
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(MissingValue) });
  });

  it.each([
    ["nothing was created there", { address: "levels/other", fields: ["id"] }],
    ["the answer does not hold it", { address: "levels/new", fields: ["uuid"] }],
    ["no field is named", { address: "levels/new" }],
  ])("fails the operation before it is sent when %s", async (_why, insert) => {
    const { sent, result } = await run(
      [creation, operation("b", { inserts: [{ at: "/body/x", ...insert }] })],
      created,
    );
    expect(sent).toHaveLength(1);
    expect(result.outcomes[1]).toMatchObject({ status: "failed", error: expect.any(MissingValue) });
  });
});

describe("a value that would change a path", () => {
  it.each(["", ".", ".."])("is not inserted: %j", async (id) => {
    const { sent, result } = await run(
      [
        operation("new", { method: "POST", path: "/api/v1/levels", address: "levels/new" }),
        operation("b", { inserts: [{ at: "/path/4", address: "levels/new", fields: ["id"] }] }),
      ],
      () => [201, { id }],
    );
    expect(sent).toHaveLength(1);
    expect(result.outcomes[1]).toMatchObject({ status: "failed", error: expect.any(MissingValue) });
  });
});

describe("an internal error", () => {
  it("does not count as an outcome", async () => {
    const withheld = operation("a", { inserts: [{ at: "/body/url", address: "levels/a", secret: "/url" }] });
    const secret = () => {
      throw new RangeError("a bug");
    };
    await expect(run([withheld], fine, { secret })).rejects.toThrow(RangeError);
  });
});

describe("the slug of a new resource", () => {
  const creation = operation("a", { method: "POST", path: "/api/v1/levels", expects: { slug: "a" } });

  it("is as expected, bare or wrapped", async () => {
    expect((await run([creation], () => [201, { slug: "a" }])).told).toEqual(["a done"]);
    expect((await run([creation], () => [201, { level: { slug: "a" } }])).told).toEqual(["a done"]);
  });

  it("fails the operation if it differs, and the error names the slug to write", async () => {
    const { told, result } = await run([creation, operation("b")], except({ POST: [201, { slug: "a_2" }] }), {
      keepGoing: true,
    });
    expect(told).toEqual(["a failed", "b done"]);
    expect(result.outcomes[0]).toMatchObject({ error: expect.any(UnexpectedSlug) });
    expect(result.outcomes[0]).toMatchObject({ error: { message: expect.stringContaining('write "slug: a_2"') } });
  });

  it("fails the operation if it is not in the response", async () => {
    const { result } = await run([creation], () => [201, { id: "1" }]);
    expect(result.outcomes[0]).toMatchObject({
      error: { actual: undefined, message: expect.stringContaining("returned no slug") },
    });
  });
});

describe("an interruption", () => {
  it("starts no further operation, and finishes the sent one", async () => {
    const interruption = new AbortController();
    const { told, sent, result } = await run(three, fine, {
      interrupted: interruption.signal,
      onEvent: ({ status, operation: { id } }) => {
        if (status === "started" && id === "b") interruption.abort();
      },
    });
    expect(told).toEqual(["a done", "b done", "c skipped"]);
    expect(sent).toHaveLength(2);
    expect(result.outcomes[2]).toMatchObject({ because: "interrupted" });
  });
});
