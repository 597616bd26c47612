import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../src/app/apply/apply-definition.ts";
import { runCommandLine } from "../../src/app/cli/command-line.ts";
import { showNextStep } from "../../src/app/cli/next-step.ts";
import { command } from "../bad-input/run.ts";
import { type Files, inDirectory } from "../config/loading.ts";
import { VirtualClock } from "../service/virtual-clock.ts";
import { openWorld } from "./world.ts";

const SETTINGS = "version: 1\nbase_url: https://incidents.example.com\n";
const SEVERITIES = "severities:\n  - { slug: major, name: Major, default: true }\n";
const FIELDS = "custom_fields: [{ slug: region, name: Region, field_type: text }]\n";
const here = (files: Files, env = {}) =>
  inDirectory(files, (folder) => command([], folder, undefined, { INCIDENTCTL_URL: undefined, ...env }));

/** Directories, with the state that is named, and the first command. */
const DIRECTORIES: readonly (readonly [title: string, files: Files, env: object, state: string, next: string])[] = [
  ["without a configuration", {}, {}, "There is no configuration in this directory.", "incidentctl init "],
  [
    "with errors",
    { "incidentctl.yaml": SETTINGS, "a.yaml": "severities: [{ slug: A! }]\n" },
    {},
    "The configuration has 1 error.",
    "incidentctl validate ",
  ],
  [
    "without a service",
    { "a.yaml": SEVERITIES },
    {},
    "The configuration declares 1 resource, and names no service.",
    "incidentctl plan --url URL ",
  ],
  [
    "without a token",
    { "incidentctl.yaml": SETTINGS, "a.yaml": SEVERITIES },
    { INCIDENTCTL_TOKEN: undefined },
    "The configuration declares 1 resource for https://incidents.example.com, and there is no token.",
    "export INCIDENTCTL_TOKEN=… ",
  ],
  [
    "with all that a plan needs",
    { "incidentctl.yaml": SETTINGS, "a.yaml": SEVERITIES },
    {},
    "The configuration declares 1 resource for https://incidents.example.com.",
    "incidentctl plan ",
  ],
];

describe("incidentctl alone shows the next command in a directory", () => {
  test.each(DIRECTORIES)("%s", async (_, files, env, state, next) => {
    const { exit, stdout, stderr, requests } = await here(files, env);
    const lines = stderr.split("\n");
    expect({ exit, stdout, requests, state: lines[0] }).toEqual({ exit: 64, stdout: "", requests: [], state });
    expect(lines[2]).toContain(`  ${next}`);
    expect(stderr).toContain("incidentctl --help lists all commands.");
  });

  test("with an interrupted run", async () => {
    const world = await openWorld({
      "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
      "a.yaml": FIELDS,
    });
    try {
      const controller = new AbortController();
      await world.run<ApplyFlags>(
        (options: ApplyFlags, io, console) =>
          apply(
            options,
            {
              ...io,
              clock: new VirtualClock(),
              interruption: () => controller.signal,
              fetch: (input, init) => {
                if (init.method === "GET") return io.fetch(input, init);
                controller.abort();
                return new Promise<Response>(() => {});
              },
            },
            console,
          ),
        { paths: [], yes: true },
      );
      world.requests.length = 0;
      const { stderr } = await world.run(showNextStep, {});
      expect(stderr).toContain("on http://localhost:4010 has not ended: it is in progress, or it was interrupted.");
      expect(stderr).toContain("  incidentctl resume  finds out how it ended, and finishes it\n");
      expect(world.requests).toEqual([]);
    } finally {
      await world.close();
    }
  });

  test("and an unknown command is still an error", async () => {
    await inDirectory({}, async (folder) => {
      const { exit, stderr } = await command(["plna"], folder);
      expect({ exit, stderr }).toEqual({ exit: 64, stderr: "error: unknown command 'plna'\n(Did you mean plan?)\n" });
    });
  });
});

describe("-v and -q", () => {
  const plan = (flags: readonly string[]) => async () => {
    const world = await openWorld({
      "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
      "a.yaml": SEVERITIES,
    });
    const [out, err]: [string[], string[]] = [[], []];
    const io = {
      ...world.io,
      stdout: { write: (text: string) => void out.push(text), terminal: false },
      stderr: { write: (text: string) => void err.push(text), terminal: false },
      env: { ...world.io.env, INCIDENTCTL_TOKEN: world.emulator.serviceToken },
      fetch: world.io.fetch,
    };
    const exit = await runCommandLine(["plan", ...flags], io);
    const requests = world.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
    await world.close();
    return { exit, stdout: out.join(""), stderr: err.join(""), requests, token: world.emulator.serviceToken };
  };

  test("-v prints each request with its method, path, status and time, and no token", async () => {
    const { exit, stderr, stdout, requests, token } = await plan(["-v"])();
    expect(exit).toBe(0);
    const lines = [...stderr.matchAll(/^(\w+ \S+): 200 in \d+ ms$/gm)].map(([, line = ""]) => line);
    expect(requests.length).toBeGreaterThan(0);
    expect(lines.sort()).toEqual([...requests].sort());
    expect(stderr + stdout).not.toContain(token);
  });

  test("-q leaves only the result", async () => {
    const { exit, stderr, stdout } = await plan(["-q"])();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain("Plan: ");
  });
});
