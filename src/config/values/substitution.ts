/** The substitutions `${env:…}`, `${var:…}` and `${file:…}`. They apply after parsing, so a value cannot change the structure of a file. */

import { hasSubstitution } from "../source/text.ts";

/** The value of a substitution, or an error. */
export type SubstitutionResult =
  | { readonly value: string | number | boolean; readonly secret?: boolean }
  | { readonly code: string; readonly message: string; readonly help?: string };

/** Returns the value of a substitution. */
export type ResolveSubstitution = (source: "env" | "var" | "file", name: string) => SubstitutionResult;

/** The error of a value from the environment where it would be shown, compared or evaluated. */
export const OPAQUE = {
  code: "E_ENV",
  message: "a value from the environment cannot be used here",
  help: "It is only ever sent, never shown or evaluated. Write the text itself, or ${var:NAME} with its value in the settings or in --var.",
} as const;

/** A resolver that refuses values from the environment, also those of a variable. */
export function withoutEnvironment(resolve: ResolveSubstitution): ResolveSubstitution {
  return (source, name) => {
    const resolved = source === "env" ? OPAQUE : resolve(source, name);
    return "value" in resolved && resolved.secret === true ? OPAQUE : resolved;
  };
}

/** A text after substitution. */
export interface SubstitutedText {
  readonly value: string | number | boolean;
  /** Whether the text is one substitution, so that its value can have another type. */
  readonly whole: boolean;
  /** Whether some of it came from the environment. */
  readonly secret: boolean;
  readonly errors: readonly { readonly code: string; readonly message: string; readonly help?: string }[];
}

/** A text in which nothing may be substituted, with `$${` as `${`; undefined if it has a substitution. */
export function literalText(text: string): string | undefined {
  const literal = text.split("$${");
  return literal.some(hasSubstitution) ? undefined : literal.join("${");
}

/** A text in which `${` stands for itself. */
export function escapeSubstitutions(text: string): string {
  return text.replaceAll("${", () => "$${");
}

const PARTS = /\$\$\{|\$\{([^}]*)(\}?)/g;
const KNOWN = /^(env|var|file):(.+)$/s;

/** Substitutes in a text; `$${` becomes `${`. */
export function substitute(text: string, resolve: ResolveSubstitution): SubstitutedText {
  const errors: { code: string; message: string; help?: string }[] = [];
  let secret = false;
  const replacement = (inner: string, closed: boolean): string | number | boolean => {
    const [, source, name] = KNOWN.exec(inner) ?? [];
    if (!closed || source === undefined || name === undefined) {
      errors.push({
        code: "E_SUBSTITUTION",
        message: closed ? `"\${${inner}}" is not a substitution` : "a substitution is not closed",
        help: `Write ${closed ? likelySubstitution(inner) : FORMS}; write $\${ for the characters themselves.`,
      });
      return "";
    }
    const resolved = resolve(source as "env" | "var" | "file", name);
    if ("code" in resolved) {
      errors.push(resolved);
      return "";
    }
    secret ||= resolved.secret === true;
    return resolved.value;
  };
  const only = /^\$\{([^}]*)\}$/.exec(text);
  const value =
    only !== null
      ? replacement(only[1] ?? "", true)
      : text.replace(PARTS, (part, inner: string | undefined, close: string) =>
          part === "$${" ? "${" : String(replacement(inner ?? "", close === "}")),
        );
  return { value, whole: only !== null, secret, errors };
}

const FORMS = "${env:NAME}, ${var:name} or ${file:path}";

/** The substitution that somebody meant who wrote one of a shell or of Terraform; else the forms that exist. */
function likelySubstitution(inner: string): string {
  const [, source = "env", name] = /^(?:(env|var)[.:]\s*)?(\w+)$/i.exec(inner.trim()) ?? [];
  return name === undefined ? FORMS : `\${${source.toLowerCase()}:${name}}`;
}

/** Converts a text to one of the types; unchanged if a text is allowed or it cannot be converted. */
export function toType(value: string | number | boolean, types: readonly string[]): string | number | boolean {
  if (types.length === 0) return value;
  if (types.includes("string")) return String(value);
  if (typeof value !== "string") return value;
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  const numeric = types.includes("number") || types.includes("integer");
  return numeric && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}
