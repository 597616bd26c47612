import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitWords } from "../../../src/run/tokens/command-sink.ts";

describe("the words of a command line", () => {
  it.each<[string, readonly string[] | undefined]>([
    ["", []],
    ["   ", []],
    ["vault kv put", ["vault", "kv", "put"]],
    ["  a\t b\n c ", ["a", "b", "c"]],
    ["a 'b c' d", ["a", "b c", "d"]],
    ['a "b c" d', ["a", "b c", "d"]],
    ["a''b", ["ab"]],
    ["''", [""]],
    ['"" a', ["", "a"]],
    ["a\\ b", ["a b"]],
    ["'a\\b'", ["a\\b"]],
    ['"a\\b\\"\\\\\\$"', ['a\\b"\\$']],
    ["a\\\nb", ["ab"]],
    [`it"'"s`, ["it's"]],
    ["$HOME `id` *;|&>", ["$HOME", "`id`", "*;|&>"]],
    ["a 'b", undefined],
    ['a "b', undefined],
    ["a\\", undefined],
    ['"a\\', undefined],
  ])("of %j are %j", (line, expected) => {
    expect(splitWords(line)).toEqual(expected);
  });

  it("are those of a shell without expansion", () => {
    const piece = fc.constantFrom("a", "b", " ", "  ", "'", '"', "\\", "é");
    const shell = (line: string): readonly string[] | undefined => {
      try {
        // A NUL after each word tells them apart, whatever they hold.
        const out = execFileSync("sh", ["-c", `set -- ${line}\nfor w in "$@"; do printf '%s\\0' "$w"; done`], {
          stdio: ["ignore", "pipe", "ignore"],
        });
        return out.toString().split("\0").slice(0, -1);
      } catch {
        return undefined;
      }
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const line = pieces.join("");
        const ours = splitWords(line);
        // What we refuse as unfinished a shell would go on reading beyond the line.
        if (ours !== undefined) expect(ours).toEqual(shell(line));
      }),
      { numRuns: 150 },
    );
  });
});
