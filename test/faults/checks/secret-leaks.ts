/** Search for leaked secrets: verbatim, and in ten encodings in which other programs have leaked them. */

/** A leaked secret. */
export interface Leak {
  /** The name of the secret, never its value. */
  readonly secret: string;
  readonly encoding: string;
}

/** Secrets by name. */
export type Secrets = ReadonlyMap<string, string>;

const PUBLIC_PREFIX = 12;
const WINDOW = 8;
const COLUMNS = 76;

/** Environment variables that the scenarios' files use. Only the service may receive their values. */
export const canaries: Readonly<Record<string, string>> = {
  CANARY_SEVERITY: "c4n4ryS3v3r1tyQ7wX9zKmP2vBnT5hJrL8dFgYsA",
  CANARY_ROLE: 'c4n4ryR0l3/Zx8+Vb2=Nm6&Qw4?Er9 Ty3"Ui5\\Op',
  CANARY_RUNBOOK: "c4n4ryRunb00kHg7Jk2Lp9Wd4Sx6Cv1Bn8Mz3Qa5",
  CANARY_WEBHOOK: "c4n4ryW3bh00kPl6Ok9Ij3Uh7Yg1Tf5Rd8Es2Wa4",
};

/** The secrets that occur in a text or in bytes. */
export function leaksIn(text: string, secrets: Secrets): readonly Leak[] {
  const leaks: Leak[] = [];
  const joined = text.includes("\n") ? text.replace(/\r?\n\s*/g, "") : undefined;
  for (const [secret, value] of secrets) {
    const hidden = value.slice(PUBLIC_PREFIX);
    for (const { encoding, needles } of disguises(value, hidden)) {
      const inText = needles.some((needle) => text.includes(needle));
      const overLines = encoding === "raw" || encoding === "base64" ? joined : undefined;
      if (inText) leaks.push({ secret, encoding });
      else if (overLines !== undefined && needles.some((needle) => overLines.includes(needle))) {
        leaks.push({ secret, encoding: `${encoding}, over lines of ${COLUMNS}` });
      }
    }
  }
  return leaks;
}

interface Disguise {
  readonly encoding: string;
  /** Each of these is the secret in this encoding. */
  readonly needles: readonly string[];
}

const known = new Map<string, readonly Disguise[]>();

function disguises(value: string, hidden: string): readonly Disguise[] {
  const before = known.get(value);
  if (before !== undefined) return before;
  const bytes = Buffer.from(value);
  const made: readonly Disguise[] = [
    { encoding: "raw", needles: [value] },
    { encoding: "JSON", needles: [JSON.stringify(value).slice(1, -1)] },
    { encoding: "base64", needles: base64(bytes, "base64") },
    { encoding: "base64url", needles: base64(bytes, "base64url") },
    { encoding: "hexadecimal", needles: [bytes.toString("hex"), bytes.toString("hex").toUpperCase()] },
    { encoding: "URL", needles: [encodeURIComponent(value), new URLSearchParams({ v: value }).toString().slice(2)] },
    { encoding: "UTF-16", needles: [Buffer.from(value, "utf16le").toString("latin1")] },
    { encoding: "reversed", needles: [[...value].reverse().join("")] },
    { encoding: "a part", needles: windows(hidden) },
  ];
  known.set(value, made);
  return made;
}

/** Base64 at the three possible alignments, without the edges that depend on neighbouring bytes. */
function base64(bytes: Buffer, encoding: "base64" | "base64url"): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift, "x"), bytes])
      .toString(encoding)
      .replaceAll("=", "");
    return text.slice(shift === 0 ? 0 : shift + 1, -2);
  });
}

function windows(hidden: string): readonly string[] {
  const count = Math.max(0, hidden.length - WINDOW + 1);
  return Array.from({ length: count }, (_, at) => hidden.slice(at, at + WINDOW));
}
