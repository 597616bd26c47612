/** Reads the zip files that GitHub makes of artifacts: stored and deflated entries, without encryption and without ZIP64. */

import { inflateRawSync } from "node:zlib";

const [DIRECTORY_END, DIRECTORY_ENTRY, FILE_ENTRY] = [0x06054b50, 0x02014b50, 0x04034b50];
/** Bytes of the record at the end, and of its longest comment. */
const [END_LENGTH, LONGEST_COMMENT] = [22, 0xffff];
const [STORED, DEFLATED] = [0, 8];
/** Bytes of one file, and files of an artifact. */
const [LARGEST, MOST] = [128 * 1024 * 1024, 10_000];

/** The files of a zip file that are wanted, by name. Names are as written: the caller decides which it accepts. */
export function unzip(bytes: Uint8Array, isWanted: (name: string) => boolean): ReadonlyMap<string, Uint8Array> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(zip);
  const count = zip.readUInt16LE(end + 10);
  if (count > MOST) throw new Error("the artifact has too many files");
  const files = new Map<string, Uint8Array>();
  let at = zip.readUInt32LE(end + 16);
  for (let entry = 0; entry < count; entry += 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error("the artifact is not a complete zip file");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
    const name = zip.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    if (isWanted(name) && !name.endsWith("/")) files.set(name, contentOf(zip, at));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}

function endOf(zip: Buffer): number {
  for (let at = zip.length - END_LENGTH; at >= Math.max(0, zip.length - END_LENGTH - LONGEST_COMMENT); at -= 1) {
    if (zip.readUInt32LE(at) === DIRECTORY_END) return at;
  }
  throw new Error("the artifact is not a zip file");
}

/** The content of the file whose entry in the directory begins here. */
function contentOf(zip: Buffer, entry: number): Uint8Array {
  const method = zip.readUInt16LE(entry + 10);
  const length = zip.readUInt32LE(entry + 20);
  const header = zip.readUInt32LE(entry + 42);
  if (zip.readUInt32LE(header) !== FILE_ENTRY) throw new Error("the artifact is not a complete zip file");
  const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const packed = zip.subarray(begin, begin + length);
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: LARGEST });
  throw new Error(`the artifact has a file that is packed in an unknown way (${method})`);
}
