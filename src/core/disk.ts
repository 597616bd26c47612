/** The file system as journals need it: small enough that a full disk, a short write or a power cut can be put in its place. */

/** A file that is open for appending. */
export interface DiskFile {
  /** Appends a part of the bytes and gives how many; a disk may take fewer than it was given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Resolves when what was written survives a power cut. */
  sync(): Promise<void>;
  /** Cuts the file to so many bytes. */
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** What lies at a path. A link is neither a file nor a folder. */
export interface Inspected {
  readonly is: "file" | "folder" | "other";
  /** Permission bits. */
  readonly mode: number;
  /** It belongs to the user of this process. */
  readonly own: boolean;
}

/** Files and folders. Everything fails as Node does, with a `code`; links are never followed at the end of a path. */
export interface Disk {
  /** Undefined where nothing is. */
  inspect(path: string): Promise<Inspected | undefined>;
  read(path: string): Promise<Uint8Array>;
  /** Makes a new file that only its owner may read and write; fails where there is something. */
  create(path: string): Promise<DiskFile>;
  /** Opens a file that exists. */
  extend(path: string): Promise<DiskFile>;
  /** Makes one folder for its owner only; a folder that is there stays as it is. */
  makeFolder(path: string): Promise<void>;
  /** Names in a folder, sorted; none where there is no folder. */
  list(path: string): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

/** Appends all of the bytes, however few the disk takes at a time. */
export async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) {
    const written = await file.write(rest);
    if (written <= 0) throw new Error("the disk takes no more bytes and gives no reason");
    rest = rest.subarray(written);
  }
}

/** Why the file system refused: its code where it has one. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
