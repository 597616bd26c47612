/** Findings about a configuration as text, JSON and JUnit XML: place, message, the line in the file, and help. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { SourcedList } from "../../config/resources/sourced-list.ts";
import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import { statementOf } from "../../core/findings.ts";
import { groupBy } from "../../core/lists.ts";
import { COMMAND, sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { counted, placeText } from "../../core/value-text.ts";
import type { AnalyzerRule, Finding } from "../../plan/analyze/analyzer.ts";
import type { Tone } from "../format/ansi.ts";
import { columns, takeColumns } from "../format/columns.ts";
import { prettyJson } from "../format/json.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";
import { shorten } from "../format/shorten.ts";
import type { ReportStyle } from "../format/style.ts";

/** Findings to show before the rest is counted. */
const MAX_FINDINGS = 10;
/** Further places of one finding to name before the rest is counted. */
const MAX_PLACES = 3;
/** Related places of one finding to name before the rest is counted. */
const MAX_RELATED = 12;

/** Columns of a line from a file if there is no terminal, and the fewest. */
const WIDTH = 200;
const MIN_WIDTH = 40;

export type FindingsStyle = Pick<ReportStyle, "paint" | "fold" | "width"> & Partial<Pick<ReportStyle, "verbose">>;

const TONES: Readonly<Record<Diagnostic["severity"], Tone>> = { error: "alarm", warning: "changed", note: "quiet" };

/** A function that returns the lines of a file; undefined if it was not read. */
export type FindLines = (file: string) => readonly string[] | undefined;

/**
 * The findings, each with its line and a caret below it. A finding that several places share is shown once. Unless the style is verbose,
 * the first ten are shown.
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[], style: FindingsStyle, lines: FindLines): string {
  const read = new Map<string, readonly string[] | undefined>();
  const cached: FindLines = (file) => {
    if (!read.has(file)) read.set(file, lines(file));
    return read.get(file);
  };
  const hidden = secretLines(diagnostics);
  const groups = style.verbose === true ? diagnostics.map((one) => [one]) : repeatsTogether(diagnostics);
  const most = style.verbose === true ? groups.length : MAX_FINDINGS;
  const blocks = groups.slice(0, most).map((group) => block(group, style, cached, hidden));
  const more = groups.slice(most).reduce((sum, group) => sum + group.length, 0);
  const text = [...blocks, ...(more > 0 ? [`… and ${more} more; --verbose shows all\n`] : [])].join("\n");
  return style.fold === undefined ? text : style.fold(text);
}

/** All findings as JSON, waived ones in their own list, with a final line feed. */
export function diagnosticsJson(findings: readonly Finding[]): string {
  return prettyJson({
    format_version: 1,
    diagnostics: findings.filter(({ waived }) => waived === undefined).map(findingRecord),
    waived: findings.filter(({ waived }) => waived !== undefined).map(findingRecord),
  });
}

/** A finding as JSON. */
export function findingRecord(finding: Finding): object {
  const { severity, code, message, address, at, help, waived } = finding;
  const related = allRelated(finding);
  return {
    severity,
    code,
    message,
    address,
    ...at,
    help,
    related: related.length === 0 ? undefined : related.map((other) => ({ message: other.message, ...other.at })),
    waiver: waived && { until: waived.until, reason: waived.reason, file: waived.at.file, line: waived.at.line },
  };
}

type Related = NonNullable<Diagnostic["related"]>;

function allRelated({ related = [], repeats = [] }: Diagnostic): Related {
  return [...related, ...repeats];
}

/** Lines with a secret, which are never shown. */
function secretLines(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  const secret = diagnostics.filter(({ code }) => code === "E_SECRET_IN_CONFIG");
  return new Set(secret.flatMap(({ at }) => (at === undefined ? [] : [lineName(at)])));
}

function lineName({ file, line }: Location): string {
  return `${line} ${file}`;
}

/** A finding, and the same finding at other places. */
type Group = readonly Diagnostic[];

/** The findings by what they say, in the order of their first places. */
function repeatsTogether(diagnostics: readonly Diagnostic[]): readonly Group[] {
  const groups = groupBy(diagnostics, ({ severity, code, message, address, help, related }) =>
    JSON.stringify([severity, code, statementOf(message, address), help, related]),
  );
  return [...groups.values()];
}

/** Where else a finding was made; empty if nowhere. The resource is named if the message names another one. */
function otherPlaces({ message }: Diagnostic, others: Group): readonly string[] {
  const places = others.flatMap((other) => {
    const subject = other.message === message ? "" : sanitised(other.address ?? "");
    const place = other.at === undefined ? "" : placeText(other.at);
    return place === "" ? (subject === "" ? [] : [subject]) : [subject === "" ? place : `${place} (${subject})`];
  });
  if (places.length === 0) return [];
  return [`    Also at ${joinWords(shorten(places, MAX_PLACES, (more) => counted(more, "more place")))}.`];
}

function block(group: Group, style: FindingsStyle, lines: FindLines, hidden: ReadonlySet<string>): string {
  const [diagnostic, ...others] = group;
  if (diagnostic === undefined) return "";
  const { paint } = style;
  const { severity, code, message, at, help } = diagnostic;
  const tone = TONES[severity];
  const where = at === undefined ? "" : `${paint("heading", placeText(at))}: `;
  const frameLines =
    at === undefined || hidden.has(lineName(at)) ? [] : frame(at, lines, (text) => paint(tone, text), style);
  return [
    `${where}${paint(tone, `${severity}[${code}]`)}: ${sanitised(message)}`,
    ...frameLines,
    ...relatedLines(diagnostic, style),
    ...otherPlaces(diagnostic, others),
    ...(help === undefined ? [] : [`    ${sanitised(help)}`]),
    ...(frameLines.length === 0 ? [] : correctionLines(diagnostic, paint)),
    "",
  ].join("\n");
}

function relatedLines(diagnostic: Diagnostic, { verbose }: FindingsStyle): readonly string[] {
  const linesOf = (related: Related) =>
    related.map((other) => `    ${placeText(other.at)}: ${sanitised(other.message)}`);
  if (verbose === true) return linesOf(allRelated(diagnostic));
  const lines = linesOf(diagnostic.related ?? []);
  if (lines.length <= MAX_RELATED) return lines;
  return [...lines.slice(0, MAX_RELATED - 1), `    … and ${lines.length - MAX_RELATED + 1} more; --verbose shows all`];
}

/** The line as it should be, below its number as in the frame. */
function correctionLines({ at, correction }: Diagnostic, paint: FindingsStyle["paint"]): readonly string[] {
  if (at === undefined || correction === undefined) return [];
  return ["    For example:", `${paint("quiet", `  ${at.line} |`)} ${sanitised(correction)}`];
}

/** The line of a place with carets below it; nothing for a line with a URL that has a password. */
function frame(
  at: Location,
  lines: FindLines,
  mark: (text: string) => string,
  { paint, width = WIDTH }: FindingsStyle,
): readonly string[] {
  const line = lines(at.file)?.[at.line - 1];
  if (line === undefined || /:\/\/[^\s/"'@]*@/.test(line)) return [];
  const before = [...sanitised(line.slice(0, at.column - 1))];
  const marked = [...sanitised(line.slice(at.column - 1, at.column - 1 + Math.max(1, at.length ?? 1)))];
  const after = [...sanitised(line.slice(at.column - 1 + Math.max(1, at.length ?? 1)))];
  const gutter = String(at.line);
  const most = Math.max(MIN_WIDTH, Math.min(WIDTH, width)) - gutter.length - " | ".length - 2;
  // A long line is cut on the left, so that the marked text is shown.
  const lead = columns(before.join("")) > most / 2 ? `…${endOf(before, most / 2)}` : before.join("");
  const rest = [...marked, ...after].join("");
  const room = most - columns(lead);
  const text = `${lead}${columns(rest) > room ? `${takeColumns(rest, room - 1)}…` : rest}`
    // Its two characters may come from different parts.
    .replace(COMMAND, "#\\u0023");
  const carets = "^".repeat(Math.max(1, Math.min(columns(marked.join("")), room)));
  return [
    `${paint("quiet", `  ${gutter} |`)} ${text}`,
    `${paint("quiet", `  ${" ".repeat(gutter.length)} |`)} ${" ".repeat(columns(lead))}${mark(carets)}`,
  ];
}

/** The last characters that fit into the columns. */
function endOf(characters: readonly string[], most: number): string {
  let remaining = most;
  const first = characters.findLastIndex((character) => {
    remaining -= columns(character);
    return remaining < 0;
  });
  return characters.slice(first + 1).join("");
}

/** The document: a test case for each finding that fails or is waived, and a passed one for each other rule. */
export function findingsJunit(
  findings: readonly Finding[],
  rules: readonly AnalyzerRule[],
  fails: (finding: Finding) => boolean,
): string {
  const reported = findings.filter((finding) => finding.waived !== undefined || fails(finding));
  const codes = new Set(reported.map(({ code }) => code));
  const silent = rules.filter(({ id }) => !codes.has(id)).map(({ id, name }) => ({ name: id, classname: name }));
  const cases = [...reported.map((finding) => findingCase(finding, rules)), ...silent];
  return junitDocument("findings", [{ name: "incidentctl validate", cases }]);
}

/** A finding as a test case. */
export function findingCase(
  { code, message, at, address, help = "", waived }: Finding,
  rules: readonly AnalyzerRule[],
): JunitCase {
  return {
    name: address === undefined ? code : `${code} ${address}`,
    classname: rules.find(({ id }) => id === code)?.name ?? "configuration",
    at,
    result:
      waived === undefined
        ? { kind: "failure", message, text: sanitised(help) }
        : { kind: "skipped", message: `${waived.reason} (until ${waived.until})` },
  };
}

/** Whether the configuration is valid, and the numbers of resources and findings. */
export function validationSummary(
  { declared, managed }: Configuration,
  findings: readonly Finding[],
  fails: (finding: Finding) => boolean,
): string {
  const kinds = new Set(managed.map(({ kind }) => kind)).size;
  const open = findings.filter(({ waived }) => waived === undefined);
  const counts = (["error", "warning", "note"] as const).flatMap((severity) => {
    const some = open.filter((finding) => finding.severity === severity).length;
    return some === 0 ? [] : [counted(some, severity)];
  });
  const waived = findings.length - open.length;
  const parts = [
    `${counted(declared.length, "resource")} in ${counted(kinds, "kind")}`,
    ...counts,
    ...(waived === 0 ? [] : [`${waived} waived`]),
  ];
  return !findings.some(fails)
    ? `The configuration is valid: ${parts.join(", ")}.`
    : `The configuration has findings that fail: ${parts.join(", ")}.`;
}

/** A line for each source: its place, its files, how many entries it made, and how many of these have no value for an attribute. */
export function sourceLines(sourced: readonly SourcedList[]): readonly string[] {
  return sourced.flatMap(({ scope, sources }) =>
    sources.map(({ at, files, filesRead, documents, entries, overridden, missing }) => {
      const made = `${counted(entries, "entry", "entries")} of ${scope}`;
      const read = `${counted(documents, "document")} in ${counted(filesRead, "file")} (${files.join(", ")})`;
      const changed = overridden === 0 ? "" : `; the configuration changes ${overridden} of them`;
      const without =
        missing.size === 0 ? "" : `; without a value: ${[...missing].map((each) => each.join(" ")).join(", ")}`;
      return sanitised(`${at.file}:${at.line}: ${made} from ${read}${changed}${without}`);
    }),
  );
}
