import { describe, expect, it } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { fingerprint, type Precondition } from "../../../src/plan/model/plan.ts";
import { ApprovalMismatch, IgnoredChange, NotApplied, Unresolved } from "../../../src/run/exchange/failure.ts";
import type { Settlement } from "../../../src/run/journal/intent.ts";
import { type Answering, coded, error, fine, operation, run } from "../../run/apply/run.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";

const list = { path: "/api/v1/levels", query: {}, list: "levels", identity: ["id"] };
const reset = () => {
  throw Object.assign(new TypeError("fetch failed"), { cause: coded("ECONNRESET") });
};

/** A service of a few rows; what happens to a write says the test. */
function levels(
  rows: Fields[],
  write: (asked: { readonly method: string; readonly body: Json; readonly nth: number }) => ReturnType<Answering>,
): Answering {
  let nth = 0;
  return ({ line, body }) => {
    const [method = ""] = line.split(" ");
    return method === "GET" ? [200, { levels: rows }] : write({ method, body, nth: ++nth });
  };
}

const writes = (sent: readonly string[]) => sent.filter((line) => !line.startsWith("GET"));
const clock = () => new VirtualClock();

describe("an update without a response", () => {
  const guard: Precondition = { ...list, row: { id: "1" }, held: { name: fingerprint("old") } };
  const change = operation("a", { body: { name: "new" }, guard });

  it("is done if the row is as sent, in any spelling", async () => {
    const rows: Fields[] = [{ id: "1", name: "old" }];
    const answering = levels(rows, () => {
      rows[0] = { id: "1", name: " New" };
      return reset();
    });
    expect((await run([change], answering, { clock: clock() })).told).toEqual(["a done"]);
  });

  it("is retried while the row is as before, at most three times", async () => {
    const { told, sent, result } = await run([change], levels([{ id: "1", name: "old" }], reset), { clock: clock() });
    expect([told, writes(sent).length]).toEqual([["a failed"], 3]);
    expect(result.outcomes[0]).toMatchObject({ error: expect.any(NotApplied) });
  });

  it("is uncertain if the row is neither", async () => {
    const rows: Fields[] = [{ id: "1", name: "old" }];
    const answering = levels(rows, () => {
      rows[0] = { id: "1", name: "theirs" };
      return reset();
    });
    const { told, sent, result } = await run([change, operation("b")], answering, { clock: clock(), keepGoing: true });
    expect([told, writes(sent).length]).toEqual([["a unknown", "b skipped"], 1]);
    expect(result.outcomes[0]).toMatchObject({ error: expect.any(Unresolved) });
  });

  it("is uncertain if the row cannot be read", async () => {
    let lost = false;
    const answering: Answering = ({ line }) => {
      if (line.startsWith("GET")) return lost ? [403, error("no")] : [200, { levels: [{ id: "1", name: "old" }] }];
      lost = true;
      return reset();
    };
    expect((await run([change], answering, { clock: clock() })).told).toEqual(["a unknown"]);
  });

  it("is read again if the response is about another resource", async () => {
    const rows: Fields[] = [{ id: "1", name: "old" }];
    const answering = levels(rows, () => {
      rows[0] = { id: "1", name: "new" };
      return [200, { id: "2", name: "other" }];
    });
    expect((await run([change], answering, { clock: clock() })).told).toEqual(["a done"]);
  });

  it("is read again if the response has no resource", async () => {
    const rows: Fields[] = [{ id: "1", name: "old" }];
    const answering = levels(rows, ({ nth }) => {
      if (nth === 2) rows[0] = { id: "1", name: "new" };
      return [200, nth === 1 ? {} : { id: "1", name: "new" }];
    });
    const { told, sent } = await run([change], answering, { clock: clock() });
    expect([told, writes(sent).length]).toEqual([["a done"], 2]);
  });

  it("is a failure if the response still has the old value", async () => {
    const answering = levels([{ id: "1", name: "old" }], () => [200, { id: "1", name: "old" }]);
    const { result } = await run([change], answering, { clock: clock() });
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: expect.any(IgnoredChange) });
  });

  it("is done if the service changes the spelling", async () => {
    const answering = levels([{ id: "1", name: "old" }], () => [200, { id: "1", name: "new &amp; improved" }]);
    expect((await run([change], answering, { clock: clock() })).told).toEqual(["a done"]);
  });
});

describe("a removal without a response", () => {
  const deletion = operation("a", { method: "DELETE", guard: { ...list, row: { id: "1" } } });

  it("is done if the row is missing, and retried while it exists", async () => {
    const rows: Fields[] = [{ id: "1" }, { id: "2" }];
    const answering = levels(rows, ({ nth }) => {
      if (nth === 2) rows.shift();
      return reset();
    });
    const { told, sent } = await run([deletion], answering, { clock: clock() });
    expect([told, writes(sent).length]).toEqual([["a done"], 2]);
  });

  it("is not done after a 404 while the row exists", async () => {
    const answering = levels([{ id: "1" }], () => [404, error("not found")]);
    expect((await run([deletion], answering, { clock: clock() })).told).toEqual(["a failed"]);
  });

  it("by position is done, and never retried, if another row has that position", async () => {
    const byPlace = { ...list, identity: ["id", "priority"], row: { priority: 5 }, held: { name: fingerprint("old") } };
    const rows: Fields[] = [{ priority: 5, name: "old" }];
    const answering = levels(rows, () => {
      rows[0] = { priority: 5, name: "theirs" };
      return reset();
    });
    const { told, sent } = await run([operation("a", { method: "DELETE", guard: byPlace })], answering, {
      clock: clock(),
    });
    expect([told, writes(sent).length]).toEqual([["a done"], 1]);
  });
});

describe("a creation without a response", () => {
  const names = [{ name: "new" }];
  const post = { method: "POST", path: "/api/v1/levels", body: { name: "new", url: "u" } } as const;
  const unique = operation("a", { ...post, guard: { ...list, names } });
  const repeatable = operation("a", { ...post, guard: { ...list, names, repeatable: true } });
  const made = { id: "9", name: "new", url: "u" };

  it("is done if a new row is as sent, also if it appears late", async () => {
    const rows: Fields[] = [{ id: "1", name: "other", url: "u" }];
    const time = clock();
    let lists = 0;
    const answering: Answering = ({ line }) => {
      if (!line.startsWith("GET")) return reset();
      lists += 1;
      if (lists === 5) rows.push(made);
      return [200, { levels: rows }];
    };
    const later = operation("b", { inserts: [{ at: "/body/id", address: "levels/a", fields: ["id"] }] });
    const { told, sent } = await run([repeatable, later], answering, { clock: time });
    expect([told[0], writes(sent)[1]]).toEqual(["a done", 'PATCH /levels/b {"name":"b","id":"9"}']);
  });

  it("stops the run if there is no row and a retry could create a duplicate; is retried on request", async () => {
    const told = await run([repeatable], levels([], reset), { clock: clock() });
    expect([told.told, writes(told.sent).length]).toEqual([["a unknown"], 1]);
    const again = await run([repeatable], levels([], reset), { clock: clock(), resend: true });
    expect([again.told, writes(again.sent).length]).toEqual([["a failed"], 3]);
  });

  it("is retried if its name is unique, and done if the retry is refused because of the first", async () => {
    const rows: Fields[] = [];
    const answering = levels(rows, ({ nth }) => {
      if (nth === 1) return reset();
      rows.push(made);
      return [422, error("name is taken")];
    });
    expect((await run([unique], answering, { clock: clock() })).told).toEqual(["a done"]);
    const refused = levels([], ({ nth }) => (nth === 1 ? reset() : [422, error("name is no good")]));
    const { result } = await run([unique], refused, { clock: clock() });
    expect(result.outcomes[0]).toMatchObject({ status: "failed", error: { message: "name is no good" } });
  });

  it("is uncertain if two rows match, or one differs; both are reported", async () => {
    for (const found of [[made, { ...made, id: "8" }], [{ ...made, url: "other" }]]) {
      const rows: Fields[] = [];
      const answering = levels(rows, () => {
        rows.push(...found);
        return reset();
      });
      const { result, sent } = await run([repeatable], answering, { clock: clock() });
      expect(result.outcomes[0]).toMatchObject({ status: "unknown" });
      expect(result.outcomes[0]).toMatchObject({ error: { candidates: found.map(({ id }) => ({ id })) } });
      expect(writes(sent)).toHaveLength(1);
    }
  });

  it("is not awaited after an interrupt", async () => {
    const interruption = new AbortController();
    const answering = levels([], () => {
      interruption.abort();
      return reset();
    });
    const { told, sent } = await run([repeatable], answering, { clock: clock(), interrupted: interruption.signal });
    expect([told, sent.length]).toEqual([["a unknown"], 3]);
  });
});

describe("a resumed run", () => {
  const three = [
    operation("a", { method: "POST", path: "/api/v1/levels", address: "levels/new" }),
    operation("b", { inserts: [{ at: "/body/id", address: "levels/new", fields: ["id"] }] }),
    operation("c", { depends_on: ["b"] }),
  ];
  const done: Settlement = { operation: "a", status: "done", created: { id: "7" } };

  it("sends only the remaining operations, with the responses of earlier creations", async () => {
    const { told, sent } = await run(three, fine, { earlier: [done] });
    expect(told).toEqual(["a done", "b done", "c done"]);
    expect(sent).toEqual(['PATCH /levels/b {"name":"b","id":"7"}', 'PATCH /levels/c {"name":"c"}']);
  });

  it("does not send an operation that waited for an approval if its body is another one", async () => {
    const earlier: Settlement[] = [
      { ...done, created: { id: "8" } },
      { operation: "b", status: "pending", approvalId: "ap-7", body: '{"name":"b","id":"7"}' },
    ];
    const { told, sent, result } = await run(three, fine, { earlier });
    expect([told, sent]).toEqual([["a done", "b failed", "c skipped"], []]);
    expect(result.outcomes[1]).toMatchObject({ error: expect.any(ApprovalMismatch) });
  });
});
