/** Redaction: what a transcript leaves out of a message before it is kept. */

/** A text with its secrets taken out, and whether there were any. */
export interface Redacted {
  readonly text: string;
  readonly redacted: boolean;
}

const mark = "[REDACTED]";

/** Each with what it recognises; the first group, where there is one, is kept. */
const secrets: readonly RegExp[] = [
  // Keys of known providers and of this service.
  /\b(?:ff_[1-9A-HJ-NP-Za-km-z]{36}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{36,255}|xox[abprs]-[\w-]{10,255}|sk_live_\w{16,255})/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,10000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  /(\bbearer\s+)[\w.~+/-]{16,}=*/gi,
  /(\b\w*(?:password|passwd|secret|token|api[_-]?key)\s*[:=]\s*)[^\s,;]+/gi,
  // The user and password of an address.
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@]{1,200}:[^\s/@]{1,200}(?=@)/gi,
];

/** Takes keys, passwords, bearer tokens and private keys out of a text. */
export function redact(text: string): Redacted {
  const clean = secrets.reduce((rest, secret) => {
    return rest.replace(secret, (_found, kept) => `${typeof kept === "string" ? kept : ""}${mark}`);
  }, text);
  return { text: clean, redacted: clean !== text };
}
