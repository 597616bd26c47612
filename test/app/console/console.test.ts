import { expect, test } from "vitest";
import { type Console, openConsole } from "../../../src/app/console/console.ts";
import type { Io, OutputStream } from "../../../src/core/io.ts";

const token = "ff_0123456789abcdefghij";

test("tokens of the environment are masked from the first output on, even after their removal from the environment", () => {
  const { console, io, said } = opened({ INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: `${token}-admin` });
  delete io.env.INCIDENTCTL_TOKEN;
  delete io.env.INCIDENTCTL_ADMIN_TOKEN;
  console.print(`${token}\n`);
  console.note(`${token}-admin`);
  console.alert(Buffer.from(token).toString("base64"));
  console.progress(Buffer.from(token).toString("hex"));
  console.end();
  expect(said()).toEqual({ stdout: "(secret)\n", stderr: "(secret)\n(secret)\n(secret)" });
  expect(console.safe(token)).toBe("(secret)");
});

test("the password of a proxy is masked, URL-encoded and decoded", () => {
  const { console } = opened({
    HTTPS_PROXY: "http://me:p%40ssword@proxy.example:3128",
    http_proxy: "http://me:%zz%@x",
  });
  expect(console.safe("p%40ssword p@ssword %zz% proxy.example")).toBe("(secret) (secret) (secret) proxy.example");
});

test("a secret is masked across chunks of output, and an incomplete one is printed at the end", () => {
  const { console, said } = opened({});
  console.conceal(["squirrel-7", undefined]);
  console.progress("at squi");
  expect(said().stderr).toBe("at ");
  console.progress("rrel-7, squ");
  console.end();
  expect(said().stderr).toBe("at (secret), squ");
});

test("JSON output stays JSON", () => {
  const { console, said } = opened({});
  console.conceal(["squirrel", "true,1e-9"]);
  console.print('{"a":[true,1e-9],"b":"a squirrel"}\n');
  expect(JSON.parse(said().stdout)).toEqual({ a: [true, 1e-9], b: "a (secret)" });
});

test("--quiet prints only the result and necessary messages", () => {
  const { console, said } = opened({}, { quiet: true });
  console.print("answer\n");
  console.note("note");
  console.progress("progress");
  console.alert("alert");
  expect(said()).toEqual({ stdout: "answer\n", stderr: "alert\n" });
});

function opened(
  env: Record<string, string>,
  look: Parameters<typeof openConsole>[1] = {},
  columns?: number,
): { console: Console; io: Io; said: () => { stdout: string; stderr: string } } {
  const text = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr"): OutputStream => ({
    terminal: columns !== undefined,
    columns,
    write: (piece) => {
      text[name] += piece;
    },
  });
  const io: Io = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    env,
    cwd: "/",
    now: () => new Date(0),
    fetch: () => Promise.reject(new Error("nothing is sent")),
    interruption: () => new AbortController().signal,
  };
  return { console: openConsole(io, look), io, said: () => ({ ...text }) };
}

test("lines are wrapped for the terminal or COLUMNS, and not without a terminal", () => {
  const widest = (env: Record<string, string>, columns?: number): number => {
    const { fold = (text: string) => text } = opened(env, {}, columns).console.outputStyle;
    return Math.max(
      ...fold("word ".repeat(60).trimEnd())
        .split("\n")
        .map((line) => line.length),
    );
  };
  expect(widest({}, 100)).toBe(99);
  expect(widest({ COLUMNS: "40" }, 100)).toBe(39);
  expect(widest({ COLUMNS: "wide" }, 100)).toBe(99);
  expect(widest({ COLUMNS: "40" })).toBe(299);
});

test("a secret is masked before its line is wrapped", () => {
  const { console } = opened({}, {}, 40);
  const secret = "correct horse battery staple";
  console.conceal([secret]);
  expect(console.outputStyle.fold?.(`      name  "the password is ${secret}"`)).not.toMatch(/horse|battery/);
});

test.each<readonly [env: Record<string, string>, isTerminal: boolean, hasColor: boolean]>([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ TERM: "xterm" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "" }, false, false],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "3", NO_COLOR: "1", TERM: "dumb" }, false, true],
])("with %j and terminal %s, reports have color: %s", (env, isTerminal, hasColor) => {
  const columns = isTerminal ? 80 : undefined;
  const { console } = opened(env, {}, columns);
  for (const { paint } of [console.outputStyle, console.noteStyle]) {
    expect(paint("added", "x") !== "x").toBe(hasColor);
  }
  expect(opened(env, { color: false }, columns).console.outputStyle.paint("added", "x")).toBe("x");
});

test.each([
  [{ TERM: "dumb" }, 80, true],
  [{ TERM: "xterm" }, 80, undefined],
  [{ TERM: "dumb" }, undefined, undefined],
])("with %j and %s columns, reports have words in place of symbols: %s", (env, columns, words) => {
  expect(opened(env, {}, columns).console.outputStyle.words).toBe(words);
});

test("a message or a result erases a progress line on a terminal, and a complete line stays", () => {
  const { console, said } = opened({}, {}, 80);
  expect(console.redraws).toBe(true);
  console.progress("[1/2] severities/a …");
  console.alert("interrupted");
  console.progress("[2/2] done\n");
  console.note("note");
  console.progress("Reading again …");
  console.print("result\n");
  const erase = "\u001b[2K\r";
  expect(said()).toEqual({
    stdout: "result\n",
    stderr: `[1/2] severities/a …${erase}interrupted\n[2/2] done\nnote\nReading again …${erase}`,
  });
});

test("a terminal without escape sequences gets none", () => {
  const { console, said } = opened({ TERM: "dumb" }, {}, 80);
  expect(console.redraws).toBe(false);
  console.progress("text");
  console.alert("alert");
  expect(said().stderr).toBe("textalert\n");
});
