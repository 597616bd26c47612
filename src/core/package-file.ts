/** Files of the installed package: schemas, examples, templates. */

/**
 * Returns the URL of a file of the package, by its path below the package's root. The bundle lies as deep below that root as this
 * file.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
