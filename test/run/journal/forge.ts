/** Journals as somebody else could write them: valid lines with other content. */

import { readFile, writeFile } from "node:fs/promises";
import { isFields, isList, type Json } from "../../../src/core/json.ts";
import { formatLine, type NumberedRecord, readRecord } from "../../../src/run/journal/record.ts";

/** Replaces each record of a journal; checksums and lengths are right again. */
export async function forge(path: string, change: (record: Json) => Json): Promise<void> {
  const bytes = await readFile(path);
  const lines: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const record = readRecord(bytes, offset);
    if (record.is !== "record") throw new Error(`no record at byte ${offset}`);
    lines.push(formatLine(change(record.value) as unknown as NumberedRecord, (text) => text));
    offset = record.next;
  }
  await writeFile(path, Buffer.concat(lines));
}

/** Returns a function that replaces the value of every member with this name, at any depth. */
export function setting(name: string, value: Json): (record: Json) => Json {
  const change = (json: Json): Json => {
    if (isList(json)) return json.map(change);
    if (!isFields(json)) return json;
    return Object.fromEntries(
      Object.entries(json).map(([member, inner]) => [member, member === name ? value : change(inner)]),
    );
  };
  return change;
}
