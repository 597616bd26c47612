/** Large files of other programs, catalog entries and recorded alerts: time and memory of `validate`, compared with a program that only reads and parses them. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./goals.ts";
import { helperProgram, inTemporary, program, runCounted } from "./processes.ts";
import { median } from "./statistics.ts";

const ROUNDS = 5;

const SETTINGS = "version: 1\nconfig: [config]\n";

const CATALOG = `catalog_types:
  - slug: team
    entries:
      - { slug: payments, name: Payments }
  - slug: service
    entries_from:
      files: services/*/catalog-info.yaml
      when: { jsonata: kind = 'Component' and spec.type = 'service' }
      slug: { jsonata: metadata.name }
      name: { jsonata: metadata.title }
      attributes:
        description: { jsonata: metadata.description }
        owner_team: { jsonata: spec.owner }
        repository: { jsonata: "metadata.annotations.\`github.com/project-slug\`" }
`;

/** Measures so many files of one service each. */
export function measureForeignFiles(count: number): Measured {
  return inTemporary((folder) => {
    mkdirSync(join(folder, "config"));
    writeFileSync(join(folder, "incidentctl.yaml"), SETTINGS);
    writeFileSync(join(folder, "config", "catalog.yaml"), CATALOG);
    for (let at = 0; at < count; at += 1) {
      const place = join(folder, "services", `service-${at}`);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "catalog-info.yaml"), documentsOf(at));
    }
    const rounds = Array.from({ length: ROUNDS }, () => {
      const floor = runCounted({ args: [helperProgram("parse.mjs"), join(folder, "services")] });
      const validated = runCounted({ args: [program, "validate", "config"], cwd: folder });
      return { over: validated.wall / floor.wall, peak: validated.peak / 2 ** 20 };
    });
    return { id: "P18", values: [median(rounds.map(({ over }) => over)), median(rounds.map(({ peak }) => peak))] };
  });
}

/** A service, and its interface. */
function documentsOf(at: number): string {
  return `apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: service-${at}
  title: Service ${at}
  description: Takes the orders of shop ${at} and hands them on.
  annotations:
    github.com/project-slug: acme/service-${at}
spec:
  type: service
  lifecycle: production
  owner: group:default/payments
---
apiVersion: backstage.io/v1alpha1
kind: API
metadata:
  name: service-${at}
spec:
  type: openapi
  owner: payments
`;
}

const REPLAYS = 3;
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
    const runs = Array.from({ length: REPLAYS }, () => runCounted({ args, cwd: join(folder, "after") }));
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
