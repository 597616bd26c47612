/** Input that can make programs slow: its time relative to linear growth or to a valid file. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./goals.ts";
import { inTemporary, program, run, runCounted } from "./processes.ts";
import { median, overLinear } from "./statistics.ts";

const ROUNDS = 3;

/** Measures each kind of hostile input. */
export function measureHostile(unit: number): Measured {
  const sound = validating("severities: [{ slug: critical, name: Critical }]\n", [0]);
  const keys = [0, 10_000, 50_000].map((count) => validating(mapping(count), [0, 1]));
  const lines = [1, 1000, 5000].map(planningText);
  const longer = [bomb(), deep()].map((text) => Math.max(0, validating(text, [1]) - sound) / unit);
  return { id: "P16", values: [growth(keys, 5), growth(lines, 5), ...longer] };
}

function growth([none = 0, small = 0, large = 0]: readonly number[], times: number): number {
  return overLinear(none, small, large, times);
}

/** Milliseconds of processor time of `validate`. */
function validating(text: string, expected: readonly number[]): number {
  return inTemporary((folder) => {
    writeFileSync(join(folder, "hostile.yaml"), text);
    const command = { args: [program, "validate", folder], expected };
    return median(Array.from({ length: ROUNDS }, () => runCounted(command).processor));
  });
}

/** Milliseconds of processor time of a plan that compares two texts without a common line. */
function planningText(lines: number): number {
  return inTemporary((folder) => {
    const configuration = join(folder, "config");
    mkdirSync(configuration);
    const args = ["--emulator=service.db", "config"];
    const write = (word: string) => {
      const content = Array.from({ length: lines }, (_, at) => `        ${word} ${word.length * at + 1}\n`).join("");
      const text = `runbooks:\n  - slug: long\n    name: Long\n    steps: []\n    content: |\n${content}`;
      writeFileSync(join(configuration, "runbooks.yaml"), text);
    };
    write("live");
    run({ args: [program, "apply", "--yes", ...args], cwd: folder });
    write("declared");
    const command = { args: [program, "plan", ...args], cwd: folder };
    return median(Array.from({ length: ROUNDS }, () => runCounted(command).processor));
  });
}

function mapping(count: number): string {
  const keys = Array.from({ length: count }, (_, at) => `        key_${at}: ${at}\n`).join("");
  return `runbooks:\n  - slug: long\n    name: Long\n    steps:\n      - title: Look up\n        tool: table\n        arguments:\n${keys.replaceAll(/^/gm, "  ")}`;
}

/** Each list contains the one before ten times. */
function bomb(): string {
  const lists = Array.from({ length: 12 }, (_, at) => {
    const aliases = Array.from({ length: 10 }, () => (at === 0 ? "text" : `*a${at - 1}`)).join(", ");
    return `  - &a${at} [${aliases}]\n`;
  });
  return `severities:\n${lists.join("")}`;
}

function deep(): string {
  return `severities: ${"[".repeat(100)}${"]".repeat(100)}\n`;
}
