/**
 * The door of js-yaml: the events of a text as numbers. Each event is a mark. That of an
 * end is one number; that of a mapping or a sequence is followed by its start; that of a single value or a key by its start and
 * its end. Before all marks stands how many numbers their values have in `quick-tree.ts`.
 */

import {
  CHOMPING_MODE,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
} from "js-yaml";
import { COMPOUND, SINGLE } from "./lazy-nodes.ts";

/** The marks of a text; offsets count UTF-16 code units. */
export type Marks = Int32Array;

/** What ends, begins or is written; a mark holds it in its lowest four bits. */
export const SORT = {
  end: 0,
  blockMap: 1,
  flowMap: 2,
  blockList: 3,
  flowList: 4,
  plain: 8,
  single: 9,
  double: 10,
  literal: 11,
  folded: 12,
} as const;

const SORTS = 0b1111;
/** A single value, or a key. */
const SCALAR = 0b1000;
/** Whether it stands there letter by letter. */
const AS_WRITTEN = 0b10000;
/** Where the rest of what a block of text is read by begins. */
const CHOMPING = 5;
const INDENT = 7;

type Scalar = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

/** What ends, begins or is written there: one of `SORT`. */
export function sortOf(mark: number): number {
  return mark & SORTS;
}

/** Whether a mark is that of a single value or a key. */
export function isScalar(mark: number): boolean {
  return (mark & SCALAR) !== 0;
}

/** Whether what is between the start and the end of a mark is what it means. */
export function isAsWritten(mark: number): boolean {
  return (mark & AS_WRITTEN) !== 0;
}

/** What a single value means; `start` and `end` are those of its mark. */
export function scalarText(text: string, mark: number, start: number, end: number): string {
  if (isAsWritten(mark)) return text.slice(start, end);
  return getScalarValue(text, {
    type: EVENT_ID.SCALAR,
    valueStart: start,
    valueEnd: end,
    style: styleOf(sortOf(mark)),
    chomping: chompingOf((mark >> CHOMPING) & 0b11),
    indent: (mark >> INDENT) - 1,
    fast: false,
    ...WITHOUT,
  });
}

/** Neither an anchor nor a tag. */
const WITHOUT = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 };

const STYLES = Object.values(SCALAR_STYLE);
const CHOMPINGS = Object.values(CHOMPING_MODE);

function styleOf(sort: number): Scalar["style"] {
  return STYLES.find((style) => sort === SCALAR + style - 1) ?? SCALAR_STYLE.PLAIN;
}

function chompingOf(number: number): Scalar["chomping"] {
  return CHOMPINGS.find((mode) => mode === number) ?? CHOMPING_MODE.CLIP;
}

/** The marks of a text that is one document; undefined when it holds something that `yaml.ts` has to be asked about. */
export function marksOf(text: string): Marks | undefined {
  try {
    return isUnsure(text) ? undefined : marksAmong(parseEvents(text, {}));
  } catch (error) {
    // Whatever a parser throws is about this text, and the other one says it with its place.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/**
 * A tab where a line begins, which is an indentation to one reader and a blank to another; directives; the end of a document; the
 * mark of its beginning behind blanks, which is none.
 */
const UNSURE = /^(?: *\t|%|\.\.\.| +---(?:\s|$))/m;
/** One of these is in what that finds. To look for them takes a twentieth of the time. */
const SIGNS: readonly string[] = ["\t", "%", "...", "---"];

function isUnsure(text: string): boolean {
  return SIGNS.some((sign) => text.includes(sign)) && UNSURE.test(text);
}

/** The marks of the events between those of the document, of which there is one. */
function marksAmong(events: readonly Event[]): Marks | undefined {
  const [first] = events;
  if (first?.type !== EVENT_ID.DOCUMENT || first.directives.length > 0 || first.explicitEnd) return undefined;
  if (events.at(-1)?.type !== EVENT_ID.POP) return undefined;
  const marks = new Int32Array(3 * events.length);
  let [noted, at] = [0, 1];
  for (const event of events) {
    if (event === first) continue;
    switch (event.type) {
      case EVENT_ID.SCALAR:
        if (!isPlain(event)) return undefined;
        marks[at] = scalarMark(event);
        marks[at + 1] = event.valueStart;
        marks[at + 2] = event.valueEnd;
        at += 3;
        noted += SINGLE;
        break;
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        if (event.anchorStart >= 0 || event.tagStart >= 0) return undefined;
        marks[at] =
          (event.type === EVENT_ID.MAPPING ? SORT.blockMap : SORT.blockList) +
          (event.style === COLLECTION_STYLE.FLOW ? 1 : 0);
        marks[at + 1] = event.start;
        at += 2;
        noted += COMPOUND;
        break;
      case EVENT_ID.POP:
        marks[at] = SORT.end;
        at += 1;
        break;
      default:
        return undefined;
    }
  }
  marks[0] = noted;
  // The last event ends the document.
  return marks.subarray(0, at - 1);
}

function scalarMark({ style, fast, chomping, indent }: Scalar): number {
  return (SCALAR + style - 1) | (fast ? AS_WRITTEN : 0) | (chomping << CHOMPING) | ((indent + 1) << INDENT);
}

/** Whether the mark of a single value says all of it: not what bears an anchor or a tag, is left out, or is indented beyond measure. */
function isPlain({ valueStart, anchorStart, tagStart, indent }: Scalar): boolean {
  return valueStart >= 0 && anchorStart < 0 && tagStart < 0 && indent < DEEPEST;
}

/** A larger one does not fit into a mark. */
const DEEPEST = 2 ** 23;
