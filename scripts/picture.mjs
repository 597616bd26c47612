/**
 * Draws what the program prints for the readme's example as an SVG of a terminal: docs/plan.svg.
 *
 *     npm run documents
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root, runOnExample } from "./readme-example.mjs";

const COMMAND = "incidentctl plan --emulator";
const LINE = 19;
const COLUMN = 8.43;
const PADDING = 16;
const COLORS = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341" };

const text = runOnExample(COMMAND.split(" ").slice(1));
writeFileSync(join(root, "docs", "plan.svg"), svg([`\u001b[2m$\u001b[22m ${COMMAND}`, ...text.trimEnd().split("\n")]));

/** The picture of lines with ANSI colors. */
function svg(lines) {
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const width = Math.ceil(columns * COLUMN + 2 * PADDING);
  const height = lines.length * LINE + 2 * PADDING;
  const rows = lines.map(
    (line, at) => `<text x="${PADDING}" y="${PADDING + LINE * (at + 0.75)}">${spans(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A plan in a terminal">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${rows.join("\n")}
</g>
</svg>
`;
}

/** The line as spans of one style each. An escape code of a terminal is `ESC [ number m`. */
function spans(line) {
  const style = { bold: false, dim: false, color: undefined };
  const [first = "", ...parts] = line.split("\u001b[");
  const rest = parts.map((part) => {
    const [, code = "", text = ""] = /^(\d+)m(.*)$/s.exec(part) ?? [];
    if (code === "1") style.bold = true;
    if (code === "2") style.dim = true;
    if (code === "22") Object.assign(style, { bold: false, dim: false });
    if (code in COLORS || code === "39") style.color = COLORS[code];
    return span(text, style);
  });
  return [span(first, { bold: false, dim: false, color: undefined }), ...rest].join("");
}

function span(text, { bold, dim, color }) {
  if (text === "") return "";
  // Other spaces at the beginning of a line, and of several in a row all but one, would not be drawn.
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replaceAll(" ", "&#160;");
  const attributes = [
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['fill="#8b949e"'] : color === undefined ? [] : [`fill="${color}"`]),
  ];
  return `<tspan${attributes.map((attribute) => ` ${attribute}`).join("")}>${escaped}</tspan>`;
}
