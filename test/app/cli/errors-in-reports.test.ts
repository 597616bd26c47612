/** A command that ends with an error writes it in the format of `--format` and to the files of `--report`. */

import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import type { Console } from "../../../src/app/console/console.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Io } from "../../../src/core/io.ts";
import { systemProcesses } from "../../../src/run/journal/lock-owner.ts";
import { nodeDisk } from "../../../src/run/journal/node-disk.ts";
import { acquire } from "../../../src/run/journal/run-lock.ts";
import { lostWrite, openTestWorld, openWorld, type World } from "../../commands/world.ts";
import { inDirectory } from "../../config/loading.ts";
import { someOf } from "../../support/samples/sample-size.ts";
import { type Ended, typed } from "../../support/typed.ts";
import { DEFINITIONS } from "./definitions.ts";

const SETTINGS =
  "version: 1\nbase_url: http://localhost:4010\nenvironments: { a: { vars: { x: y } }, b: { vars: { x: z } } }\n";
const VALID = "severities:\n  - { slug: critical, name: Critical }\n";
const BROKEN = "severities:\n  - { slug: critical, nmae: Critical }\n  - { slug: major, colour: red }\n";
const WRITES = "catalog_entries: { team: [{ slug: payments, name: Payments }] }\n";
const TEST = "routing_tests:\n  - { name: t, fields: { a: b }, expect: { action: drop } }\n";

/** What a command needs on its line besides its name. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  show: ["gone.plan"],
  refs: ["severities/critical"],
  diff: ["-e", "a", "-e", "b"],
  test: ["--live"],
  "drift accept": ["severities/critical", "--until", "2026-12-01", "--because", "known"],
  rotate: ["agents/scribe", "--secrets-out", "tokens.jsonl"],
  conformance: ["--url", "http://localhost:4010", "--disposable", "localhost:4010"],
};

/** The folder of a run that was interrupted, so that there is something to resume. */
let interrupted: World;
beforeAll(async () => {
  interrupted = await openWorld({ "incidentctl.yaml": SETTINGS, "a.yaml": WRITES });
  const lost = { ...interrupted.io, ...lostWrite(interrupted, 1, true) };
  const run = (options: ApplyFlags, _io: unknown, console: Console) => apply(options, lost, console);
  const { exit, stderr } = await interrupted.run(run, { paths: [], yes: true });
  expect(exit, stderr).toBe(130);
});
afterAll(() => interrupted.close());

/** Why a command ends with an error. */
interface Cause {
  readonly title: string;
  readonly configuration?: string;
  /** How the service responds; with nothing while the network is down. */
  readonly respond?: (request: Request) => Response | Promise<Response>;
  readonly more?: readonly string[];
  readonly token?: string | null;
  /** Commands that end without an error: they read no files, ask no service or do not write. */
  readonly spares: readonly string[];
}

const responding =
  (status: number, body: string, type = "application/json") =>
  () =>
    new Response(body, { status, headers: { "content-type": type } });
const errorOf = (type: string) =>
  JSON.stringify({ error: { type, message: "no such key", request_id: "req_1", errors: [] } });
const MANY = Array.from({ length: 40 }, (_, at) => `  - { slug: s${at}, name: S${at}, colour${at}: red }\n`).join("");

const OFFLINE = ["validate", "diff", "render", "explain"];
const CAUSES: readonly Cause[] = [
  { title: "a broken configuration", configuration: BROKEN, spares: ["explain"] },
  { title: "many errors", configuration: `severities:\n${MANY}`, more: ["--verbose"], spares: ["explain"] },
  { title: "invalid YAML", configuration: "severities: [\n", spares: ["explain"] },
  { title: "an unreachable service", spares: OFFLINE },
  { title: "a refused token", respond: responding(401, errorOf("authentication_error")), spares: OFFLINE },
  { title: "no token", token: null, spares: OFFLINE },
  { title: "a failing service", respond: responding(500, errorOf("server_error")), spares: OFFLINE },
  { title: "a page in place of a response", respond: responding(200, "<p>Hello</p>", "text/html"), spares: OFFLINE },
  { title: "a response of another shape", respond: responding(200, '{"things": 1}'), spares: OFFLINE },
  { title: "an unknown flag", more: ["--bogus"], spares: [] },
  { title: "a wrong value of a flag", more: ["--var", "x"], spares: [] },
];

/** Formats that hold resources, and no errors. */
const OF_RESOURCES: readonly string[] = ["yaml", "name"];

const rows = [...DEFINITIONS].flatMap(([name, { flags = {} }]) => {
  const formats = flags["--format <name>"]?.formats?.names ?? [];
  return formats.length === 0 ? [] : [{ name, formats, reports: "--report <format=path>" in flags ? formats : [] }];
});

const noWait = { now: () => 0, sleep: async () => {} } as unknown as NonNullable<Io["clock"]>;

async function ended(
  folder: string,
  name: string,
  { respond, more = [], token = "sk_nobody_knows_this" }: Partial<Cause>,
  flags: readonly string[],
): Promise<Ended> {
  const env = token === null ? {} : { INCIDENTCTL_TOKEN: token, INCIDENTCTL_CONFORMANCE_TOKEN: token };
  const fetch: Io["fetch"] = async (url, init) => {
    if (respond === undefined) throw new TypeError("fetch failed");
    return respond(new Request(url, init));
  };
  const args = [...name.split(" "), ...(NEEDS[name] ?? []), ...flags, ...more];
  return await typed(args, { cwd: folder, env, fetch, clock: noWait });
}

/** The exit code of a report in JSON. */
function exitIn(format: string, text: string): number {
  const { error, exit_code } = JSON.parse(format === "jsonl" ? (text.trimEnd().split("\n").at(-1) ?? "") : text);
  expect(error.message).not.toBe("");
  return exit_code;
}

const SHAPES: Readonly<Record<string, RegExp>> = {
  text: /error/,
  sarif: /"executionSuccessful": false|"level": "error"/,
  junit: /<(error|failure) message=/,
  markdown: /^<!-- incidentctl[\w ]* failed -->\n### ❌ incidentctl[\w ]* failed\n/,
  html: /^<!doctype html>.*<h1>incidentctl[\w ]* failed<\/h1>/s,
};

/** Lines of the terminal that are no part of an error: pictures of lines, and requests. */
const ASIDE = /^ +(\d+ )?\| | failed \(attempt \d+\): |^(GET|POST) |^Requests:|^ +\d+ {2}|^ +For example:$|^usage:/i;

/** The terminal's text without the pauses between requests, which are random. */
function steady(text: string): string {
  return text.replaceAll(/retrying in \d+ s/g, "retrying");
}

/** What the terminal says of an error: its sentences, without places and codes. */
function sentencesOf({ stderr }: Ended): readonly string[] {
  const [, error = stderr] = /(?:^|\n)(error: .*)$/s.exec(stderr) ?? [];
  const lines = error.split("\n").filter((line) => !ASIDE.test(line));
  const sentences = lines.map((line) => line.replace(/^(.*?: )?(error|warning)(\[\w+\])?: /, "").trim());
  return sentences.filter((sentence) => sentence !== "").map((sentence) => sentence.toLowerCase());
}

/** The text of a report without escapes. */
function readable(text: string): string {
  const entities: Readonly<Record<string, string>> = { quot: '"', "#39": "'", lt: "<", gt: ">", amp: "&" };
  return text.replaceAll(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => entities[name] ?? "").replaceAll('\\"', '"');
}

function expectWhole(format: string, text: string, plain: Ended): void {
  if (SHAPES[format] === undefined) expect(exitIn(format, text)).toBe(plain.exit);
  else expect(text).toMatch(SHAPES[format]);
  const shown = readable(text).toLowerCase();
  expect(sentencesOf(plain).filter((sentence) => !shown.includes(sentence))).toEqual([]);
}

describe.each(rows.map((row, at) => ({ ...row, causes: someOf(CAUSES, at, 4) })))(
  "$name",
  ({ name, formats, reports, causes }) => {
    it.each(causes)("with $title writes the error whole in every format and report", async (cause) => {
      const { configuration = VALID, spares } = cause;
      const files = { "incidentctl.yaml": SETTINGS, "severities.yaml": configuration, "a.test.yaml": TEST };
      await inDirectory(files, async (folder) => {
        if (name === "resume")
          cpSync(join(interrupted.folder, ".incidentctl"), join(folder, ".incidentctl"), { recursive: true });
        const plain = await ended(folder, name, cause, []);
        expect(plain.exit === 0, `${plain.stdout}${plain.stderr}`).toBe(spares.includes(name));
        if (plain.exit === 0) return;
        const written = reports.flatMap((format) => ["--report", `${format}=out.${format}`]);
        for (const [at, format] of formats.entries()) {
          const { exit, stdout, stderr } = await ended(folder, name, cause, [
            ...["--format", format],
            ...(at === 0 ? written : []),
          ]);
          expect({ exit, stderr: steady(stderr) }).toEqual({ exit: plain.exit, stderr: steady(plain.stderr) });
          if (OF_RESOURCES.includes(format) || format === "text") expect(stdout).not.toContain("error");
          else expectWhole(format, stdout, plain);
        }
        for (const format of reports) expectWhole(format, readFileSync(join(folder, `out.${format}`), "utf8"), plain);
      });
    });
  },
);

it.each(rows.filter(({ reports }) => reports.length > 0))(
  "$name says that a report cannot be written, and writes its error to the others",
  async ({ name, formats: [format = ""] }) => {
    await inDirectory({ "incidentctl.yaml": SETTINGS, "severities.yaml": BROKEN }, async (folder) => {
      const plain = await ended(folder, name, {}, []);
      const reports = ["--report", `${format}=gone/a.txt`, "--report", `${format}=a.txt`];
      const { exit, stderr } = await ended(folder, name, {}, reports);
      expect(exit).toBe(plain.exit);
      expect(stderr.match(/cannot write gone\/a\.txt/g)).toHaveLength(1);
      expectWhole(format, readFileSync(join(folder, "a.txt"), "utf8"), plain);
    });
  },
);

describe("another run", () => {
  const writing = rows.filter(({ name }) => "--lock-timeout <seconds>" in (DEFINITIONS.get(name)?.flags ?? {}));

  it.each(writing)(
    "that is in progress ends $name, which says so in every format and report",
    async ({ name, formats }) => {
      const world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "a.yaml": WRITES });
      await world.send("POST", "/api/v1/agents", { name: "Scribe" });
      if (name === "resume")
        cpSync(join(interrupted.folder, ".incidentctl"), join(world.folder, ".incidentctl"), { recursive: true });
      mkdirSync(join(world.folder, ".incidentctl/journals"), { recursive: true });
      const options = { processes: systemProcesses, clock: systemClock, now: () => new Date(), timeout: 0 };
      const release = await acquire({ disk: nodeDisk, home: world.folder, service: "http://localhost:4010" }, options);
      const cause = {
        respond: (request: Request) => world.emulator.fetch(request),
        token: world.emulator.adminToken,
        more: name === "resume" ? [] : ["--yes", "--allow-delete"],
      };
      const plain = await ended(world.folder, name, cause, []);
      expect(plain).toMatchObject({ exit: 1, stderr: expect.stringContaining("another run is in progress") });
      const written = formats.flatMap((format) => ["--report", `${format}=out.${format}`]);
      await ended(world.folder, name, cause, written);
      for (const format of formats)
        expectWhole(format, readFileSync(join(world.folder, `out.${format}`), "utf8"), plain);
      await release();
    },
  );
});

it("JSON has every error of the configuration with its place, and that of the service with its request", async () => {
  await inDirectory({ "severities.yaml": BROKEN }, async (folder) => {
    const { stdout } = await ended(folder, "drift", {}, ["--format", "json"]);
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
    const { respond } = CAUSES.find(({ title }) => title === "a refused token") ?? {};
    const { stdout } = await ended(folder, "plan", { ...(respond && { respond }) }, ["--format", "json"]);
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
