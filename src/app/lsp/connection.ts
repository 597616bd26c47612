/** The connection to an editor: the Language Server Protocol on one side, and files, places and findings on the other. */

import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  CompletionItemKind,
  createConnection,
  DiagnosticSeverity,
  ErrorCodes,
  type InitializeResult,
  MarkupKind,
  MessageType,
  type Diagnostic as ProtocolDiagnostic,
  type Location as ProtocolLocation,
  type Range,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Configuration } from "../../config/resources/configuration.ts";
import type { Diagnostic, Location } from "../../core/diagnostic.ts";
import { addTo } from "../../core/lists.ts";
import { version } from "../../core/package.ts";
import { Checker } from "./checker.ts";
import { type Proposal, proposalsAt } from "./completion.ts";
import type { EditedProject } from "./edited-project.ts";
import type { EditedFile, EditedProjects } from "./edited-projects.ts";
import { hoverText } from "./hover.ts";
import { declarationOf, distinctPlaces, type NameAt, namesAt, referencesTo } from "./named-resource.ts";
import { type FileEdit, RenameRefused, rename } from "./rename.ts";

/** The streams of a connection. */
interface EditorStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** The abilities that the server announces. */
const CAPABILITIES: InitializeResult = {
  serverInfo: { name: "incidentctl", version },
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    completionProvider: { triggerCharacters: [" ", ":", "[", '"', "'", ","] },
    definitionProvider: true,
    referencesProvider: true,
    hoverProvider: true,
    renameProvider: { prepareProvider: true },
  },
};

/** Serves an editor until it ends the connection, which ends the process. */
export function serveEditor(projects: EditedProjects, { input, output }: EditorStreams): Promise<never> {
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  const uris = new Map<string, string>();
  const shown = new Map<EditedProject, ReadonlySet<string>>();
  const uriOf = (project: EditedProject, file: string): string => {
    const path = join(project.home, file);
    return uris.get(path) ?? pathToFileURL(path).href;
  };
  const checker = new Checker(projects.io.clock, async (project, findings) => {
    const byUri = new Map<string, ProtocolDiagnostic[]>();
    for (const finding of projects.isOpen(project) ? findings : []) {
      const at = finding.at ?? { file: "incidentctl.yaml", line: 1, column: 1 };
      addTo(
        byUri,
        uriOf(project, at.file),
        diagnosticOf(finding, at, (file) => uriOf(project, file)),
      );
    }
    const gone = [...(shown.get(project) ?? [])].filter((uri) => !byUri.has(uri));
    shown.set(project, new Set(byUri.keys()));
    for (const uri of gone) await connection.sendDiagnostics({ uri, diagnostics: [] });
    for (const [uri, diagnostics] of byUri) await connection.sendDiagnostics({ uri, diagnostics });
  });

  const edit = (uri: string, text: string | undefined): void => {
    const path = pathOf(uri);
    if (path === undefined) return;
    if (text === undefined) uris.delete(path);
    else uris.set(path, uri);
    const project = projects.edit(path, text);
    if (project !== undefined) checker.check(project);
  };
  const checkAll = (): void => {
    for (const project of projects.projects) {
      project.changed();
      checker.check(project);
    }
  };
  documents.onDidChangeContent(({ document }) => edit(document.uri, document.getText()));
  documents.onDidClose(({ document }) => edit(document.uri, undefined));
  documents.onDidSave(checkAll);
  connection.onDidChangeWatchedFiles(checkAll);
  connection.onInitialize(() => CAPABILITIES);

  /** A place in a document of a configuration, loaded with the texts as they are now; undefined in other documents. */
  const openAt = async ({
    textDocument: { uri },
    position,
  }: DocumentPosition): Promise<PlaceInDocument | undefined> => {
    const [document, path] = [documents.get(uri), pathOf(uri)];
    const edited = path === undefined ? undefined : projects.fileAt(path);
    if (document === undefined || edited === undefined) return undefined;
    const { workspace, configuration } = await edited.project.current();
    if (configuration !== undefined && !isOf(configuration, edited.file)) return undefined;
    return { ...edited, document, offset: document.offsetAt(position), workspace };
  };
  const namesFor = async (place: DocumentPosition): Promise<NamesInDocument | undefined> => {
    const opened = await openAt(place);
    const file = opened && currentFile(opened);
    if (opened?.workspace === undefined || file === undefined) return undefined;
    return { ...opened, workspace: opened.workspace, names: namesAt(file, opened.offset, opened.workspace) };
  };
  const locationsOf = (project: EditedProject, places: readonly Location[]): ProtocolLocation[] =>
    distinctPlaces(places).map((at) => ({ uri: uriOf(project, at.file), range: rangeOf(at) }));

  connection.onCompletion(async (place) => {
    const opened = await openAt(place);
    if (opened === undefined) return [];
    const { document, file, text, offset, workspace } = opened;
    const proposals = proposalsAt(file, text, offset, workspace);
    if (proposals === undefined) return [];
    const range = { start: document.positionAt(proposals.start), end: document.positionAt(proposals.end) };
    return proposals.items.map(({ label, type, detail, description = "", text: newText }) => ({
      label,
      kind: ITEM_KINDS[type],
      ...(detail === undefined ? {} : { detail }),
      ...(description === "" ? {} : { documentation: { kind: MarkupKind.Markdown, value: description } }),
      textEdit: { range, newText },
    }));
  });
  connection.onHover(async (place) => {
    const opened = await openAt(place);
    const file = opened && currentFile(opened);
    const value = file === undefined ? undefined : hoverText(file, opened?.offset ?? 0, opened?.workspace);
    return value === undefined ? null : { contents: { kind: MarkupKind.Markdown, value } };
  });
  connection.onDefinition(async (place) => {
    const found = await namesFor(place);
    if (found === undefined) return null;
    const { names, workspace, project } = found;
    const [first] = names.map((name) => declarationOf(name, workspace)).filter(({ length }) => length > 0);
    return locationsOf(project, first ?? []);
  });
  connection.onReferences(async ({ context, ...place }) => {
    const found = await namesFor(place);
    const [name] = found?.names ?? [];
    if (found === undefined || name === undefined) return null;
    const { workspace, project } = found;
    const declared = context.includeDeclaration ? declarationOf(name, workspace) : [];
    return locationsOf(project, [...declared, ...referencesTo(name, workspace, project.files, project)]);
  });
  connection.onPrepareRename(async (place) => {
    const [name] = (await namesFor(place))?.names ?? [];
    return name === undefined ? null : rangeOf(name.at);
  });
  connection.onRenameRequest(async ({ newName, ...place }) => {
    const found = await namesFor(place);
    const [name] = found?.names ?? [];
    if (found === undefined || name === undefined) return null;
    try {
      const { edits, warning } = await rename(name, newName, found.project);
      if (warning !== undefined) {
        await connection.sendNotification(ShowMessageNotification.type, {
          type: MessageType.Warning,
          message: warning,
        });
      }
      return workspaceEdit(edits, (file) => uriOf(found.project, file));
    } catch (error) {
      if (!(error instanceof RenameRefused)) throw error;
      throw new ResponseError(ErrorCodes.InvalidRequest, error.message);
    }
  });
  documents.listen(connection);
  connection.listen();
  return new Promise(() => {});
}

interface DocumentPosition {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

interface PlaceInDocument extends EditedFile {
  readonly document: TextDocument;
  readonly offset: number;
  readonly workspace: Awaited<ReturnType<EditedProject["current"]>>["workspace"];
}

interface NamesInDocument extends PlaceInDocument {
  readonly workspace: NonNullable<PlaceInDocument["workspace"]>;
  readonly names: readonly NameAt[];
}

/** Whether a configuration reads a file. */
function isOf({ files }: Configuration, file: string): boolean {
  return Object.hasOwn(files, file);
}

/** The parsed file of a document; undefined if the text cannot be parsed, or is of no file of the configuration. */
function currentFile({ project, file, text }: EditedFile): ReturnType<EditedProject["file"]> {
  const parsed = project.file(file);
  return parsed?.source.text === text ? parsed : undefined;
}

const ITEM_KINDS: Readonly<Record<Proposal["type"], CompletionItemKind>> = {
  kind: CompletionItemKind.Module,
  field: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  resource: CompletionItemKind.Reference,
  option: CompletionItemKind.EnumMember,
};

const SEVERITIES: Readonly<Record<Diagnostic["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

/** The path of a file; undefined for a document that is in no file. */
function pathOf(uri: string): string | undefined {
  return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
}

function rangeOf({ line, column, length = 1 }: Location): Range {
  const start = { line: line - 1, character: column - 1 };
  return { start, end: { ...start, character: start.character + length } };
}

function diagnosticOf(
  { severity, code, message, help, related = [] }: Diagnostic,
  at: Location,
  uriOf: (file: string) => string,
): ProtocolDiagnostic {
  return {
    range: rangeOf(at),
    severity: SEVERITIES[severity],
    code,
    source: "incidentctl",
    message: help === undefined ? message : `${message}\n${help}`,
    relatedInformation: related.map((one) => ({
      location: { uri: uriOf(one.at.file), range: rangeOf(one.at) },
      message: one.message,
    })),
  };
}

function workspaceEdit(edits: readonly FileEdit[], uriOf: (file: string) => string): WorkspaceEdit {
  const changes = new Map<string, { range: Range; newText: string }[]>();
  for (const { source, start, end, text } of edits) {
    const document = TextDocument.create("", "yaml", 0, source.text);
    const range = { start: document.positionAt(start), end: document.positionAt(end) };
    addTo(changes, uriOf(source.file), { range, newText: text });
  }
  return { changes: Object.fromEntries(changes) };
}
