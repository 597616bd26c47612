import { expect, test } from "vitest";
import { Outbound } from "../../../../src/emulator/rooms/webhooks/outbound.ts";

const send = async (): Promise<Response> => new Response();

test.each([
  ["http://127.0.0.1:8080/hook"],
  ["https://localhost/hook"],
  ["http://[::1]:1/"],
  ["http://127.1/"],
  ["http://2130706433/"],
])("deliveries reach %s, which is this machine", (address) => {
  expect(new Outbound(send, "loopback").refusal(address)).toBe(undefined);
});

test.each([
  ["https://example.com/"],
  ["http://localhost.example.com/"],
  ["http://127.0.0.1.nip.io/"],
  ["http://localhost./"],
  ["http://0.0.0.0/"],
  ["http://10.0.0.1/"],
  ["http://169.254.169.254/latest/meta-data"],
  ["http://[::ffff:169.254.169.254]/"],
  ["http://[fd00::1]/"],
  ["http://0xa9fea9fe/"],
])("deliveries do not reach %s unless that is allowed", (address) => {
  expect(new Outbound(send, "loopback").refusal(address)).toContain("told to allow");
  expect(new Outbound(send, "anywhere").refusal(address)).toBe(undefined);
});

test.each([["ftp://127.0.0.1/"], ["file:///etc/passwd"], ["http://user:pass@127.0.0.1/"], ["nonsense"]])(
  "deliveries never go to %s",
  (address) => {
    expect(new Outbound(send, "anywhere").refusal(address)).not.toBe(undefined);
  },
);

test("tasks of one line run one after another, those of another line do not wait", async () => {
  const outbound = new Outbound(send, "loopback");
  const order: string[] = [];
  const task = (name: string, milliseconds: number) => async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    order.push(name);
  };
  await Promise.all([
    outbound.inLine("a", task("a1", 30)),
    outbound.inLine("a", task("a2", 0)),
    outbound.inLine("b", task("b1", 0)),
  ]);
  expect(order).toEqual(["b1", "a1", "a2"]);
});
