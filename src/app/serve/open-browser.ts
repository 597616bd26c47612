/** Opens a link in a browser of this machine, with the opener of the system. */

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../core/io.ts";

/** An attempt to open a link. */
export interface BrowserOpening {
  /** Whether the opener was started. It may still find no browser. */
  readonly isStarted: boolean;
  /** Removes the file that leads to the link. */
  remove(): Promise<void>;
}

/**
 * Starts the opener with a file that leads to the link and that only its owner can read: other users can read the command lines of
 * all processes, and the link may hold a key.
 */
export async function openInBrowser(
  link: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<BrowserOpening> {
  const opener = openerOf(platform, env);
  if (opener === undefined) return { isStarted: false, remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), "incidentctl-open-"));
  const file = join(folder, "open.html");
  await writeFile(file, pageThatLeadsTo(link), { mode: 0o600 });
  return { isStarted: await start(opener, file, env), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The program that opens files; undefined without a screen. */
function openerOf(platform: NodeJS.Platform, env: Environment): string | undefined {
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer.exe";
  const hasScreen = [env.DISPLAY, env.WAYLAND_DISPLAY].some((display) => (display ?? "") !== "");
  return hasScreen ? "xdg-open" : undefined;
}

/** An HTML document from which a browser goes to the link by itself. */
export function pageThatLeadsTo(link: string): string {
  return `<!doctype html><meta charset="utf-8"><title>incidentctl</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${link}"><a href="${link}">Open the replica</a>\n`;
}

function start(program: string, file: string, env: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [file], { env: { ...env }, shell: false, stdio: "ignore", detached: true });
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
    child.unref();
  });
}
