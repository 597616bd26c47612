/** Limits on the size of a configuration, so that a hostile or broken one is refused before it fills the memory. */

/** The limits of one load. */
export interface Limits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  /** Commas, colons, opening brackets, and hyphens before a blank, in one file; texts and comments count as well. */
  readonly tokens: number;
  /** Values in one file, keys not counted. */
  readonly values: number;
  /** Keys in one mapping. */
  readonly keys: number;
  /** Lists and mappings within each other. */
  readonly depth: number;
  readonly aliases: number;
  /** The factor by which aliases may enlarge a file. */
  readonly expansion: number;
}

/** The default limits. */
export const LIMITS: Limits = {
  fileBytes: 4 * 1024 * 1024,
  totalBytes: 16 * 1024 * 1024,
  files: 1000,
  tokens: 500_000,
  values: 200_000,
  keys: 5000,
  depth: 32,
  aliases: 100,
  expansion: 10,
};

/**
 * The default limits of files that live elsewhere. They are wider than those of the configuration: people write that by hand, and
 * programs write these files. A repository of 10,000 services has 10,000 small files; an export of them is one file of two or three MiB.
 */
export const FOREIGN_LIMITS: Limits = {
  fileBytes: 4 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
  files: 20_000,
  tokens: 500_000,
  values: Number.POSITIVE_INFINITY,
  keys: Number.POSITIVE_INFINITY,
  depth: 64,
  aliases: 1000,
  expansion: 10,
};
