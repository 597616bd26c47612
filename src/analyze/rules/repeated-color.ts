/** A013: two entries in one colour. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about, beside } from "../reading.ts";
import { isEnabled, type Subject, type View } from "../view.ts";

export const repeatedColor: Analyzer = {
  id: "A013",
  name: "repeated-color",
  severity: "note",
  title: "Two entries of one kind have the same color.",
  why: "People go by the color long before they read the word, and take the one for the other.",
  fix: "Give each entry a color of its own.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { subjects } of view.lists) {
    const firsts = new Map<string, Subject>();
    for (const subject of subjects) {
      const color = subject.value("color");
      if (typeof color !== "string" || subject.declared === undefined || !isEnabled(subject)) continue;
      const first = firsts.get(plain(color));
      if (first === undefined) {
        firsts.set(plain(color), subject);
        continue;
      }
      yield {
        message: `${subject.address} has the color of ${first.address}`,
        ...about(subject, "/color"),
        ...beside(first, "first here", "/color"),
      };
    }
  }
}

/** `#ABC` and `#aabbcc` are one color. */
function plain(color: string): string {
  const text = color.toLowerCase();
  return /^#[0-9a-f]{3}$/.test(text) ? text.replace(/[0-9a-f]/g, "$&$&") : text;
}
