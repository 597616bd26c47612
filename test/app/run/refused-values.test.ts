/** What the service says about a request with a value from the environment: it may repeat the value. */

import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { openTestWorld } from "../../commands/world.ts";

test.each(["text", "json"] as const)(
  "an error of the service shows no value that it repeats, however short: %s",
  async (format) => {
    const world = await openTestWorld({
      "hooks.yaml": `webhooks:\n  - { name: pager, url: "https://h.example.com/\${env:PART}" }\n`,
    });
    const { fetch } = world.io;
    Object.assign(world.io, {
      fetch: async (input: string, init: Parameters<typeof fetch>[1]) => {
        if (init.method === "GET") return fetch(input, init);
        const message = `${init.body} is wrong`;
        const errors = [{ field: "url", message }];
        return Response.json(
          { error: { type: "validation_error", message, request_id: "r1", errors } },
          { status: 422 },
        );
      },
    });
    const said = async (value: string) => {
      world.io.env.PART = value;
      return world.run(apply, { paths: [], yes: true, format });
    };
    const one = await said("otter");
    expect(one.exit).toBe(4);
    expect(one.stdout + one.stderr).toContain("validation_error");
    expect(one.stdout + one.stderr).toContain("its message is not shown");
    expect(one.stdout + one.stderr).not.toContain("otter");
    const other = await said("q");
    const lasting = ({ stdout, stderr }: typeof one) => (stdout + stderr).replaceAll(/000\d\.[0-9a-f]{8}/g, "RUN");
    expect(lasting(other)).toBe(lasting(one));
  },
);
