/** Annotations of GitHub Actions beside the lines of a pull request, as escaped workflow commands. */

import type { Location } from "../../core/diagnostic.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Finding } from "../../plan/analyze/analyzer.ts";

/** An annotation, at a place in a file if it has one. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  readonly at?: Omit<Location, "field"> | undefined;
}

/** Annotations of one level that a runner shows for one step; it silently drops more. */
const MAX_ANNOTATIONS = 10;

const LEVELS = { error: "error", warning: "warning", note: "notice" } as const;

/** The annotations of findings; those that fail the command are errors. */
export function findingAnnotations(
  findings: readonly Finding[],
  fails: (finding: Finding) => boolean,
): readonly Annotation[] {
  return findings
    .filter(({ waived }) => waived === undefined)
    .map((finding) => ({
      level: fails(finding) ? "error" : LEVELS[finding.severity],
      title: finding.code,
      message: [finding.message, ...(finding.help === undefined ? [] : [finding.help])].map(sanitised).join("\n"),
      at: finding.at,
    }));
}

/** The annotations as commands, one on each line; `locate` returns the path for the runner, undefined for a file outside. */
export function annotationLines(
  annotations: readonly Annotation[],
  locate: (file: string) => string | undefined,
): readonly string[] {
  const levels = ["error", "warning", "notice"] as const;
  return levels.flatMap((level) => {
    const own = annotations.filter((annotation) => annotation.level === level);
    const last =
      own.length > MAX_ANNOTATIONS ? [`::${level}::${own.length - MAX_ANNOTATIONS + 1} more are in the log`] : [];
    const visible = own.slice(0, last.length === 0 ? MAX_ANNOTATIONS : MAX_ANNOTATIONS - 1);
    return [...visible.map((annotation) => commandOf(annotation, locate)), ...last];
  });
}

function commandOf({ level, title, message, at }: Annotation, locate: (file: string) => string | undefined): string {
  // A path with invisible characters would be escaped, and then not match the file.
  const file = at === undefined || sanitised(at.file) !== at.file ? undefined : locate(at.file);
  const place = at === undefined || file === undefined ? {} : { file, line: at.line, col: at.column };
  const end = file === undefined || at?.length === undefined ? {} : { endColumn: at.column + at.length };
  const properties = { ...place, ...end, title: sanitised(title) };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${written.join(",")}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
