/** The explanation of a kind or a field, and the origins of values, as text. */

import type { Origin } from "../../config/load/origins.ts";
import type { Explanation } from "../../config/resources/schema-docs.ts";
import { sanitised } from "../../core/sanitise.ts";
import { fieldPath, MASK, placeText, valueText } from "../../core/value-text.ts";
import type { Paint } from "../format/ansi.ts";
import { columnLines } from "../format/columns.ts";
import { paragraph } from "../format/wrap.ts";

/** An explanation for a terminal. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { values = [], fields, references, referencedBy, example } = explanation;
  const width = Math.max(0, ...fields.map(({ name }) => name.length));
  const sections = [
    [
      `${paint("heading", explanation.name)}  ${paint("quiet", explanation.type)}`,
      ...paragraph(explanation.description, "  "),
    ],
    explanation.notes.flatMap((note) => paragraph(note, "  ")),
    values.length === 0 ? [] : ["Values:", ...paragraph(values.map(String).join(", "), "  ")],
    fields.length === 0
      ? []
      : [
          "Fields:",
          ...fields.flatMap(({ name, type, description }) => [
            `  ${paint("heading", name.padEnd(width))}  ${paint("quiet", type)}`,
            ...paragraph(description, " ".repeat(width + 4)),
          ]),
        ],
    references.length === 0 ? [] : paragraph(`References: ${references.join(", ")}.`, ""),
    referencedBy.length === 0 ? [] : paragraph(`Referenced by: ${referencedBy.join(", ")}.`, ""),
    example === undefined ? [] : ["Example:", ...example.split("\n").map((line) => `  ${line}`.trimEnd())],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** The values of a resource with their places, a line each. */
export function originsText(address: string, origins: readonly Origin[], paint: Paint): string {
  const rows = origins.map(({ path, value, secret, overlay, written, expression, covers = [], ...place }) => [
    `  ${fieldPath(path)}`,
    secret ? MASK : short(valueText(value)),
    paint("quiet", placeText(place)),
    [
      ...(overlay ? ["overlay"] : []),
      ...(expression === undefined ? [] : [sanitised(short(expression))]),
      ...(written === undefined ? [] : [`from ${sanitised(short(written))}`]),
      ...covers.map((one) => {
        const covered = one.written === null ? MASK : sanitised(short(one.written));
        return `replaces ${placeText(one)} (${covered})`;
      }),
    ].join(", "),
  ]);
  return `${[paint("heading", sanitised(address)), ...columnLines(rows)].join("\n")}\n`;
}

const SHORT = 40;

function short(text: string): string {
  const [line = "", ...more] = text.split("\n");
  const characters = [...line];
  return characters.length > SHORT || more.length > 0 ? `${characters.slice(0, SHORT).join("")}…` : line;
}

/** The kinds, one on each line, and how to go on. */
export function kindsText(kinds: readonly { readonly name: string; readonly title: string }[]): string {
  const lines = columnLines(kinds.map(({ name, title }) => [`  ${name}`, title]));
  return `${["Kinds", ...lines, "", "incidentctl explain KIND shows the fields of one, and incidentctl explain settings those of incidentctl.yaml."].join("\n")}\n`;
}
