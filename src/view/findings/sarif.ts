/** Findings as SARIF 2.1.0, for code scanning: rules with their help, results with their places below the root. */

import type { Location } from "../../core/diagnostic.ts";
import type { AnalyzerRule, Finding } from "../../plan/analyze/analyzer.ts";
import { prettyJson } from "../format/json.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** The page that describes the rules. */
const DOCUMENT = "docs/analyzers.md";

/** The program that reports the findings. */
export interface SarifTool {
  readonly name: string;
  readonly version: string;
}

/** An error that is not about a file, and that ended the command. */
export interface SarifNotification {
  readonly exitCode: number;
  readonly text: string;
}

/** The document, with a final line feed. Waived findings are suppressed results. */
export function sarif(
  findings: readonly Finding[],
  rules: readonly AnalyzerRule[],
  tool: SarifTool,
  error?: SarifNotification,
): string {
  const known = new Set(rules.map(({ id }) => id));
  const others = [...new Set(findings.map(({ code }) => code))].filter((code) => !known.has(code)).sort();
  const described = [...rules.map(ruleRecord), ...others.map((id) => ({ id }))];
  const places = new Map(described.map(({ id }, index) => [id, index]));
  return prettyJson({
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: tool.name, semanticVersion: tool.version, rules: described } },
        ...(error === undefined ? {} : { invocations: [invocationRecord(error)] }),
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { ROOT: { description: { text: "The root of the configuration." } } },
        results: findings.map((finding) => resultRecord(finding, places.get(finding.code) ?? -1)),
      },
    ],
  });
}

function invocationRecord({ exitCode, text }: SarifNotification): object {
  const toolExecutionNotifications = [{ level: "error", message: { text } }];
  return { executionSuccessful: false, exitCode, toolExecutionNotifications };
}

function ruleRecord({ id, name, severity, title, why, fix }: AnalyzerRule) {
  const help = { text: `${why} ${fix}`, markdown: `${why}\n\n**What to do:** ${fix}\n\nSee \`${DOCUMENT}\`.` };
  return {
    id,
    name,
    shortDescription: { text: title },
    fullDescription: { text: why },
    help,
    defaultConfiguration: { level: severity },
  };
}

function resultRecord(
  { code, severity, message, help, at, address, related = [], waived }: Finding,
  rule: number,
): object {
  return {
    ruleId: code,
    ruleIndex: rule,
    level: severity,
    message: { text: help === undefined ? sentence(message) : `${sentence(message)} ${help}` },
    locations: at === undefined ? [] : [{ ...placeRecord(at), logicalLocations: logicalLocations(address) }],
    relatedLocations:
      related.length === 0
        ? undefined
        : related.map((other, id) => ({ id: id + 1, ...placeRecord(other.at), message: { text: other.message } })),
    suppressions:
      waived === undefined
        ? []
        : [
            {
              kind: "inSource",
              status: "accepted",
              justification: `${waived.reason} (until ${waived.until})`,
              location: placeRecord(waived.at),
            },
          ],
  };
}

function sentence(message: string): string {
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}

function logicalLocations(address: string | undefined): readonly object[] | undefined {
  return address === undefined ? undefined : [{ fullyQualifiedName: address }];
}

function placeRecord({ file, line, column, length }: Location): object {
  // A file name that is not valid Unicode cannot be encoded; this replaces its invalid parts.
  const name = Buffer.from(file, "utf8").toString("utf8");
  const uri = name.split("/").map(encodeURIComponent).join("/");
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: "ROOT" },
      region: { startLine: line, startColumn: column, endColumn: length === undefined ? undefined : column + length },
    },
  };
}
