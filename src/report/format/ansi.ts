/** Colour, which only repeats what the symbols and words say already. */

import { styleText } from "node:util";

/** What a piece of text is, as far as its colour goes. */
export type Tone = "added" | "changed" | "removed" | "heading" | "quiet" | "alarm";

/** Colours a text, or leaves it as it is. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
  added: "green",
  changed: "yellow",
  removed: "red",
  heading: "bold",
  quiet: "dim",
  alarm: ["bold", "red"],
};

/** Leaves every text as it is. */
export const plain: Paint = (_tone, text) => text;

/** Colours for a terminal. */
export const coloured: Paint = (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
