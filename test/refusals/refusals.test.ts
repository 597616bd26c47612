/** Each refusal of the table happens, and is caught where the table says. */

import { describe, expect, test } from "vitest";
import type { Json } from "../../src/core/json.ts";
import type { Refusal } from "./refusal.ts";
import { type Scene, withScene } from "./refused.ts";
import { REFUSALS } from "./table.ts";

describe.each(Object.entries(REFUSALS))("%s", (_resources, rows) => {
  test.each(rows)("$rule", async (row) => {
    await withScene(row, async (scene) => {
      // First, since it changes the state where it is not refused.
      if (row.caught === "service") await failsCleanly(row, scene);
      else if (row.caught === "preserved") await isPreserved(row, scene);
      else if (row.caught === "left out") await leavesOut(scene);
      else await isCaught(row, scene);
      const before = await stored(row, scene);
      const { status, body } = await scene.send(row.request);
      expect({ status, message: JSON.stringify(body) }).toEqual({
        status: row.status,
        message: expect.stringContaining(JSON.stringify(row.reason).slice(1, -1)),
      });
      expect(await stored(row, scene), "a refused request changes nothing").toEqual(before);
    });
  });
});

test("every rule that only the service knows says why", () => {
  const rows = Object.values(REFUSALS).flat();
  const isUnforeseen = ({ caught }: Refusal): boolean => caught === "service" || caught === "preserved";
  expect(rows.filter((row) => isUnforeseen(row) !== (row.why !== undefined))).toEqual([]);
  expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
});

/** What the service returns where the request would write: the list, or else the resource alone. */
async function stored({ request: [method, path] }: Refusal, { read }: Scene): Promise<Json> {
  const isAlone = /^\/(?:catalog\/entries|forms)\//.test(path);
  return read(method === "POST" || isAlone ? path : path.slice(0, path.lastIndexOf("/")));
}

async function isCaught(row: Refusal, { run, writes }: Scene): Promise<void> {
  const validated = await run("validate", "--format", "json");
  const isOffline = row.caught === "validate";
  expect(validated.exit, validated.stdout).toBe(isOffline ? (row.code?.startsWith("A") ? 7 : 1) : 0);
  const { diagnostics } = JSON.parse(validated.stdout);
  if (isOffline) expectFinding(row, diagnostics);
  if (row.warning !== undefined) {
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: row.warning, line: lineOf(row) }));
  }
  const planned = await run("plan", "--format", "json");
  if (planned.exit === 1) {
    const place = `a.yaml:${lineOf(row)}:`;
    expect(planned.stderr).toContain(place);
    if (row.code !== undefined) expect(planned.stderr).toContain(`error[${row.code}]`);
    if (!isOffline) expect(planned.stderr.replaceAll("\n", " ")).toContain(row.address);
  } else {
    const { blocked } = JSON.parse(planned.stdout);
    const codes = blocked.flatMap(({ code, addresses }: { code: string; addresses: readonly string[] }) =>
      addresses.includes(row.address) ? [code] : [],
    );
    expect(codes, planned.stdout).toContain(row.code?.startsWith("A") ? "LAST_ONE" : row.code);
  }
  expect(writes).toEqual([]);
}

interface PrintedFinding {
  readonly severity: string;
  readonly code: string;
  readonly address?: string;
  readonly file?: string;
  readonly line?: number;
}

function expectFinding(row: Refusal, findings: readonly PrintedFinding[]): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors.filter(({ line }) => line === lineOf(row));
  expect(first, JSON.stringify(findings)).toMatchObject({
    file: "a.yaml",
    ...(row.address.includes("/") ? { address: row.address } : {}),
    ...(row.code === undefined ? {} : { code: row.code }),
  });
}

/** The line that the message must name. */
function lineOf({ files }: Refusal): number {
  return files.split("\n").findIndex((line) => line.endsWith("# here")) + 1;
}

async function leavesOut({ run, writes }: Scene): Promise<void> {
  const validated = await run("validate");
  expect(validated.exit, validated.stderr).not.toBe(1);
  const planned = await run("apply", "--yes", "--allow-delete", "--max-removals", "100");
  expect(planned.exit, `${planned.stdout}\n${planned.stderr}`).toBe(0);
  expect(writes.filter((write) => / 4\d\d$/.test(write))).toEqual([]);
}

async function isPreserved(row: Refusal, { run, writes }: Scene): Promise<void> {
  const applied = await run("apply", "--yes", "--allow-delete");
  expect(applied.exit, `${applied.stdout}\n${applied.stderr}`).toBe(0);
  expect(`${applied.stdout}\n${applied.stderr}`).toContain(`${row.address}`);
  expect(writes).toEqual([expect.stringMatching(new RegExp(` ${row.status}$`))]);
  // The refusal is remembered: the next plan does not ask again.
  expect((await run("apply", "--yes", "--allow-delete")).exit).toBe(0);
  expect(writes).toHaveLength(1);
}

async function failsCleanly(row: Refusal, { run, writes }: Scene): Promise<void> {
  const validated = await run("validate");
  expect(validated.exit, validated.stderr).toBe(0);
  if (row.code !== undefined) expect(validated.stderr).toContain(`warning[${row.code}]`);
  const applied = await run("apply", "--yes", "--secrets-out", "secrets.jsonl");
  const text = `${applied.stdout}\n${applied.stderr}`.replaceAll(/\s+/g, " ");
  expect(applied.exit, text).toBe(4);
  expect(text).toContain(row.address);
  expect(text).toContain(row.reason);
  expect(writes.length).toBeGreaterThan(0);
}
