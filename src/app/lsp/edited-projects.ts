/** The open documents of an editor, and the configurations that they belong to. */

import { dirname } from "node:path";
import { hasOnlyKinds } from "../../config/load/unread-files.ts";
import { DISK } from "../../config/source/disk.ts";
import { type FileTree, withContents } from "../../config/source/file-tree.ts";
import { fileName, findSettings, isYaml } from "../../config/source/files.ts";
import type { Io } from "../../core/io.ts";
import { kinds } from "../../kinds/index.ts";
import type { Console } from "../console/console.ts";
import { type Choice, EditedProject } from "./edited-project.ts";

/** A document of a configuration. */
export interface EditedFile {
  readonly project: EditedProject;
  /** Relative to the folder of the settings, as in findings. */
  readonly file: string;
  readonly text: string;
}

/** The open documents, by path, and the configurations that they belong to. */
export class EditedProjects {
  readonly io: Io;
  readonly console: Console;
  readonly #choice: Choice;
  readonly #texts = new Map<string, string>();
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #tree: FileTree = withContents(DISK, this.#bytes);
  readonly #projects = new Map<string, EditedProject>();

  constructor(choice: Choice, io: Io, console: Console) {
    this.#choice = choice;
    this.io = io;
    this.console = console;
  }

  /** The configuration that a file belongs to. A file without settings above it belongs to one if its top keys are names of kinds. */
  projectOf(path: string): EditedProject | undefined {
    if (!isYaml(path)) return undefined;
    const folder = dirname(path);
    const settings = findSettings(folder, this.#tree);
    if (settings === undefined && !hasOnlyKinds(this.#texts.get(path) ?? "", NAMES)) return undefined;
    const home = settings === undefined ? folder : dirname(settings);
    const known = this.#projects.get(home);
    if (known !== undefined) return known;
    const project = new EditedProject(home, this.#tree, this.#choice, this.io);
    this.#projects.set(home, project);
    return project;
  }

  /** An open document of a configuration; undefined for other documents. */
  fileAt(path: string): EditedFile | undefined {
    const text = this.#texts.get(path);
    const project = text === undefined ? undefined : this.projectOf(path);
    if (text === undefined || project === undefined) return undefined;
    return { project, file: fileName(project.home, path), text: text.replace(/^\ufeff/, "") };
  }

  /** Takes the text of an open document; undefined closes it. Returns the configuration that it belongs to, or belonged to. */
  edit(path: string, text: string | undefined): EditedProject | undefined {
    const before = this.projectOf(path);
    if (text === undefined) {
      this.#texts.delete(path);
      this.#bytes.delete(path);
    } else {
      this.#texts.set(path, text);
      this.#bytes.set(path, new TextEncoder().encode(text));
    }
    const project = this.projectOf(path) ?? before;
    project?.changed();
    return project;
  }

  /** Whether a document of a configuration is open. */
  isOpen(project: EditedProject): boolean {
    return [...this.#texts.keys()].some((path) => this.projectOf(path) === project);
  }

  /** The configurations that are known. */
  get projects(): Iterable<EditedProject> {
    return this.#projects.values();
  }
}

const NAMES: ReadonlySet<string> = new Set(kinds.map(({ name }) => name));
