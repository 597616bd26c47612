/** A certificate authority and the certificates that it issues, for tests of trust. */

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate and its key, as PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** Content of a certificate. */
export interface Claims {
  /** DNS names. */
  readonly names: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
}

/** A certificate authority that is not trusted by default. */
export interface Authority extends Identity {
  issue(claims: Claims): Identity;
}

const DAY = 86_400_000;
const ECDSA_WITH_SHA256 = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"));

/** Creates an authority with its own key. */
export function authority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = certificate({ names: [] }, name, name, publicKey, privateKey, true);
  return {
    ...identity(own, privateKey),
    issue: (claims) => {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const subject = claims.names[0] ?? "nobody";
      return identity(certificate(claims, name, subject, pair.publicKey, privateKey, false), pair.privateKey);
    },
  };
}

export function selfSigned(claims: Claims): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return identity(certificate(claims, "self", "self", publicKey, privateKey, false), privateKey);
}

function certificate(
  { names, from = new Date(Date.now() - DAY), until = new Date(Date.now() + DAY) }: Claims,
  issuer: string,
  subject: string,
  publicKey: KeyObject,
  signer: KeyObject,
  isAuthority: boolean,
): Buffer {
  const alternatives = der(0x30, ...names.map((name) => der(0x82, Buffer.from(name))));
  const constraints = der(0x30, ...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []));
  const extensions = [
    extension("551d13", constraints),
    ...(names.length === 0 ? [] : [extension("551d11", alternatives)]),
  ];
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    der(0x30, time(from), time(until)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, ...extensions)),
  );
  const signature = sign("sha256", content, signer);
  return der(0x30, content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
}

function identity(cert: Buffer, key: KeyObject): Identity {
  const lines = cert.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function extension(oid: string, value: Buffer): Buffer {
  return der(0x30, der(0x06, Buffer.from(oid, "hex")), der(0x04, value));
}

function nameOf(commonName: string): Buffer {
  const attribute = der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from(commonName)));
  return der(0x30, der(0x31, attribute));
}

function time(moment: Date): Buffer {
  return der(0x17, Buffer.from(`${moment.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
