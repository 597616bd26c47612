/** Files that are installed with the program: schemas, examples, templates. */

/**
 * The URL of a file of the package, by its path below the package's root. The program's bundle lies as deep below the root as this
 * module does.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
