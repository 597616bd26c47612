/** Catalog entries out of other files: time and memory of `validate`, compared with a program that only reads and parses them. */

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
