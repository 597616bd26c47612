/** Sessions of browsers: opened by a link that works once, kept by a cookie that only this server reads. */

import { randomBytes } from "node:crypto";
import { isSameSecret } from "../http/same-secret.ts";

/** A signed-in browser. */
export interface WebSession {
  /** The value that every form of the session contains, which no other site can read. */
  readonly formToken: string;
}

/** The sessions of one server. */
export class WebSessions {
  /** The key of the link. Once used, it opens nothing. */
  readonly linkKey: string = randomText();
  #isLinkUsed = false;
  /** Cookies ignore ports, so the name keeps two emulators of one machine apart. */
  readonly #cookie = `incidentctl_${randomBytes(6).toString("hex")}`;
  readonly #sessions = new Map<string, WebSession>();

  /** The `Set-Cookie` header of a new session; undefined for a wrong or used key. */
  signIn(key: string): string | undefined {
    if (this.#isLinkUsed || !isSameSecret(key, this.linkKey)) return undefined;
    this.#isLinkUsed = true;
    const id = randomText();
    this.#sessions.set(id, { formToken: randomText() });
    return `${this.#cookie}=${id}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** The session of a `Cookie` header; undefined if there is none. */
  find(header: string | null): WebSession | undefined {
    for (const part of (header ?? "").split(";")) {
      const [name = "", id = ""] = part.trim().split("=", 2);
      const session = name === this.#cookie ? this.#sessions.get(id) : undefined;
      if (session !== undefined) return session;
    }
    return undefined;
  }
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}
