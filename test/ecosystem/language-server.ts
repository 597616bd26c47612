/** A client of yaml-language-server over its standard input and output. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packages } from "./support.ts";

/** A message about a place of a file. */
export interface Problem {
  readonly message: string;
  readonly line: number;
}

/** The server's part of an editor. Positions count from 0. */
export interface Editor {
  /** Opens a file with this text, and returns the problems that the editor would show. */
  open(file: string, text: string): Promise<readonly Problem[]>;
  /** The labels that completion offers at a place of the file. */
  complete(file: string, line: number, character: number): Promise<readonly string[]>;
  /** The text that the editor shows over a place of the file; empty if none. */
  hover(file: string, line: number, character: number): Promise<string>;
  close(): Promise<void>;
}

interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly diagnostics: readonly Diagnostic[] };
  readonly result?: unknown;
}

/** Starts the server. It finds a schema by the first line of a file, and asks no network for others. */
export async function startEditor(): Promise<Editor> {
  const server = spawn(process.execPath, [join(packages, "yaml-language-server/bin/yaml-language-server"), "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map<number | string, (message: Message) => void>();
  let last = 0;
  let held = Buffer.alloc(0);
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const receive = (message: Message): void => {
    const { id, method, params } = message;
    // Its own requests get no answer to speak of.
    if (id !== undefined && method !== undefined) send({ id, result: null });
    const key =
      method === "textDocument/publishDiagnostics" ? (params?.uri ?? "") : method === undefined ? (id ?? "") : "";
    waiting.get(key)?.(message);
  };
  server.stdout.on("data", (piece: Buffer) => {
    held = Buffer.concat([held, piece]);
    for (;;) {
      const [head, size] = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(held.toString("latin1")) ?? [];
      if (head === undefined || held.length < head.length + Number(size)) return;
      receive(JSON.parse(held.subarray(head.length, head.length + Number(size)).toString("utf8")));
      held = held.subarray(head.length + Number(size));
    }
  });
  const wait = (key: number | string): Promise<Message> => new Promise((resolve) => waiting.set(key, resolve));
  const ask = async (method: string, params: object): Promise<unknown> => {
    last += 1;
    const response = wait(last);
    send({ id: last, method, params });
    return (await response).result;
  };
  const uriOf = (file: string): string => pathToFileURL(file).href;
  const place = (file: string, line: number, character: number) => ({
    textDocument: { uri: uriOf(file) },
    position: { line, character },
  });
  await ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  send({ method: "initialized", params: {} });
  const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
  send({ method: "workspace/didChangeConfiguration", params: { settings: { yaml } } });
  return {
    async open(file, text) {
      const shown = wait(uriOf(file));
      const textDocument = { uri: uriOf(file), languageId: "yaml", version: 1, text };
      send({ method: "textDocument/didOpen", params: { textDocument } });
      const { diagnostics = [] } = (await shown).params ?? {};
      return diagnostics.map(({ message, range }) => ({ message, line: range.start.line }));
    },
    async complete(file, line, character) {
      const result = (await ask("textDocument/completion", place(file, line, character))) as {
        readonly items: readonly { readonly label: string }[];
      };
      return result.items.map(({ label }) => label);
    },
    async hover(file, line, character) {
      const result = (await ask("textDocument/hover", place(file, line, character))) as {
        readonly contents: { readonly value: string };
      } | null;
      return result?.contents.value ?? "";
    },
    close: () =>
      new Promise((resolve) => {
        server.once("exit", () => resolve());
        server.kill();
      }),
  };
}
