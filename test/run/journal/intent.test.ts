import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Unrecorded } from "../../../src/run/exchange/failure.ts";
import type { Journal } from "../../../src/run/journal/intent.ts";
import { error, except, fine, operation, run } from "../apply/run.ts";

/** A journal that remembers in words, beside the requests. */
function notes(fails?: "intend" | "settle"): { readonly journal: Journal; readonly lines: string[] } {
  const lines: string[] = [];
  const full = () => Promise.reject(new Error("the disk is full"));
  const journal: Journal = {
    intend: async ({ operation: { id }, attempt, body }) => {
      lines.push(`intend ${id} ${attempt} ${body?.slice(0, 8) ?? "nothing"}`);
      if (fails === "intend") await full();
    },
    settle: async ({ operation: id, status, created }) => {
      lines.push(`settle ${id} ${status}${created === undefined ? "" : ` ${JSON.stringify(created)}`}`);
      if (fails === "settle") await full();
    },
  };
  return { journal, lines };
}

describe("the journal of a run", () => {
  const creation = operation("a", { method: "POST", path: "/api/v1/levels", reveals: "token" });

  it("has each write before it is sent, and its end; never a token", async () => {
    const { journal, lines } = notes();
    const answering = except({
      POST: [201, { slug: "a", token: "ff_0123456789abcdefghijk" }],
      PATCH: [422, error("no")],
    });
    const { told } = await run(
      [creation, operation("b")],
      (asked) => {
        lines.push(asked.line.split(" ")[0] ?? "");
        return answering(asked);
      },
      { journal },
    );
    expect(told).toEqual(["a done", "b failed"]);
    const sha = createHash("sha256").update('{"name":"b"}').digest("hex").slice(0, 8);
    expect(lines.map((line) => line.replace(/1 [0-9a-f]{8}$/, (hash) => (hash === `1 ${sha}` ? hash : "1 …")))).toEqual(
      ["intend a 1 …", "POST", 'settle a done {"slug":"a"}', `intend b 1 ${sha}`, "PATCH", "settle b failed"],
    );
  });

  it("has no hash of a body with a secret, which could be guessed", async () => {
    const insert = { at: "/body/pin", address: "levels/b", secret: "/pin" };
    const bodies = await Promise.all(
      ["1234", "9876"].map(async (pin) => {
        const { journal, lines } = notes();
        const { sent } = await run([operation("b", { inserts: [insert] })], fine, { journal, secret: () => pin });
        expect(sent).toEqual([`PATCH /levels/b {"name":"b","pin":"${pin}"}`]);
        return lines;
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
  });

  it("stops the run before anything is sent if it cannot be written", async () => {
    const { journal } = notes("intend");
    const { told, sent, result } = await run([operation("a"), operation("b")], fine, { journal, keepGoing: true });
    expect(told).toEqual(["a failed", "b skipped"]);
    expect(sent).toEqual([]);
    expect(result.outcomes[0]).toMatchObject({ error: expect.any(Unrecorded) });
  });

  it("leaves an operation uncertain if its end cannot be written, and stops", async () => {
    const { journal } = notes("settle");
    const { told, sent } = await run([operation("a"), operation("b")], fine, { journal, keepGoing: true });
    expect(told).toEqual(["a unknown", "b skipped"]);
    expect(sent).toHaveLength(1);
  });
});
