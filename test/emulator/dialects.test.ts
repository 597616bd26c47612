import { expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { dialectChoices, parseDialects, standardDialects } from "../../src/emulator/dialects.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { listResources, send } from "./client.ts";

test("every dialect has two choices, the interface's first", () => {
  expect(Object.fromEntries(dialectChoices().map(([name, [first]]) => [name, first]))).toEqual(standardDialects);
});

test("switches are parsed as name=value", () => {
  expect(parseDialects(["slug=accept", "options = replace"])).toEqual({ slug: "accept", options: "replace" });
});

test.each(["colour=red", "slug", "slug=maybe", "__proto__=derive", ""])("the switch %j is refused", (text) => {
  expect(() => parseDialects([text])).toThrow(/dialect/);
});

test.each<[string, Fields, string]>([
  ["/webhooks", { name: "Hook", url: "http://127.0.0.1:9/", subscribed_events: [] }, "id"],
  ["/alert_sources", { name: "Source" }, "slug"],
  ["/agents", { name: "Agent", slug: "agent" }, "slug"],
])("disabled=all leaves what is disabled out of %s, unless it is asked for", async (path, body, address) => {
  for (const [dialect, isListed] of [
    ["option_lists", true],
    ["all", false],
  ] as const) {
    const emulator = createEmulator({ dialects: { disabled: dialect } });
    const made = (await send(emulator, "POST", path, body)).body[address];
    const listed = async (query: string) =>
      (await listResources(emulator, `${path}${query}`)).map((row) => row[address]);
    expect(await listed("")).toEqual([made]);
    await send(emulator, "PATCH", `${path}/${String(made)}`, { enabled: false });
    expect(await listed(""), dialect).toEqual(isListed ? [made] : []);
    expect(await listed("?include_disabled=false"), dialect).toEqual(isListed ? [made] : []);
    expect(await listed("?include_disabled=true")).toEqual([made]);
    await emulator.close();
  }
});
