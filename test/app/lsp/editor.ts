/** An editor for tests: it starts the built program as a language server, and talks to it with the protocol's own library. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type CompletionItem,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  ExitNotification,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type Location,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ReferencesRequest,
  RenameRequest,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { withFiles } from "../../support/files.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

/** The character that stands for the cursor in the texts of tests. */
const CURSOR = "|";

/** A place in a document, for requests. */
interface Place {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

/** What a server is started with. */
interface ServerOptions {
  readonly args?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** A running server, and the documents that are open in it. */
export class Editor {
  readonly folder: string;
  readonly initialized: InitializeResult;
  /** Texts that the server has shown to the person. */
  readonly messages: string[] = [];
  readonly #connection: ProtocolConnection;
  readonly #process: ChildProcess;
  readonly #documents = new Map<string, TextDocument>();
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  #waiting: (() => void)[] = [];

  private constructor(
    folder: string,
    server: ChildProcess,
    connection: ProtocolConnection,
    initialized: InitializeResult,
  ) {
    this.folder = folder;
    this.initialized = initialized;
    this.#process = server;
    this.#connection = connection;
    connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
      this.#diagnostics.set(this.#fileOf(uri), diagnostics);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    connection.onNotification(ShowMessageNotification.type, ({ message }) => void this.messages.push(message));
  }

  /** Starts a server in a folder, with these variables of the environment. */
  static async start(folder: string, { args = [], variables = {} }: ServerOptions = {}): Promise<Editor> {
    const env = { PATH: process.env.PATH, ...variables };
    const server = spawn(process.execPath, [program, "lsp", ...args], { cwd: folder, env, stdio: "pipe" });
    const connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    connection.listen();
    const rootUri = pathToFileURL(folder).href;
    const initialized = await connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri,
      capabilities: {},
      workspaceFolders: [{ uri: rootUri, name: "configuration" }],
    });
    const editor = new Editor(folder, server, connection, initialized);
    await connection.sendNotification(InitializedNotification.type, {});
    return editor;
  }

  /** Ends the connection as the protocol asks, and returns the exit code of the server. */
  async end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#process.once("exit", resolve));
    await this.#connection.sendRequest(ShutdownRequest.type);
    await this.#connection.sendNotification(ExitNotification.type);
    const code = await ended;
    this.#connection.dispose();
    return code;
  }

  /** Ends the server at once, if it still runs. */
  kill(): void {
    this.#process.kill("SIGKILL");
  }

  /** Opens a file with the text that it has, or another one. Returns the offset of the cursor in the text. */
  async open(file: string, text: string = readFileSync(join(this.folder, file), "utf8")): Promise<void> {
    const uri = this.uriOf(file);
    this.#documents.set(file, TextDocument.create(uri, "yaml", 1, text));
    await this.#connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
  }

  /** Replaces a part of an open document, or all of it, as an editor does at each keystroke. */
  async type(file: string, text: string, replaced: string = this.text(file)): Promise<void> {
    const document = this.#document(file);
    const start = document.getText().indexOf(replaced);
    if (start < 0) throw new Error(`${file} has no ${replaced}`);
    const range = { start: document.positionAt(start), end: document.positionAt(start + replaced.length) };
    const changed = TextDocument.update(document, [{ range, text }], document.version + 1);
    this.#documents.set(file, changed);
    await this.#connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: document.uri, version: changed.version },
      contentChanges: [{ range, text }],
    });
  }

  async save(file: string): Promise<void> {
    await this.#connection.sendNotification(DidSaveTextDocumentNotification.type, {
      textDocument: { uri: this.uriOf(file) },
    });
  }

  async close(file: string): Promise<void> {
    this.#documents.delete(file);
    await this.#connection.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri: this.uriOf(file) },
    });
  }

  text(file: string): string {
    return this.#document(file).getText();
  }

  /** The findings of a file as lines, once they are as expected by the function, or when the time is over. */
  async findings(file: string, isDone: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    const until = Date.now() + PATIENCE;
    for (;;) {
      const lines = this.linesOf(file);
      if (isDone(lines) || Date.now() > until) return lines;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Resolves when the server publishes the findings of any file. */
  published(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The last findings of a file: `line:column code message`. */
  linesOf(file: string): readonly string[] {
    return (this.#diagnostics.get(file) ?? []).map(
      ({ range: { start }, code, message }) =>
        `${start.line + 1}:${start.character + 1} ${code} ${String(message).split("\n")[0]}`,
    );
  }

  severitiesOf(file: string): readonly string[] {
    return (this.#diagnostics.get(file) ?? []).map(({ severity = 0 }) => SEVERITIES[severity] ?? "none");
  }

  /** The proposals at the cursor in a text, which replaces that of the document. */
  async proposals(file: string, textWithCursor: string): Promise<readonly CompletionItem[]> {
    const place = await this.#typeWithCursor(file, textWithCursor);
    const result = await this.#connection.sendRequest(CompletionRequest.type, place);
    return Array.isArray(result) ? result : (result?.items ?? []);
  }

  /** The text of the document after a proposal is taken. */
  taken(file: string, { textEdit }: CompletionItem): string {
    if (textEdit === undefined || !("range" in textEdit)) throw new Error("the proposal has no edit");
    return TextDocument.applyEdits(this.#document(file), [textEdit]);
  }

  /** `file:line:column` of each definition of what is at a place, given by a text around the cursor. */
  async definition(file: string, around: string): Promise<readonly string[]> {
    const found = await this.#connection.sendRequest(DefinitionRequest.type, this.#place(file, around));
    return [found ?? []].flat().map((one) => this.#placeText(one as Location));
  }

  async references(file: string, around: string, includeDeclaration = false): Promise<readonly string[]> {
    const place = { ...this.#place(file, around), context: { includeDeclaration } };
    return ((await this.#connection.sendRequest(ReferencesRequest.type, place)) ?? []).map((one) =>
      this.#placeText(one),
    );
  }

  async hover(file: string, around: string): Promise<string | undefined> {
    const found: Hover | null = await this.#connection.sendRequest(HoverRequest.type, this.#place(file, around));
    return found !== null && typeof found.contents === "object" && "value" in found.contents
      ? found.contents.value
      : undefined;
  }

  /** The texts of the files that a rename changes. Throws the error that the person sees. */
  async rename(file: string, around: string, newName: string): Promise<Readonly<Record<string, string>>> {
    const edit: WorkspaceEdit | null = await this.#connection.sendRequest(RenameRequest.type, {
      ...this.#place(file, around),
      newName,
    });
    return Object.fromEntries(
      Object.entries(edit?.changes ?? {}).map(([uri, edits]) => {
        const name = this.#fileOf(uri);
        const document =
          this.#documents.get(name) ??
          TextDocument.create(uri, "yaml", 1, readFileSync(join(this.folder, name), "utf8"));
        return [name, TextDocument.applyEdits(document, edits)];
      }),
    );
  }

  uriOf(file: string): string {
    return pathToFileURL(join(this.folder, file)).href;
  }

  async #typeWithCursor(file: string, textWithCursor: string): Promise<Place> {
    const offset = textWithCursor.indexOf(CURSOR);
    await this.type(file, textWithCursor.replace(CURSOR, ""));
    return this.#placeAt(file, offset);
  }

  /** A place: the text around it has the cursor. */
  #place(file: string, around: string): Place {
    const text = around.replace(CURSOR, "");
    const start = this.text(file).indexOf(text);
    if (start < 0) throw new Error(`${file} has no ${text}`);
    return this.#placeAt(file, start + around.indexOf(CURSOR));
  }

  #placeAt(file: string, offset: number): Place {
    const document = this.#document(file);
    return { textDocument: { uri: document.uri }, position: document.positionAt(offset) };
  }

  #document(file: string): TextDocument {
    const document = this.#documents.get(file);
    if (document === undefined) throw new Error(`${file} is not open`);
    return document;
  }

  #placeText({ uri, range: { start } }: Location): string {
    return `${this.#fileOf(uri)}:${start.line + 1}:${start.character + 1}`;
  }

  #fileOf(uri: string): string {
    return fileURLToPath(uri)
      .slice(this.folder.length + 1)
      .replaceAll("\\", "/");
  }
}

/** The severities of the protocol, which counts from 1. */
const SEVERITIES = ["none", "error", "warning", "information", "hint"];

/** Milliseconds to wait for findings. */
const PATIENCE = 20_000;

/** Runs a server in a folder with these files, and checks that it ends in order. */
export async function withEditor(
  files: Readonly<Record<string, string>>,
  work: (editor: Editor) => Promise<void>,
  options: ServerOptions = {},
): Promise<void> {
  await withFiles(files, async (folder) => {
    const editor = await Editor.start(folder, options);
    try {
      await work(editor);
      const code = await editor.end();
      if (code !== 0) throw new Error(`the server ended with ${code}`);
    } finally {
      editor.kill();
    }
  });
}
