/** Which rules hold for the entries of which kind, beyond their schemas. */

import type { Check } from "./rule.ts";

/** The rules by the name of the kind. */
export const checks: Readonly<Record<string, Check>> = {};
