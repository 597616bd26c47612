/** The values of substitutions, and a record of those used: for the digest, and to mask secrets. */

import { dirname, resolve } from "node:path";
import { Guesses } from "../../core/suggest.ts";
import { DISK } from "../source/disk.ts";
import type { FileTree, UnreadableFile } from "../source/file-tree.ts";
import { fileName, isRelative } from "../source/files.ts";
import { describeToken } from "../source/leaked-tokens.ts";
import { LIMITS } from "../source/limits.ts";
import type { Source } from "../source/source.ts";
import { utf8 } from "../source/text.ts";
import type { ResolveSubstitution, SubstitutionResult } from "./substitution.ts";

/** Variables of this program hold tokens, which must never be sent as values. */
const OWN = /^INCIDENTCTL_/i;

/** Variables of a forge and its tools, among them tokens. They can only be read if the settings list them. */
const OF_FORGES = /^(?:GITHUB|CI|ACTIONS|RUNNER|NODE|NPM)_/i;

/** The end of the message about a variable of the environment that has no value. */
export const NOT_SET = "is not set";

/** The value of `${var:…}`. */
export interface Variable {
  readonly value: string | number | boolean;
  /** Whether it came from the environment. */
  readonly secret: boolean;
}

/** Limits of the substitutions of one load. */
export interface SubstitutionOptions {
  /** The files of `${file:…}`. Default: the disk. */
  readonly tree?: FileTree;
  /** `environment_variables` of the settings: the only ones that may be read. Default: any but those of forges. */
  readonly readable?: readonly string[] | undefined;
}

/** The substitutions of one load. */
export class Substitutions {
  readonly #root: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #vars: ReadonlyMap<string, Variable>;
  readonly #environment = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #files = new Map<string, Uint8Array>();
  readonly #tree: FileTree;
  #readable: readonly string[] | undefined;
  readonly #guesses = new Guesses();

  constructor(
    root: string,
    env: Readonly<Record<string, string | undefined>>,
    vars: ReadonlyMap<string, Variable>,
    { tree = DISK, readable }: SubstitutionOptions = {},
  ) {
    this.#readable = readable;
    this.#tree = tree;
    this.#root = root;
    this.#env = env;
    this.#vars = vars;
  }

  /** The environment variables used, with their values. */
  get environment(): ReadonlyMap<string, string> {
    return this.#environment;
  }

  /** The names of used substitutions, such as `env:HOME`, without values. */
  get used(): readonly string[] {
    return [...this.#used].sort();
  }

  /** Included files, by path relative to the root. */
  get files(): ReadonlyMap<string, Uint8Array> {
    return this.#files;
  }

  /** Reads only these variables of the environment from now on. */
  readOnly(names: readonly string[]): void {
    this.#readable = names;
  }

  /** Returns the resolver for a file. Relative paths begin at the file, or else at the root. */
  resolverFor(source: Source): ResolveSubstitution {
    return (kind, name) => {
      const resolved =
        kind === "env"
          ? this.#environmentVariable(name)
          : kind === "var"
            ? this.#configuredVariable(name)
            : this.#file(name, source);
      if ("value" in resolved) this.#used.add(`${kind}:${name}`);
      return resolved;
    };
  }

  #environmentVariable(name: string): SubstitutionResult {
    if (OWN.test(name.trim())) {
      return { code: "E_ENV", message: `the variable ${name.trim()} cannot be used in a configuration` };
    }
    const listed = this.#readable;
    if (listed === undefined ? OF_FORGES.test(name) : !listed.includes(name)) {
      const reason =
        listed === undefined ? "belongs to the forge or its tools" : "is not listed in environment_variables";
      const help = `If it is meant to be sent, add it to environment_variables in incidentctl.yaml${listed === undefined ? ", with all others that the files read" : ""}.`;
      return { code: "E_ENV", message: `the environment variable "${name}" ${reason}`, help };
    }
    const value = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
    if (value === undefined) {
      const isName = /^\w+$/.test(name);
      const help = isName ? `Set it: export ${name}=…` : "A name has letters, digits and underscores only.";
      return { code: "E_ENV", message: `the environment variable "${name}" ${NOT_SET}`, help };
    }
    this.#environment.set(name, value);
    return { value, secret: true };
  }

  #configuredVariable(name: string): SubstitutionResult {
    const found = this.#vars.get(name);
    if (found !== undefined) return found;
    const help =
      this.#guesses.guess(name, () => this.#vars.keys()) ??
      "Declare it under vars in incidentctl.yaml, or set it with --var.";
    return { code: "E_VAR", message: `there is no variable "${name}"`, help };
  }

  #file(name: string, source: Source): SubstitutionResult {
    if (!isRelative(name)) {
      return { code: "E_INCLUDE_ROOT", message: `"${name}" is not a path inside the configuration root` };
    }
    const beside = resolve(dirname(source.path), name);
    const bytes = this.#read(beside);
    const found = "code" in bytes && bytes.code === "E_FILE" ? this.#atRoot(name, bytes) : { path: beside, bytes };
    if ("code" in found.bytes) return { ...found.bytes, message: `"${name}": ${found.bytes.message}` };
    const text = utf8(found.bytes);
    if (text === undefined) return { code: "E_UTF8", message: `"${name}" is not valid UTF-8` };
    const leaked = describeToken(text);
    if (leaked !== undefined)
      return { code: "E_SECRET_IN_CONFIG", message: `"${name}" has text that looks like ${leaked}` };
    this.#files.set(fileName(this.#root, found.path), found.bytes);
    // A checkout on Windows ends lines with CRLF.
    return { value: text.replaceAll("\r\n", "\n") };
  }

  #read(path: string): Uint8Array | UnreadableFile {
    return this.#tree.read(path, { root: this.#root, maximum: LIMITS.fileBytes, mayBeHidden: false });
  }

  #atRoot(name: string, missing: UnreadableFile): { path: string; bytes: Uint8Array | UnreadableFile } {
    const path = resolve(this.#root, name);
    const bytes = this.#read(path);
    return { path, bytes: "code" in bytes && bytes.code === "E_FILE" ? missing : bytes };
  }
}
