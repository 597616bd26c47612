import { afterEach, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { connect } from "../../../src/service/http/client.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { countIncidents } from "../../../src/workspace/read/incidents.ts";
import { observe, type ReadTarget } from "../../../src/workspace/read/observe.ts";

let emulator: Emulator;
afterEach(() => emulator.close());

/** A connection to a new emulator with the default workspace; `asked` holds every request. */
function connected(token: "adminToken" | "serviceToken"): { writer: Writer; asked: string[] } {
  emulator = createEmulator();
  const asked: string[] = [];
  const writer = connect({
    baseUrl: "http://localhost",
    token: emulator[token],
    requestsPerMinute: 900,
    timeoutSeconds: 5,
    fetch: (input, init) => {
      asked.push(`${init.method} ${new URL(input).pathname}`);
      return emulator.fetch(new Request(input, init));
    },
  });
  return { writer, asked };
}

const everything: readonly ReadTarget[] = kinds.map(({ name }) => ({ kind: name, every: true }));

describe("observing the emulator", () => {
  it("reads every kind of the registry, each collection once", async () => {
    const { writer, asked } = connected("adminToken");
    await writer.send("POST", { path: "/api/v1/alert_sources" }, { name: "Data dog" });
    await writer.send("POST", { path: "/api/v1/agents" }, { name: "Responder", slug: "responder" });
    await writer.send("PATCH", { path: "/api/v1/statuses/monitoring" }, { enabled: false });
    asked.length = 0;
    const { lists: collections } = await observe(writer, kinds, everything, { parallelism: 4 });
    expect(new Set(collections.map(({ kind }) => kind))).toEqual(new Set(kinds.map(({ name }) => name)));
    const scopes = (name: string) => collections.filter(({ kind }) => kind === name).map(({ scope }) => scope);
    expect(scopes("forms")).toEqual(["cancel", "declare", "resolve", "update"]);
    expect(scopes("routing_rules")).toEqual(["", "Data dog"]);
    expect(scopes("grants")).toEqual(["responder"]);
    expect(collections.find(({ kind }) => kind === "statuses")?.rows).toContainEqual(
      expect.objectContaining({ slug: "monitoring", enabled: false }),
    );
    // An empty list of what can be disabled is looked at in the other way too.
    const retirable = kinds.filter(({ lifecycle: { disable } }) => disable !== undefined).map(({ name }) => name);
    const again = collections.filter(({ kind, rows }) => rows.length === 0 && retirable.includes(kind));
    expect(asked).toHaveLength(collections.length + again.length);
    expect(asked.every((line) => line.startsWith("GET "))).toBe(true);
  });

  it("names a kind that a service key may not read", async () => {
    const { writer } = connected("serviceToken");
    await expect(observe(writer, kinds, everything, { parallelism: 1 })).rejects.toThrow(
      /^(api_keys|agents) cannot be read: 403 .*INCIDENTCTL_ADMIN_TOKEN/,
    );
  });

  it("counts the incidents that use a resource", async () => {
    const { writer } = connected("adminToken");
    const { lists: collections } = await observe(writer, kinds, [{ kind: "severities", scope: "" }], {
      parallelism: 4,
    });
    const id = String(collections[0]?.rows[0]?.id);
    const body = { name: "Down", severity_id: id, idempotency_key: "1" };
    await writer.send("POST", { path: "/api/v1/incidents" }, body);
    expect(await countIncidents(writer, "severity_id", id)).toBe(1);
    expect(await countIncidents(writer, "severity_id", "00000000-0000-4000-8000-000000000000")).toBe(0);
  });
});
