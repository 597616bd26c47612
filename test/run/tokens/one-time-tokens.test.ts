import { describe, expect, it } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { TokenNotStored } from "../../../src/run/exchange/failure.ts";
import { reissueLost, type TokenRecovery } from "../../../src/run/tokens/one-time-tokens.ts";
import { operation } from "../apply/run.ts";

describe("a resource whose creation has no response", () => {
  const creation = operation("a", {
    method: "POST",
    path: "/api/v1/api_keys",
    address: "api_keys/bot",
    reveals: "token",
    custody: { address: ["prefix"], remove: "/api/v1/api_keys/{id}" },
  });
  const at = "2031-05-01T10:00:00Z";
  const row = (more: Fields): Fields => ({ prefix: "ff_123456789", created_at: at, last_used_at: null, ...more });

  /** What is written for a row that was found. */
  async function written(found: Fields): Promise<readonly string[]> {
    const writes: string[] = [];
    const keeper: TokenRecovery = {
      sink: { probe: async () => {}, store: async () => {} },
      host: "https://incidents.example.com",
      words: { flags: [], files: [] },
      write: async ({ method, path }) => {
        writes.push(`${method} ${path}`);
        return undefined;
      },
      sleep: async () => true,
      readRow: async () => undefined,
    };
    const doubt = await reissueLost({ operation: creation, at }, found, keeper).catch((error: unknown) => error);
    if (doubt !== undefined) expect(doubt).toBeInstanceOf(TokenNotStored);
    return [...writes, ...(doubt === undefined ? [] : ["doubt"])];
  }

  it("is removed with its lost token", async () => {
    expect(await written(row({}))).toEqual(["DELETE /api/v1/api_keys/ff_123456789"]);
  });

  it.each([
    ["older than the request", { created_at: "2031-05-01T09:59:58Z" }],
    ["in use", { last_used_at: "2031-05-01T10:00:05Z" }],
  ])("is preserved if it is %s, since it may be another user's", async (_what, more) => {
    expect(await written(row(more))).toEqual(["doubt"]);
  });
});
