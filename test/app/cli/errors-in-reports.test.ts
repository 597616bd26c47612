/** A command that ends with an error writes it in the format of `--format` and to the files of `--report`. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Io } from "../../../src/core/io.ts";
import { inDirectory } from "../../config/loading.ts";
import { type Ended, typed } from "../../support/typed.ts";
import { DEFINITIONS } from "./definitions.ts";

const SETTINGS =
  "version: 1\nbase_url: http://localhost:4010\nenvironments: { a: { vars: { x: y } }, b: { vars: { x: z } } }\n";
const VALID = "severities:\n  - { slug: critical, name: Critical }\n";
const BROKEN = "severities:\n  - { slug: critical, nmae: Critical }\n  - { slug: major, colour: red }\n";
const TEST = "routing_tests:\n  - { name: t, fields: { a: b }, expect: { action: drop } }\n";

/** What a command needs on its line besides its name. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  show: ["gone.plan"],
  refs: ["severities/critical"],
  diff: ["-e", "a", "-e", "b"],
  test: ["--live"],
  "drift accept": ["severities/critical", "--until", "2026-12-01", "--because", "known"],
  conformance: ["--url", "http://localhost:4010", "--disposable", "localhost:4010"],
};

/** Why a command ends with an error. */
interface Cause {
  readonly title: string;
  readonly configuration: string;
  readonly fetch: NonNullable<Io["fetch"]>;
  readonly more?: readonly string[];
}

const unreachable = () => Promise.reject(new TypeError("fetch failed"));
const refused = async () =>
  new Response(
    JSON.stringify({
      error: { type: "authentication_error", message: "no such key", request_id: "req_1", errors: [] },
    }),
    { status: 401, headers: { "content-type": "application/json" } },
  );
const CAUSES: readonly Cause[] = [
  { title: "a broken configuration", configuration: BROKEN, fetch: unreachable },
  { title: "an unreachable service", configuration: VALID, fetch: unreachable },
  { title: "a refused token", configuration: VALID, fetch: refused },
  { title: "an unknown flag", configuration: VALID, fetch: unreachable, more: ["--bogus"] },
  { title: "a wrong value of a flag", configuration: VALID, fetch: unreachable, more: ["--var", "x"] },
];

/** Formats that hold resources, and no errors. */
const OF_RESOURCES: readonly string[] = ["yaml", "name"];

const rows = [...DEFINITIONS].flatMap(([name, { flags = {} }]) => {
  const formats = flags["--format <name>"]?.formats?.names ?? [];
  return formats.length === 0 ? [] : [{ name, formats, reports: "--report <format=path>" in flags ? formats : [] }];
});

async function ended(
  folder: string,
  name: string,
  { fetch, more = [] }: Cause,
  flags: readonly string[],
): Promise<Ended> {
  const env = { INCIDENTCTL_TOKEN: "sk_nobody_knows_this", INCIDENTCTL_CONFORMANCE_TOKEN: "sk_nobody_knows_this" };
  const clock = { now: () => 0, sleep: async () => {} };
  const args = [...name.split(" "), ...(NEEDS[name] ?? []), ...flags, ...more];
  return await typed(args, { cwd: folder, env, fetch, clock: clock as unknown as NonNullable<Io["clock"]> });
}

/** The exit code that a report tells, and whether it names the error; undefined for a text that is no report. */
function exitIn(format: string, text: string): number | undefined {
  if (format === "json" || format === "jsonl") {
    const record = JSON.parse(
      text
        .trimEnd()
        .split("\n")
        .at(format === "jsonl" ? -1 : 0) === "{"
        ? text
        : text,
    );
    expect(record.error.message).not.toBe("");
    return record.exit_code;
  }
  return undefined;
}

const SHAPES: Readonly<Record<string, RegExp>> = {
  text: /error/,
  sarif: /"executionSuccessful": false|"level": "error"/,
  junit: /<(error|failure) message=/,
  markdown: /^<!-- incidentctl[\w ]* failed -->\n### ❌ incidentctl[\w ]* failed\n/,
  html: /^<!doctype html>.*<h1>incidentctl[\w ]* failed<\/h1>/s,
};

describe.each(rows)("$name", ({ name, formats, reports }) => {
  it.each(CAUSES)("with $title writes the error in every format and report", async (cause) => {
    const files = { "incidentctl.yaml": SETTINGS, "severities.yaml": cause.configuration, "a.test.yaml": TEST };
    await inDirectory(files, async (folder) => {
      const plain = await ended(folder, name, cause, []);
      // Not every command reads the files, or asks the service.
      if (plain.exit === 0) return;
      const written = reports.flatMap((format) => ["--report", `${format}=out.${format}`]);
      for (const format of formats) {
        const { exit, stdout, stderr } = await ended(folder, name, cause, ["--format", format, ...written]);
        expect(exit, stderr).toBe(plain.exit);
        // The terminal has the same error.
        expect(stderr).toContain(plain.stderr.trim().split("\n")[0]);
        if (OF_RESOURCES.includes(format) || format === "text") expect(stdout).not.toContain("error");
        else if (SHAPES[format] === undefined) expect(exitIn(format, stdout)).toBe(exit);
        else expect(stdout).toMatch(SHAPES[format]);
      }
      for (const format of reports) {
        const text = readFileSync(join(folder, `out.${format}`), "utf8");
        if (SHAPES[format] === undefined) expect(exitIn(format, text)).toBe(plain.exit);
        else expect(text).toMatch(SHAPES[format]);
      }
    });
  });
});

it("JSON has every error of the configuration with its place, and that of the service with its request", async () => {
  const [broken, , token] = CAUSES;
  await inDirectory({ "severities.yaml": BROKEN }, async (folder) => {
    const { stdout } = await ended(folder, "drift", broken as Cause, ["--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: 1,
      command: "drift",
      exit_code: 1,
      error: { message: "the configuration has 2 errors" },
      diagnostics: [
        { code: "E_UNKNOWN_KEY", file: "severities.yaml", line: 2, column: 23 },
        { code: "E_UNKNOWN_KEY", file: "severities.yaml", line: 3, column: 20 },
      ],
    });
  });
  await inDirectory({ "incidentctl.yaml": SETTINGS, "severities.yaml": VALID }, async (folder) => {
    const { stdout } = await ended(folder, "plan", token as Cause, ["--format", "json"]);
    const { exit_code, error } = JSON.parse(stdout);
    expect({ exit_code, error }).toMatchObject({ exit_code: 6, error: { message: expect.stringContaining("401") } });
  });
});

it("no report of an error replaces a file that the command may not write", async () => {
  const files = { "incidentctl.yaml": SETTINGS, "severities.yaml": VALID, "tokens.jsonl": "kept\n", "a.db": "kept\n" };
  await inDirectory(files, async (folder) => {
    const lines = [
      ["plan", "--report", "json=severities.yaml"],
      ["plan", "--report", "json=incidentctl.lock", "--bogus"],
      ["apply", "--secrets-out", "tokens.jsonl", "--report", "json=tokens.jsonl"],
      ["apply", "--secrets-out=tokens.jsonl", "--report=json=./tokens.jsonl", "--bogus"],
      ["plan", "--emulator=a.db", "--report", "json=a.db", "--bogus"],
      ["plan", "--all-environments", "--report", "json={env}.json", "--bogus"],
      ["plan", "--bogus", "--", "--report", "json=after.json"],
      ["plan", "--format", "json", "--format", "text"],
      ["plan", "--report", "nothing=a.txt"],
    ];
    for (const args of lines) expect((await typed(args, { cwd: folder })).exit, args.join(" ")).toBe(64);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(read("severities.yaml")).toBe(VALID);
    expect(read("tokens.jsonl") + read("a.db")).toBe("kept\nkept\n");
    for (const name of ["incidentctl.lock", "{env}.json", "after.json", "a.txt"])
      expect(existsSync(join(folder, name)), name).toBe(false);
  });
});

it("a report that was complete before the error stays, and the others have the error", async () => {
  await inDirectory({ "severities.yaml": VALID }, async (folder) => {
    const reports = ["--report", "json=a.json", "--report", "sarif=gone/a.sarif", "--report", "junit=a.xml"];
    const { exit, stdout, stderr } = await typed(["validate", "--format", "json", ...reports], { cwd: folder });
    expect(exit).toBe(1);
    expect(stderr.match(/cannot write gone\/a\.sarif/g)).toHaveLength(1);
    expect(JSON.parse(stdout)).not.toHaveProperty("error");
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(JSON.parse(read("a.json"))).not.toHaveProperty("error");
    expect(read("a.xml")).toContain("cannot write gone/a.sarif");
  });
});
