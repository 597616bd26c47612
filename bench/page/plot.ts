/** SVG charts: lines and stacked bars. */

/** A line: pairs of x and y, by ascending x. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A chart of lines over a common x axis. */
export interface Chart {
  readonly title: string;
  /** Labels of the axes. */
  readonly across: string;
  readonly up: string;
  readonly series: readonly Series[];
}

/** A chart of bars with named layers. */
export interface Bars {
  readonly title: string;
  readonly up: string;
  readonly layers: readonly string[];
  readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const WIDTH = 440;
const HEIGHT = 300;
const FRAME = { left: 56, right: 104, top: 40, bottom: 44 };
/** The colours of Okabe and Ito, which are distinguishable with any colour vision. */
const COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999", "#F0E442"];
const LINE_HEIGHT = 14;

/** Draws charts side by side as one SVG. */
export function curves(charts: readonly Chart[]): string {
  return picture(
    charts.map(({ title }) => title),
    charts.map((chart, at) => panel(at, drawnChart(chart))),
  );
}

/** Draws stacked bars as one SVG. */
export function stacks(bars: readonly Bars[]): string {
  return picture(
    bars.map(({ title }) => title),
    bars.map((each, at) => panel(at, drawnBars(each))),
  );
}

/** The next round number at or above, for the end of an axis. */
export function ceiling(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}

function picture(titles: readonly string[], panels: readonly string[]): string {
  const width = WIDTH * panels.length;
  const size = `viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}"`;
  const style = 'font-family="sans-serif" font-size="11" fill="#222222"';
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style} role="img">`,
    `<title>${escaped(titles.join("; "))}</title>`,
    `<rect width="${width}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...panels,
    "</svg>",
  ].join("\n")}\n`;
}

function panel(at: number, parts: readonly string[]): string {
  return [`<g transform="translate(${at * WIDTH} 0)">`, ...parts, "</g>"].join("\n");
}

function drawnChart({ title, across, up, series }: Chart): readonly string[] {
  const points = series.flatMap((each) => each.points);
  const right = ceiling(Math.max(...points.map(([x]) => x)));
  const high = ceiling(Math.max(...points.map(([, y]) => y)));
  const x = (value: number): number => scaled(value, right, FRAME.left, WIDTH - FRAME.right);
  const y = (value: number): number => scaled(value, high, HEIGHT - FRAME.bottom, FRAME.top);
  const labels = apart(series.map(({ points: own }) => y(own.at(-1)?.[1] ?? 0)));
  return [
    ...frame(title, up, high),
    text(WIDTH - FRAME.right, HEIGHT - 8, across, "end"),
    ...fifths(right).map((value) => text(x(value), HEIGHT - FRAME.bottom + 16, counted(value), "middle")),
    ...series.flatMap(({ name, points: own }, at) => {
      const color = colorOf(at);
      const path = own.map(([across_, up_]) => `${round(x(across_))},${round(y(up_))}`).join(" ");
      const marks = own.map(
        ([left, top]) => `<circle cx="${round(x(left))}" cy="${round(y(top))}" r="2.5" fill="${color}"/>`,
      );
      const end = x(own.at(-1)?.[0] ?? 0) + 8;
      return [
        `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.5"/>`,
        ...marks,
        text(end, (labels[at] ?? 0) + 4, name, "start", color),
      ];
    }),
  ];
}

function drawnBars({ title, up, layers, bars }: Bars): readonly string[] {
  const high = ceiling(Math.max(...bars.map(({ values }) => sum(values))));
  const y = (value: number): number => scaled(value, high, HEIGHT - FRAME.bottom, FRAME.top);
  const room = (WIDTH - FRAME.left - FRAME.right) / bars.length;
  return [
    ...frame(title, up, high),
    ...bars.flatMap(({ name, values }, at) => {
      const left = FRAME.left + room * (at + 0.2);
      const boxes = values.map((value, layer) => {
        const base = sum(values.slice(0, layer));
        const top = y(base + value);
        const size = `width="${round(room * 0.6)}" height="${round(y(base) - top)}"`;
        return `<rect x="${round(left)}" y="${round(top)}" ${size} fill="${colorOf(layer)}"/>`;
      });
      return [...boxes, text(left + room * 0.3, HEIGHT - FRAME.bottom + 16, name, "middle")];
    }),
    ...layers.flatMap((name, layer) => {
      const top = HEIGHT - FRAME.bottom - LINE_HEIGHT * (layer + 1);
      const left = WIDTH - FRAME.right + 8;
      const box = `<rect x="${left}" y="${top}" width="10" height="10" fill="${colorOf(layer)}"/>`;
      return [box, text(left + 15, top + 9, name, "start")];
    }),
  ];
}

/** The title, the axes and the grid. */
function frame(title: string, up: string, high: number): readonly string[] {
  const right = WIDTH - FRAME.right;
  const bottom = HEIGHT - FRAME.bottom;
  return [
    `<text x="${FRAME.left}" y="16" font-size="13" font-weight="bold">${escaped(title)}</text>`,
    text(FRAME.left - 44, 32, up, "start"),
    ...fifths(high).flatMap((value) => {
      const at = round(scaled(value, high, bottom, FRAME.top));
      return [
        `<line x1="${FRAME.left}" x2="${right}" y1="${at}" y2="${at}" stroke="${value === 0 ? "#222222" : "#dddddd"}"/>`,
        text(FRAME.left - 6, at + 4, counted(value), "end"),
      ];
    }),
  ];
}

/** The heights, moved down where two labels would overlap. */
function apart(heights: readonly number[]): readonly number[] {
  const moved = [...heights];
  const order = heights.map((_, at) => at).sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  let least = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    least = Math.max(least + LINE_HEIGHT, heights[at] ?? 0);
    moved[at] = least;
  }
  return moved;
}

function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end", color = "#222222"): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${color}">${escaped(words)}</text>`;
}

function fifths(highest: number): readonly number[] {
  return [0, 1, 2, 3, 4, 5].map((part) => (highest * part) / 5);
}

function scaled(value: number, highest: number, from: number, to: number): number {
  return from + ((to - from) * value) / highest;
}

function counted(value: number): string {
  return value >= 1000 ? `${round(value / 1000)}k` : String(round(value));
}

function colorOf(at: number): string {
  return COLORS[at % COLORS.length] ?? "#000000";
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
