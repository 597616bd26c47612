import { createServer } from "node:net";
import { expect, test } from "vitest";
import { emulator } from "../../src/commands/emulator.ts";
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
