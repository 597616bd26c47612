import { expect, it } from "vitest";
import type { FetchInit } from "../../../src/core/fetch.ts";
import { connect, evaluator } from "../../../src/service/http/client.ts";
import { VirtualClock } from "../virtual-clock.ts";

it("an evaluator reads and calls the dry run, with the retries of a read, and cannot send anything else", async () => {
  const sent: (FetchInit & { readonly url: string })[] = [];
  const writer = connect({
    baseUrl: "https://incidents.example.com",
    token: "ff_ordinary",
    fetch: async (url, init) => {
      sent.push({ ...init, url });
      return Response.json({ matched: false }, { status: sent.length === 1 ? 503 : 200 });
    },
    clock: new VirtualClock(),
    requestsPerMinute: 900,
    timeoutSeconds: 5,
  });
  const asking = evaluator(writer);
  expect(Object.keys(asking)).toEqual(["host", "get", "evaluate"]);
  const sample = { source: "Datadog", fields: { title: "disk" } };
  expect((await asking.evaluate(sample)).body).toEqual({ matched: false });
  expect(sent).toHaveLength(2);
  for (const { method, url, body } of sent) {
    expect([method, url]).toEqual(["POST", "https://incidents.example.com/api/v1/routing/evaluate"]);
    expect(JSON.parse(body ?? "")).toEqual(sample);
  }
});
