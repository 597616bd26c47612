import { createServer } from "node:net";
import { expect, test } from "vitest";
import { emulator } from "../../src/app/serve/emulator-command.ts";
import type { EmulatorFlags } from "../../src/app/serve/emulator-definition.ts";
import { openWorld } from "./world.ts";

test("a port in use is an error with a remedy", async () => {
  const world = await openWorld({});
  const taken = createServer();
  try {
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, "127.0.0.1", () => {
        const address = taken.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    expect(await world.run(emulator, { port })).toEqual({
      exit: 1,
      stdout: "",
      stderr: `error: cannot serve: address already in use 127.0.0.1:${port}; give another --port, or none for a free one\n`,
    });
  } finally {
    taken.close();
    await world.close();
  }
});

test("an address other than loopback is served with a warning, and what is no address is a usage error", async () => {
  const world = await openWorld({});
  const interrupted = new AbortController();
  const served = world.run<EmulatorFlags>(
    (options, io, console) => {
      setTimeout(() => interrupted.abort(), 50);
      return emulator(options, { ...io, interruption: () => interrupted.signal }, console);
    },
    { host: "0.0.0.0" },
  );
  const { exit, stdout, stderr } = await served;
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^export INCIDENTCTL_URL=http:\/\/127\.0\.0\.1:\d+\n/);
  expect(stderr).toContain("warning: every machine that can reach this address reaches the service");
  const refused = await world.run(emulator, { host: "example.com" });
  expect(refused).toMatchObject({ exit: 64, stderr: expect.stringContaining("--host takes an IP address") });
  await world.close();
});
