import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../src/app/apply/apply-definition.ts";
import { doctor } from "../../src/app/doctor/doctor-command.ts";
import type { DoctorOptions } from "../../src/app/doctor/doctor-definition.ts";
import { kinds } from "../../src/kinds/index.ts";
import { VirtualClock } from "../service/virtual-clock.ts";
import { type Ended, openWorld, type World, type WorldIo } from "./world.ts";

const FILES = {
  "incidentctl.yaml": "base_url: http://localhost:4010\nconfig: [a.yaml]\n",
  "a.yaml": "severities: [{slug: critical, name: Critical}]\n",
};
const NOW = new Date("2026-11-21T08:00:00Z");

const RESOURCES = ["severities", "statuses"];

let world: World;
afterEach(() => world.close());

async function opened(files: Readonly<Record<string, string>> = FILES, now: Date = NOW): Promise<World> {
  world = await openWorld(files, { now: () => now });
  return world;
}

function looked(options: Partial<DoctorOptions> = {}): Promise<Ended> {
  return world.run(doctor, { paths: [], ...options });
}

/** The same without the administrator's token. */
function lookedWithKey(options: Partial<DoctorOptions> = {}): Promise<Ended> {
  return world.run<DoctorOptions>(
    (given: DoctorOptions, io, console) => {
      delete io.env.INCIDENTCTL_ADMIN_TOKEN;
      return doctor(given, io, console);
    },
    { paths: [], ...options },
  );
}

describe("doctor", () => {
  it("finds nothing in a valid setup, reports every kind, and sends GET only", async () => {
    await opened();
    const { exit, stdout, stderr } = await looked();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain("No problems found.");
    for (const { name } of kinds) expect(stdout).toMatch(new RegExp(`^ok {2}${name} +\\d+ live`, "m"));
    expect(stdout).toMatch(/^ok {2}severities +\d+ live, managed, at most 3 removals in one apply$/m);
    expect(stdout).toMatch(/workspace [0-9a-f]{16}/);
    expect(stdout).toMatch(/INCIDENTCTL_TOKEN is a service key/);
    expect(stdout).toContain("clock is 0 seconds ahead of the service's");
    expect(new Set(world.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  it("finds an invalid administrator's token, even if it is not needed", async () => {
    await opened();
    const { exit, stdout } = await world.run<DoctorOptions>(
      (given, io, console) => {
        io.env.INCIDENTCTL_ADMIN_TOKEN = `ff_${"1".repeat(36)}`;
        return doctor(given, io, console);
      },
      { paths: [] },
    );
    expect(exit).toBe(7);
    expect(stdout).toMatch(/^!! {2}token +INCIDENTCTL_ADMIN_TOKEN is not accepted: set another one, or none$/m);
    expect(stdout).toContain("1 finding: see the line with !!.");
  });

  it("prints no token", async () => {
    await opened();
    const { stdout } = await looked({ format: "json" });
    for (const token of [world.emulator.serviceToken, world.emulator.adminToken]) {
      expect(stdout).not.toContain(token.slice(0, 12));
    }
    expect(JSON.parse(stdout)).toMatchObject({ findings: 0, service: "http://localhost:4010" });
  });

  it("recognizes an administrator's token, and the name of a listed key", async () => {
    await opened();
    const { token } = (await world.send("POST", "/api/v1/api_keys", {
      name: "planner",
      permissions: Object.fromEntries(RESOURCES.map((resource) => [resource, ["read"]])),
    })) as { token: string };
    const as = async (own: string): Promise<string> => {
      const ended = await world.run<DoctorOptions>(
        (given, io, console) => {
          io.env.INCIDENTCTL_TOKEN = own;
          return doctor(given, io, console);
        },
        { paths: [] },
      );
      return ended.stdout;
    };
    expect(await as(token)).toContain('INCIDENTCTL_TOKEN is a service key "planner"');
    expect(await as(world.emulator.adminToken)).toContain("INCIDENTCTL_TOKEN is an administrator's personal token");
  });

  it("reports kinds that the token cannot read, and findings for managed ones", async () => {
    await opened();
    const noted = await lookedWithKey();
    expect(noted.exit).toBe(0);
    expect(noted.stdout).toMatch(/^-- {2}api_keys +cannot be read: 403 .*INCIDENTCTL_ADMIN_TOKEN/m);
    await world.write({ "a.yaml": "api_keys: [{name: bot}]\n" });
    const found = await lookedWithKey();
    expect(found.exit).toBe(7);
    expect(found.stdout).toMatch(/^!! {2}api_keys +cannot be read: .*; the configuration manages it$/m);
  });

  it("finds a clock that is off", async () => {
    await opened(FILES, new Date("2026-11-21T08:02:00Z"));
    const { exit, stdout } = await looked();
    expect(exit).toBe(7);
    expect(stdout).toMatch(/^!! {2}clock +this machine's clock is 120 seconds behind the service's: set it$/m);
  });

  it("reports runs and the lock", async () => {
    await opened({ ...FILES, "a.yaml": "incident_types: [{slug: drill, name: Drill}]\n" });
    const applied = await world.run(apply, { paths: [], yes: true, allowDelete: true, maxRemovals: { entries: 99 } });
    expect(applied.exit, applied.stderr).toBe(0);
    writeFileSync(
      join(world.folder, "incidentctl.lock"),
      JSON.stringify({ version: 1, fields: { "runbooks/x#content": "0" } }),
    );
    const { stdout } = await looked();
    expect(stdout).toContain("1 run in .incidentctl");
    expect(stdout).toContain("1 field in incidentctl.lock, 1 of resources that are not in the configuration");
  });

  it("finds an interrupted run", async () => {
    await opened({ ...FILES, "a.yaml": "incident_roles: [{slug: scribe, name: Scribe}]\n" });
    const controller = new AbortController();
    const stopped = await world.run<ApplyFlags>(
      (given, io, console) => {
        const cut: WorldIo["fetch"] = (input, init) => {
          if (init.method === "GET") return io.fetch(input, init);
          controller.abort();
          return new Promise<Response>(() => {});
        };
        const differing = { clock: new VirtualClock(), interruption: () => controller.signal, fetch: cut };
        return apply(given, { ...io, ...differing }, console);
      },
      { paths: [], yes: true },
    );
    expect(stopped.exit).toBe(130);
    const { exit, stdout } = await looked();
    expect(exit).toBe(7);
    expect(stdout).toMatch(/^!! {2}journals +run 0001 was interrupted; finish it with incidentctl resume$/m);
  });

  it("exits with 6 for an invalid token, and with 1 for errors in the configuration", async () => {
    await opened();
    const refused = await world.run<DoctorOptions>(
      (given: DoctorOptions, io, console) => {
        io.env.INCIDENTCTL_TOKEN = `${world.emulator.serviceToken}x`;
        return doctor(given, io, console);
      },
      { paths: [] },
    );
    expect(refused).toMatchObject({ exit: 6, stdout: "" });
    await world.write({ "a.yaml": "severities: [{slug: critical, colour: x}]\n" });
    expect(await looked()).toMatchObject({ exit: 1, stdout: "" });
  });

  it("works with the emulator as well", async () => {
    await opened();
    const { exit, stdout } = await world.run<DoctorOptions>(
      (given: DoctorOptions, io, console) => doctor(given, { ...io, now: () => new Date() }, console),
      { paths: [], emulator: "" },
    );
    expect(exit, stdout).toBe(0);
    expect(stdout).toMatch(/^ok {2}service +emulator /m);
  });
});
