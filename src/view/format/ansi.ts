/** Colors for terminals. They only repeat what symbols and words say. */

import { styleText } from "node:util";

/** The meaning of a text, which decides its color. */
export type Tone = "added" | "changed" | "removed" | "heading" | "quiet" | "alarm";

/** A function that colors a text, or returns it unchanged. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
  added: "green",
  changed: "yellow",
  removed: "red",
  heading: "bold",
  quiet: "dim",
  alarm: ["bold", "red"],
};

/** Colors nothing. */
export const plain: Paint = (_tone, text) => text;

/** Colors for a terminal. */
export const colored: Paint = (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
