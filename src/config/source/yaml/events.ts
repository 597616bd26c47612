/**
 * The events of a YAML text: the only file that imports js-yaml. An event states where a scalar, a collection or an alias lies in the
 * text; offsets count UTF-16 code units.
 */

import {
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";

export type YamlEvent = Event;
export type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;
export type AliasEvent = Extract<Event, { type: typeof EVENT_ID.ALIAS }>;
export type CollectionEvent = Extract<Event, { type: typeof EVENT_ID.MAPPING | typeof EVENT_ID.SEQUENCE }>;

/** The kinds of events. */
export const EVENT: typeof EVENT_ID = EVENT_ID;
/** The ways to write a scalar. */
export const SCALAR: typeof SCALAR_STYLE = SCALAR_STYLE;

/** Whether a collection is written in brackets. */
export function isFlow({ style }: CollectionEvent): boolean {
  return style === COLLECTION_STYLE.FLOW;
}

/** The text of a scalar, with its escapes and line folds resolved. */
export function scalarText(text: string, event: ScalarEvent): string {
  return getScalarValue(text, event);
}

/** The parser's reason to refuse a text, and the offset at which it stopped. */
export class InvalidYaml extends Error {
  readonly reason: string;
  readonly offset: number;
  constructor(reason: string, offset: number) {
    super(reason);
    this.reason = reason;
    this.offset = offset;
  }

  /** Whether collections are nested more deeply than allowed. */
  get isTooDeep(): boolean {
    return this.reason.startsWith("nesting exceeded");
  }
}

/** The events of a text whose collections are nested at most `depth` levels deep. Throws {@link InvalidYaml}. */
export function readEvents(text: string, depth: number): readonly YamlEvent[] {
  try {
    return parse(text, depth);
  } catch (error) {
    if (!(error instanceof InvalidYaml) || error.reason !== DEFICIENT_INDENTATION) throw error;
    return readRelaxed(text, depth);
  }
}

const DEFICIENT_INDENTATION = "deficient indentation";

/**
 * js-yaml refuses two things that other parsers read: a closing bracket in the column of its key, and a tab before or within brackets.
 * Both are read from a copy of the text that has one more blank before each bracket that begins a line, and blanks for such tabs.
 */
function readRelaxed(text: string, depth: number): readonly YamlEvent[] {
  const all = closersOf(text);
  const events = parseCopy(text, all, depth);
  // In a block of text, a blank more would be a part of the text.
  const own = outsideScalars(all, events);
  return own.length === all.length ? events : parseCopy(text, own, depth);
}

/** The offsets of closing brackets that begin a line. */
function closersOf(text: string): readonly number[] {
  return [...text.matchAll(/^ *(?=[\]}])/gm)].map(({ 0: { length }, index }) => index + length);
}

/** The offsets outside scalars. Offsets and events are in the order of the text. */
function outsideScalars(offsets: readonly number[], events: readonly YamlEvent[]): readonly number[] {
  const scalars = events.filter((event) => event.type === EVENT_ID.SCALAR);
  let next = 0;
  return offsets.filter((offset) => {
    while ((scalars[next]?.valueEnd ?? offset + 1) <= offset) next += 1;
    return (scalars[next]?.valueStart ?? offset + 1) > offset;
  });
}

function parseCopy(text: string, closers: readonly number[], depth: number): readonly YamlEvent[] {
  const parts = [0, ...closers].map((start, index) => text.slice(start, closers[index]));
  const copy = parts.join(" ").replaceAll(/^[ \t]*[^ \t\n].*$/gm, (line) => {
    const [indentation = ""] = /^[ \t]*/.exec(line) ?? [];
    return indentation + line.slice(indentation.length).replaceAll("\t", " ");
  });
  const original = (offset: number): number => {
    let [low, high] = [0, closers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((closers[middle] ?? 0) + middle < offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  };
  try {
    return parse(copy, depth).map((event) => moved(event, original));
  } catch (error) {
    throw error instanceof InvalidYaml ? new InvalidYaml(error.reason, original(error.offset)) : error;
  }
}

/** An event with its offsets mapped by `original`; -1 means absent. */
function moved(event: YamlEvent, original: (offset: number) => number): YamlEvent {
  const entries = Object.entries(event).map(([name, value]): [string, unknown] => [
    name,
    typeof value === "number" && /^start$|Start$|End$/.test(name) ? original(value) : value,
  ]);
  return { ...event, ...Object.fromEntries(entries) };
}

function parse(text: string, depth: number): YamlEvent[] {
  try {
    // It counts a scalar as a level, and a key as another.
    return parseEvents(text, { maxDepth: depth + 2 });
  } catch (error) {
    throw error instanceof YAMLException ? new InvalidYaml(error.reason, error.mark?.position ?? 0) : error;
  }
}
