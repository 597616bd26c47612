/** How analyzers read fields and places: the objects and texts of a list, texts as people tell them apart, places of entries. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Hit } from "./analyzer.ts";
import type { Subject } from "./view.ts";

/** The objects of a list. */
export function rowsOf(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

/** The items of a list as texts. */
export function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}

/** Words of characters that have one form, with one blank between them. */
const ORDERLY = /^[!-~]+(?: [!-~]+)*$/;

/** The text as people read it: neither case nor blanks tell it from another. */
export function folded(text: string): string {
  const spaced = ORDERLY.test(text) ? text : text.normalize("NFC").trim().replace(/\s+/g, " ");
  return spaced.toLowerCase();
}

/** The label of an option, which is a text or an object. */
export function labelOf(option: Json): string {
  return isFields(option) ? String(option.label) : String(option);
}

/** The start of a hit: whose it is and where a field of it stands (JSON Pointer; empty: the entry). */
export function about({ address, declared }: Subject, pointer = ""): Pick<Hit, "address" | "at" | "entry"> {
  return { address, at: pointer === "" ? declared?.at : declared?.place(pointer), entry: declared?.at };
}

/** A place of another entry, for a hit's `related`; none for an entry that is only live. */
export function beside({ declared }: Subject, message: string, pointer = ""): Pick<Hit, "related"> {
  if (declared === undefined) return {};
  return { related: [{ message, at: pointer === "" ? declared.at : declared.place(pointer) }] };
}
