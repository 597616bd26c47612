/** Limits on files that live elsewhere, so that a hostile or broken repository is refused before it fills the memory. */

import type { Limits } from "../../source/limits.ts";

/** The limits of one reading of foreign files. */
export type ForeignLimits = Omit<Limits, "values" | "keys">;

/**
 * The default limits. They are wider than those of the configuration: people write that by hand, and programs write these files. A
 * repository of 10,000 services has 10,000 small files; an export of them is one file of two or three MiB.
 */
export const FOREIGN_LIMITS: ForeignLimits = {
  fileBytes: 4 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
  files: 20_000,
  tokens: 500_000,
  depth: 64,
  aliases: 1000,
  expansion: 10,
};

/** Broken files that are reported one by one; with more, the globs are wrong and not the files. */
export const REPORTED_FILES = 50;
