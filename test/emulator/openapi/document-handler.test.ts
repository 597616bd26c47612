import { afterEach, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { openapi } from "../../../src/emulator/openapi/service-document.ts";
import { openTestEmulator, type TestEmulator } from "../test-emulator.ts";

let service: TestEmulator;
afterEach(() => service.close());

const request = (method: string): Promise<Response> => {
  return service.emulator.fetch(new Request("http://emulator/openapi.json", { method }));
};

test("the document is served without a token, and can only be read", async () => {
  service = await openTestEmulator();
  const response = await request("GET");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(await response.json()).toEqual(openapi());
  expect(await (await request("HEAD")).text()).toBe("");
  const refused = await request("POST");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("it describes the dialects of the moment, for the holder of the control key too", async () => {
  service = await openTestEmulator({ dialects: { readable: "partial" } });
  await service.control("PATCH", "/dialects", { envelope: "wrapped" });
  const document = (await (await request("GET")).json()) as Fields;
  expect(document).toEqual(openapi(service.emulator.dialects));
  expect(document).toMatchObject({
    info: { description: expect.stringContaining("envelope=wrapped, readable=partial") },
  });
  expect((await service.control("GET", "/openapi.json")).body).toEqual(document);
});
