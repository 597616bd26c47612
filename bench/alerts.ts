/** Recorded alerts: time and memory of a replay of 100,000 through 200 rules, before and after a change of the files. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./goals.ts";
import { inTemporary, program, runCounted } from "./processes.ts";
import { median } from "./statistics.ts";

const ROUNDS = 3;
const RULES = 200;

/** Measures a replay of so many alerts. */
export function measureRecordedAlerts(count: number): Measured {
  return inTemporary((folder) => {
    for (const [name, severities] of [
      ["before", "[P1, P2, P3]"],
      ["after", "[P1, P2]"],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "incidentctl.yaml"), "version: 1\nconfig: [.]\n");
      writeFileSync(join(folder, name, "rules.yaml"), rulesWith(severities));
    }
    const lines = Array.from({ length: count }, (_, at) => JSON.stringify(alertAt(at)));
    writeFileSync(join(folder, "alerts.jsonl"), `${lines.join("\n")}\n`);
    const args = [program, "test", "--alerts", "../alerts.jsonl", "--base", "../before"];
    const runs = Array.from({ length: ROUNDS }, () => runCounted({ args, cwd: join(folder, "after") }));
    const seconds = median(runs.map(({ wall }) => wall / 1000));
    return { id: "P21", values: [seconds, median(runs.map(({ peak }) => peak / 2 ** 20))] };
  });
}

function rulesWith(severities: string): string {
  const conditions = (at: number): string =>
    [
      `{ field: service, operator: is_one_of, value: [svc-${at}, svc-${at}b] }`,
      `{ field: title, operator: contains, value: "code ${at} " }`,
      `{ field: title, operator: matches_regex, value: 'lag (over|above) ${at}\\d+ s$' }`,
      `{ field: environment, operator: starts_with, value: eu-${at} }`,
    ][at % 4] ?? "";
  const rules = Array.from({ length: RULES }, (_, at) => {
    const urgent = `{ field: severity_raw, operator: is_one_of, value: ${at % 10 === 0 ? severities : "[P1, P2, P3]"} }`;
    return `    - { name: rule ${at}, conditions: [${conditions(at)}, ${urgent}], outcome: { action: drop } }`;
  });
  return `routing_rules:\n  workspace:\n${rules.join("\n")}\n    - { outcome: { action: attach_to_incident } }\n`;
}

function alertAt(at: number): Readonly<Record<string, string>> {
  return {
    title: `Replica lag over ${at % 977}${at} s`,
    description: "something happened on a machine somewhere ".repeat(3),
    service: `svc-${at % 300}`,
    severity_raw: `P${at % 4}`,
    environment: `eu-${at % 300}`,
    host: `host-${at}`,
  };
}
