/** Makes the zip files of artifacts, as GitHub does: each file deflated. */

import { deflateRawSync } from "node:zlib";

/** A zip file with these files by path. */
export function zipOf(files: ReadonlyMap<string, Buffer>): Buffer {
  const [contents, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes);
    // Version, flags, method, time, date, checksum (not checked by the reader), lengths.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    contents.push(number(0x04034b50), facts, name, packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(number(0x02014b50), Buffer.from([20, 0]), facts, place, name);
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.size, 4);
  end.writeUInt16LE(files.size, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...contents, ...directory, number(0x06054b50), end]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
