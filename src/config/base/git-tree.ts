/** The files of a commit, at the paths that they have in the work tree. They are read from git's objects. */

import { createHash } from "node:crypto";
import { basename, dirname, extname, join, sep } from "node:path";
import { DISK } from "../source/disk.ts";
import {
  type FileTree,
  isInside,
  noSuchFile,
  type ReadCondition,
  type TreeEntry,
  treeEntry,
  type UnreadableFile,
  unreadable,
} from "../source/file-tree.ts";
import { LIMITS } from "../source/limits.ts";
import type { Git, GitResult } from "./git.ts";

/** A commit of a repository. */
export interface Commit {
  readonly git: Git;
  /** The root of the work tree; absolute. */
  readonly top: string;
  /** The id of the commit. */
  readonly id: string;
}

/** A file, a link, or the commit of a submodule; or a directory, whose names are known. */
type GitEntry =
  | { readonly type: "file" | "link" | "submodule"; readonly id: string }
  | { readonly type: "directory"; readonly names: Set<string> };

/** Most links on the way to a file. */
const MAX_LINKS = 40;
/** Most files to read from git's objects at once. */
const MAX_FILES = 1000;

/** Lists the files of a commit in a directory and below, and reads those that the disk has not with the same content. */
export async function openGitTree(commit: Commit, directory: string): Promise<FileTree> {
  const tree = new GitTree(commit);
  await tree.prepare(directory);
  return tree;
}

class GitTree implements FileTree {
  readonly #commit: Commit;
  /** Absolute path → what is there, as far as it is listed. */
  readonly #entries = new Map<string, GitEntry>();
  /** The directory that is listed with all that is below; undefined: nothing is. */
  #listed: string | undefined;
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #submodules = new Map<string, GitTree | undefined>();

  constructor(commit: Commit) {
    this.#commit = commit;
  }

  async prepare(directory: string): Promise<void> {
    const { git, top } = this.#commit;
    this.#addListing(directory, await git.run(top, this.#listArguments(directory)));
    const missing = this.#missingIn(directory, () => true);
    if (missing.length === 0) return;
    this.#addBlobs(await git.run(top, ["cat-file", "--batch"], textOf(missing)));
  }

  typeOf(path: string): ReturnType<FileTree["typeOf"]> {
    try {
      const real = this.realPath(path);
      if (!isInside(real, this.#commit.top)) return "other";
      const [tree, at] = this.#home(real);
      const entry = tree.#entryAt(at);
      return entry === undefined ? undefined : entry.type === "file" ? "file" : "directory";
    } catch {
      return undefined;
    }
  }

  has(path: string): boolean {
    const { top } = this.#commit;
    if (path === join(top, ".git")) return true;
    if (!isInside(path, top)) return false;
    try {
      const [tree, at] = this.#home(join(this.realPath(dirname(path)), path.slice(dirname(path).length)));
      if (tree !== this) return tree.has(at);
      return this.#entryAt(at) !== undefined;
    } catch {
      return false;
    }
  }

  realPath(path: string): string {
    const { top } = this.#commit;
    if (!isInside(path, top)) throw noSuchFile(path);
    let [real, rest] = [top, path.slice(top.length).split(sep).filter(Boolean)];
    let links = 0;
    while (rest.length > 0) {
      const [step = "", ...more] = rest;
      const next = join(real, step);
      // A link may lead upwards, out of the tree; the caller compares it with its root.
      if (!isInside(next, top)) return join(next, ...more);
      const [tree, at] = this.#home(next);
      const entry = tree.#entryAt(at);
      if (entry === undefined) throw noSuchFile(path);
      if (entry.type !== "link") {
        [real, rest] = [next, more];
        continue;
      }
      links += 1;
      if (links > MAX_LINKS) throw Object.assign(new Error(`too many links at ${path}`), { code: "ELOOP" });
      const target = Buffer.from(tree.#blob(at, entry.id) ?? []).toString("utf8");
      if (target.startsWith("/")) return join(target, ...more);
      rest = [...target.split("/").filter((part) => part !== "" && part !== "."), ...more];
    }
    return real;
  }

  list(path: string): readonly TreeEntry[] {
    const [tree, at] = this.#home(this.realPath(path));
    if (!tree.#isListed(at)) tree.#listAll();
    const entry = tree.#entryAt(at);
    if (entry?.type === "submodule") throw new Error("the submodule is not in this clone");
    if (entry?.type !== "directory") throw Object.assign(noSuchFile(path), { code: "ENOTDIR" });
    return [...entry.names].map((name) => {
      const type = tree.#entryAt(join(at, name))?.type ?? "file";
      return treeEntry(name, type === "submodule" ? "directory" : type);
    });
  }

  read(path: string, { root, maximum, mayBeHidden }: ReadCondition): Uint8Array | UnreadableFile {
    try {
      const real = this.realPath(path);
      const realRoot = isInside(real, root) ? root : this.realPath(root);
      if (!isInside(real, realRoot)) {
        return { code: "E_INCLUDE_ROOT", message: "the file is outside the configuration root" };
      }
      if (!mayBeHidden && /[\\/]\./.test(real.slice(realRoot.length))) {
        return { code: "E_INCLUDE_ROOT", message: "hidden files cannot be part of a configuration" };
      }
      const [tree, at] = this.#home(real);
      const entry = tree.#entryAt(at);
      if (entry?.type !== "file") return { code: "E_FILE", message: "not a regular file" };
      const bytes = tree.#blob(at, entry.id);
      if (bytes === undefined) return { code: "E_FILE", message: "the file is not in this clone" };
      if (bytes.length > maximum) return { code: "E_TOO_LARGE", message: `the file has more than ${maximum} bytes` };
      return bytes;
    } catch (error) {
      return unreadable(error);
    }
  }

  /** The tree that a path belongs to, without links on the way: this one, or that of a submodule. */
  #home(path: string): readonly [tree: GitTree, path: string] {
    for (let at = dirname(path); at.length > this.#commit.top.length; at = dirname(at)) {
      const entry = this.#entryAt(at);
      if (entry?.type !== "submodule") continue;
      const inner = this.#submodule(at, entry.id);
      return inner === undefined ? [this, path] : inner.#home(path);
    }
    const entry = this.#entryAt(path);
    const inner = entry?.type === "submodule" ? this.#submodule(path, entry.id) : undefined;
    return inner === undefined ? [this, path] : [inner, path];
  }

  /** The tree of a submodule; undefined if its commit is not in this clone. */
  #submodule(top: string, id: string): GitTree | undefined {
    if (!this.#submodules.has(top)) {
      const { git } = this.#commit;
      const isThere = DISK.has(join(top, ".git")) && git.runNow(top, ["cat-file", "-e", `${id}^{commit}`]).status === 0;
      this.#submodules.set(top, isThere ? new GitTree({ git, top, id }) : undefined);
    }
    return this.#submodules.get(top);
  }

  #entryAt(path: string): GitEntry | undefined {
    const entry = this.#entries.get(path);
    if (entry !== undefined || this.#isListed(path)) return entry;
    this.#listAll();
    return this.#entries.get(path);
  }

  #isListed(path: string): boolean {
    return this.#listed !== undefined && isInside(path, this.#listed);
  }

  #listAll(): void {
    const { git, top } = this.#commit;
    if (this.#listed !== top) this.#addListing(top, git.runNow(top, this.#listArguments(top)));
  }

  #listArguments(directory: string): readonly string[] {
    const { top, id } = this.#commit;
    const path = directory
      .slice(top.length + 1)
      .split(sep)
      .join("/");
    return ["ls-tree", "-r", "-z", "--full-tree", id, ...(path === "" ? [] : ["--", `${path}/`])];
  }

  #addListing(directory: string, { status, output, problem }: GitResult): void {
    const { top } = this.#commit;
    if (status !== 0) throw new Error(`git cannot list the files: ${problem}`);
    this.#listed = directory;
    this.#entries.set(top, this.#entries.get(top) ?? { type: "directory", names: new Set() });
    for (const line of output.toString("utf8").split("\0")) {
      const [, mode, id = "", path = ""] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined) continue;
      const type = mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file";
      let [at, below] = [top, ""];
      for (const step of path.split("/")) {
        const entry = this.#entries.get(at);
        if (entry?.type === "directory") entry.names.add(step);
        below = join(at, step);
        at = below;
        if (below.length < top.length + 1 + path.length && !this.#entries.has(below)) {
          this.#entries.set(below, { type: "directory", names: new Set() });
        }
      }
      this.#entries.set(at, { type, id });
    }
  }

  /** The content of a file; undefined if it is not in this clone. */
  #blob(path: string, id: string): Uint8Array | undefined {
    const known = this.#blobs.get(id);
    if (known !== undefined) return known;
    const own = this.#fromDisk(path, id);
    if (own !== undefined) return own;
    const { git, top } = this.#commit;
    // Others of its name or in its folder are needed next, and each run of git takes a while.
    const [name, folder, type] = [basename(path), dirname(path), extname(path)];
    const isNext = (file: string) => basename(file) === name || (dirname(file) === folder && extname(file) === type);
    const others = this.#missingIn(top, isNext);
    this.#addBlobs(git.runNow(top, ["cat-file", "--batch"], textOf([id, ...others].slice(0, MAX_FILES))));
    return this.#blobs.get(id);
  }

  /** The content of the file on the disk, if it is that of the commit. */
  #fromDisk(path: string, id: string): Uint8Array | undefined {
    const bytes = DISK.read(path, { root: this.#commit.top, maximum: LIMITS.totalBytes, mayBeHidden: true });
    if ("code" in bytes || blobId(bytes, id) !== id) return undefined;
    this.#blobs.set(id, bytes);
    return bytes;
  }

  /** The ids of files in a directory whose content is not known, and is not that on the disk. */
  #missingIn(directory: string, isMeant: (path: string) => boolean): readonly string[] {
    const missing: string[] = [];
    for (const [path, entry] of this.#entries) {
      if (missing.length === MAX_FILES) break;
      if ((entry.type !== "file" && entry.type !== "link") || !isInside(path, directory) || !isMeant(path)) continue;
      if (!this.#blobs.has(entry.id) && this.#fromDisk(path, entry.id) === undefined) missing.push(entry.id);
    }
    return missing;
  }

  /** Keeps the contents of `cat-file --batch`: a line with the id, the type and the size, then the bytes and a line feed. */
  #addBlobs({ output }: GitResult): void {
    for (let at = 0; at < output.length; ) {
      const end = output.indexOf(10, at);
      if (end < 0) return;
      const [id = "", type, size = ""] = output.toString("utf8", at, end).split(" ");
      if (type === "missing") {
        at = end + 1;
        continue;
      }
      const start = end + 1;
      this.#blobs.set(id, output.subarray(start, start + Number(size)));
      at = start + Number(size) + 1;
    }
  }
}

function textOf(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join("");
}

/** The id that git gives to a content, in the format of another id. */
function blobId(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
