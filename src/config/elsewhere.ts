/** How the quick reader gives up. */

/** Ends a quick reading: the text holds something that is left to the thorough reader. */
export class Elsewhere extends Error {}
