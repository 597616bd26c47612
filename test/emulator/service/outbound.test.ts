import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { deliveryTarget, OutboundSender, withTimeout } from "../../../src/emulator/service/outbound.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const NEVER = 1_000_000;

const send = async (): Promise<Response> => new Response();

test.each([
  ["http://127.0.0.1:8080/hook"],
  ["https://localhost/hook"],
  ["http://[::1]:1/"],
  ["http://127.1/"],
  ["http://2130706433/"],
])("deliveries reach %s, which is this machine", (address) => {
  expect(new OutboundSender(send, ["loopback"]).rejectionReason(address)).toBe(undefined);
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
])("deliveries do not reach %s unless allowed", (address) => {
  expect(new OutboundSender(send, ["loopback"]).rejectionReason(address)).toContain("allow it with --deliver-to ");
  expect(new OutboundSender(send, ["anywhere"]).rejectionReason(address)).toBe(undefined);
});

test.each([["ftp://127.0.0.1/"], ["file:///etc/passwd"], ["http://user:pass@127.0.0.1/"], ["nonsense"]])(
  "deliveries never go to %s",
  (address) => {
    expect(new OutboundSender(send, ["anywhere"]).rejectionReason(address)).not.toBe(undefined);
  },
);

test("nothing is delivered unless allowed, and one host and port can be", () => {
  const nothing = new OutboundSender(send, []);
  expect(nothing.rejectionReason("http://127.0.0.1:8080/hook")).toBe(
    "the emulator delivers nothing to 127.0.0.1:8080; allow it with --deliver-to 127.0.0.1:8080",
  );
  const one = new OutboundSender(send, ["127.0.0.1:8080"]);
  expect(one.rejectionReason("http://127.1:8080/hook")).toBe(undefined);
  expect(one.rejectionReason("http://127.0.0.1:8081/hook")).toContain("allow it with --deliver-to 127.0.0.1:8081");
  expect(one.rejectionReason("https://127.0.0.1/hook")).toContain("--deliver-to 127.0.0.1:443");
});

test.each([
  ["loopback", "loopback"],
  ["anywhere", "anywhere"],
  ["localhost:9000", "localhost:9000"],
  ["[::1]:80", "[::1]:80"],
  ["EXAMPLE.com:443", "example.com:443"],
  ["localhost", undefined],
  ["http://localhost:1", undefined],
  ["localhost:99999", undefined],
  ["user@localhost:1", undefined],
  ["", undefined],
])("the target %j is %j", (name, target) => {
  expect(deliveryTarget(name)).toBe(target);
});

test("tasks of one queue run one after another, those of another queue do not wait", async () => {
  const outbound = new OutboundSender(send, ["loopback"]);
  const order: string[] = [];
  const task = (name: string, milliseconds: number) => async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    order.push(name);
  };
  await Promise.all([
    outbound.runInOrder("a", task("a1", 30)),
    outbound.runInOrder("a", task("a2", 0)),
    outbound.runInOrder("b", task("b1", 0)),
  ]);
  expect(order).toEqual(["b1", "a1", "a2"]);
});

test("a signal times out even if garbage is collected meanwhile", async () => {
  const signal = withTimeout(new AbortController().signal, 50);
  collectGarbage();
  await wait(10);
  collectGarbage();
  await expect.poll(() => signal.aborted, { interval: 10 }).toBe(true);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("a signal aborts with its source, before or after it was made", async () => {
  const source = new AbortController();
  const early = withTimeout(source.signal, NEVER);
  expect(early.aborted).toBe(false);
  source.abort("stop");
  expect(early).toMatchObject({ aborted: true, reason: "stop" });
  expect(withTimeout(source.signal, NEVER)).toMatchObject({ aborted: true, reason: "stop" });
});
