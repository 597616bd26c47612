/** What is wrong with a configuration, for people and for programs: the place, the sentence, the line, and what to do. */

import type { Finding } from "../../analyze/analyzer.ts";
import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import { COMMAND, sanitised } from "../../core/sanitise.ts";
import type { Tone } from "../format/ansi.ts";
import { columns, upTo } from "../format/columns.ts";
import type { ReportStyle } from "../plan/change-lines.ts";
import { pretty } from "../plan/json.ts";

/** Findings shown before the rest is only counted. */
const SHOWN = 100;

/** Columns of a frame, where no terminal says how many there are, and the fewest. */
const WIDTH = 200;
const NARROWEST = 40;

/** How findings are shown. */
export type FindingsStyle = Pick<ReportStyle, "paint" | "fold" | "width">;

const TONES: Readonly<Record<Diagnostic["severity"], Tone>> = { error: "alarm", warning: "changed", note: "quiet" };

/** Looks up the lines of a file, undefined when it was not read. */
export type Lines = (file: string) => readonly string[] | undefined;

/** The findings one after another, each with its line and a caret; the text ends with a line feed unless there are none. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], style: FindingsStyle, lines: Lines): string {
  const read = new Map<string, readonly string[] | undefined>();
  const cached: Lines = (file) => {
    if (!read.has(file)) read.set(file, lines(file));
    return read.get(file);
  };
  const hidden = secretLines(diagnostics);
  const blocks = diagnostics.slice(0, SHOWN).map((diagnostic) => block(diagnostic, style, cached, hidden));
  const more = diagnostics.length - SHOWN;
  const text = [...blocks, ...(more > 0 ? [`and ${more} more\n`] : [])].join("\n");
  return style.fold === undefined ? text : style.fold(text);
}

/** The findings as a JSON document, all of them, ending with a line feed; waived ones stand apart. */
export function diagnosticsJson(findings: readonly Finding[]): string {
  return pretty({
    format_version: 1,
    diagnostics: findings.filter(({ waived }) => waived === undefined).map(record),
    waived: findings.filter(({ waived }) => waived !== undefined).map(record),
  });
}

function record({ severity, code, message, address, at, related, help, waived }: Finding): object {
  return {
    severity,
    code,
    message,
    ...(address === undefined ? {} : { address }),
    ...(at === undefined ? {} : at),
    ...(help === undefined ? {} : { help }),
    ...(related === undefined ? {} : { related: related.map((other) => ({ message: other.message, ...other.at })) }),
    ...(waived === undefined
      ? {}
      : { waiver: { until: waived.until, reason: waived.reason, file: waived.at.file, line: waived.at.line } }),
  };
}

/** Lines that hold a secret: no frame shows them, whatever else is wrong there. */
function secretLines(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  const secret = diagnostics.filter(({ code }) => code === "E_SECRET_IN_CONFIG");
  return new Set(secret.flatMap(({ at }) => (at === undefined ? [] : [lineName(at)])));
}

function lineName({ file, line }: Location): string {
  return `${line} ${file}`;
}

function block(diagnostic: Diagnostic, style: FindingsStyle, lines: Lines, hidden: ReadonlySet<string>): string {
  const { paint } = style;
  const { severity, code, message, at, related = [], help } = diagnostic;
  const tone = TONES[severity];
  const where = at === undefined ? "" : `${paint("heading", placeOf(at))}: `;
  const shown =
    at === undefined || hidden.has(lineName(at)) ? [] : frame(at, lines, (text) => paint(tone, text), style);
  return [
    `${where}${paint(tone, `${severity}[${code}]`)}: ${sanitised(message)}`,
    ...shown,
    ...related.map((other) => `    ${placeOf(other.at)}: ${sanitised(other.message)}`),
    ...(help === undefined ? [] : [`    ${sanitised(help)}`]),
    "",
  ].join("\n");
}

function placeOf({ file, line, column }: Location): string {
  return `${sanitised(file)}:${line}:${column}`;
}

/** The line of a place with a mark under what is meant; none of a line that holds an address with a password in it. */
function frame(
  at: Location,
  lines: Lines,
  mark: (text: string) => string,
  { paint, width = WIDTH }: FindingsStyle,
): readonly string[] {
  const line = lines(at.file)?.[at.line - 1];
  if (line === undefined || /:\/\/[^\s/"'@]*@/.test(line)) return [];
  const before = [...sanitised(line.slice(0, at.column - 1))];
  const meant = [...sanitised(line.slice(at.column - 1, at.column - 1 + Math.max(1, at.length ?? 1)))];
  const after = [...sanitised(line.slice(at.column - 1 + Math.max(1, at.length ?? 1)))];
  const gutter = String(at.line);
  const most = Math.max(NARROWEST, Math.min(WIDTH, width)) - gutter.length - " | ".length - 2;
  // A long line is cut from the left, so that the mark stays in sight.
  const lead = columns(before.join("")) > most / 2 ? `…${endOf(before, most / 2)}` : before.join("");
  const rest = [...meant, ...after].join("");
  const room = most - columns(lead);
  const text = `${lead}${columns(rest) > room ? `${upTo(rest, room - 1)}…` : rest}`
    // Its halves may lie on either side of the mark.
    .replace(COMMAND, "#\\u0023");
  const carets = "^".repeat(Math.max(1, Math.min(columns(meant.join("")), room)));
  return [
    `${paint("quiet", `  ${gutter} |`)} ${text}`,
    `${paint("quiet", `  ${" ".repeat(gutter.length)} |`)} ${" ".repeat(columns(lead))}${mark(carets)}`,
  ];
}

/** The last characters that take no more columns than these. */
function endOf(characters: readonly string[], most: number): string {
  let left = most;
  const first = characters.findLastIndex((character) => {
    left -= columns(character);
    return left < 0;
  });
  return characters.slice(first + 1).join("");
}
