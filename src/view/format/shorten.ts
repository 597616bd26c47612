/** Lists that are too long for a report. */

/** The first lines, and a last one that counts the others if there are more. */
export function shorten(lines: readonly string[], most: number, count: (more: number) => string): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), count(more)] : lines;
}
