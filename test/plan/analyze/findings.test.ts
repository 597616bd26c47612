import { rowsIn } from "../../support/rows.ts";
import { type AnalyzedRow, tables } from "./analyzed.ts";

const MEMBERS = { title: true, document: true, live: true, settings: true, findings: true } as const;

for (const file of ["access", "catalog", "lists", "references"]) {
  const chapters = rowsIn<AnalyzedRow>(new URL(`rows/${file}.yaml`, import.meta.url), MEMBERS);
  for (const [id, rows] of Object.entries(chapters)) {
    tables(
      id,
      rows.map(({ title, document, findings, ...around }) => [title, document, findings, around]),
    );
  }
}
