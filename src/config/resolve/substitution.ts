/** `${env:…}`, `${var:…}` and `${file:…}`: put into texts after parsing, so that no value can change the structure. */

/** What can stand in for a substitution: its text or value, or why there is none. */
export type Resolved =
  | { readonly value: string | number | boolean; readonly secret?: boolean }
  | { readonly code: string; readonly message: string; readonly help?: string };

/** Finds the value of a substitution. */
export type Resolve = (source: "env" | "var" | "file", name: string) => Resolved;

/** A text with its substitutions carried out. */
export interface Substituted {
  readonly value: string | number | boolean;
  /** The text was nothing but one substitution, so its value may be of another type. */
  readonly whole: boolean;
  /** Something in it came from the environment. */
  readonly secret: boolean;
  readonly errors: readonly { readonly code: string; readonly message: string; readonly help?: string }[];
}

/** Whether a text may hold a substitution. */
export function hasSubstitution(text: string): boolean {
  return text.includes("${");
}

const PARTS = /\$\$\{|\$\{([^}]*)(\}?)/g;
const KNOWN = /^(env|var|file):(.+)$/s;

/** Carries out every substitution in a text; `$${` stands for `${` itself. */
export function substitute(text: string, resolve: Resolve): Substituted {
  const errors: { code: string; message: string; help?: string }[] = [];
  let secret = false;
  const found = (inner: string, closed: boolean): string | number | boolean => {
    const [, source, name] = KNOWN.exec(inner) ?? [];
    if (!closed || source === undefined || name === undefined) {
      errors.push({
        code: "E_SUBSTITUTION",
        message: closed ? `"\${${inner}}" names nothing that can be put in` : "a substitution is not closed",
        help: `Write \${env:NAME}, \${var:name} or \${file:path}; $\${ stands for the characters themselves.`,
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
      ? found(only[1] ?? "", true)
      : text.replace(PARTS, (part, inner: string | undefined, close: string) =>
          part === "$${" ? "${" : String(found(inner ?? "", close === "}")),
        );
  return { value, whole: only !== null, secret, errors };
}

/** A text as a value of one of the types wanted; unchanged when a text is welcome or it reads as none of them. */
export function typed(value: string | number | boolean, types: readonly string[]): string | number | boolean {
  if (types.length === 0) return value;
  if (types.includes("string")) return String(value);
  if (typeof value !== "string") return value;
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  const numeric = types.includes("number") || types.includes("integer");
  return numeric && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}
