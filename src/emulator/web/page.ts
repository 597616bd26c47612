/** A page of the emulator: a path and the markup for it. */

import type { Control } from "../control/control.ts";
import type { Emulator } from "../emulator.ts";
import type { Database } from "../store/database.ts";
import type { Markup } from "./markup.ts";

/** Options of the pages. */
export interface WebPagesOptions {
  /** Whether the pages may change the workspace; they only show it if absent. */
  readonly isWritable?: boolean;
  /** A sentence at the top of every page. */
  readonly notice?: string;
}

/** The values that pages share, and those of one request. */
export interface PageContext {
  readonly emulator: Emulator;
  readonly control: Control;
  readonly database: Database;
  /** Whether pages may change the workspace. */
  readonly isWritable: boolean;
  /** The path of the page. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The fields of a submitted form; empty for a GET. */
  readonly form: URLSearchParams;
  /** The token that every form contains. */
  readonly formToken: string;
  /** A decoded path parameter. */
  param(name: string): string;
}

/** The content of a page. */
export interface PageContent {
  /** The title of the browser's window, and the heading of the page unless `heading` is another one. */
  readonly title: string;
  readonly heading?: string;
  /** The path and the name of the list that the page belongs to, and the name of the page in it. */
  readonly crumbs?: readonly [path: string, list: string, name: Markup];
  /** Shown beside the heading. */
  readonly mark?: Markup;
  /** The explanation below the heading. */
  readonly note?: Markup;
  readonly body: Markup;
  /** 200 if absent. */
  readonly status?: number;
}

/** The result of a page: its content, or the path of the page to go to. */
export type PageResult = PageContent | { readonly goTo: string };

/** One page. */
export interface WebPage {
  readonly method: "GET" | "POST";
  /** The path, with parameters as `:name`. */
  readonly path: string;
  /** A POST that changes nothing, which pages may send although they are read only. */
  readonly isReadOnly?: boolean;
  /** Creates the result. A thrown HttpError becomes a page with its message. */
  view(context: PageContext): PageResult | Promise<PageResult>;
}
