/** The smallest parts of the pages. */

import type { Fields, Json } from "../../core/json.ts";
import type { LifecycleStage, OptionRow } from "../modules/option-lists/option-list.ts";
import type { Markup } from "./markup.ts";

/** A time as text: `2026-03-01 12:00:00 UTC`. */
export function timeText(at: string): string {
  return at.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
}

/** A point in time. */
export function Time({ at }: { readonly at: string }): Markup {
  return <time datetime={at}>{timeText(at)}</time>;
}

/** A titled part of a page. */
export function Panel({
  title,
  note,
  id,
  children,
}: {
  readonly title: Markup;
  readonly note?: Markup;
  readonly id?: string;
  readonly children?: Markup;
}): Markup {
  return (
    <section class="panel" id={id}>
      <h2>
        {title}
        {note === undefined ? null : <span class="quiet">{note}</span>}
      </h2>
      {children}
    </section>
  );
}

/** A color of the interface's words. */
export type PillTone = "added" | "removed" | "changed" | "alarm" | "attention" | "";

/** A few words in a rounded frame. */
export function Pill({ tone = "", children }: { readonly tone?: PillTone; readonly children?: Markup }): Markup {
  return <span class={`pill ${tone}`}>{children}</span>;
}

const stageTones: { readonly [Stage in LifecycleStage]: PillTone } = {
  triage: "changed",
  active: "removed",
  closed: "added",
  canceled: "",
};

/** The name of a status, in the color of its stage. */
export function StatusPill({ status: { name, lifecycle_stage: stage } }: { readonly status: OptionRow }): Markup {
  return <Pill tone={stage === null ? "" : stageTones[stage]}>{name}</Pill>;
}

/** A dot in the color of a severity or a status. A style attribute would break the policy of the page. */
export function Swatch({ color }: { readonly color: string | null }): Markup {
  if (color === null || !/^#[0-9a-f]{3,8}$/i.test(color)) return null;
  return (
    <svg class="swatch" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
  );
}

/** The name of a severity beside its color. */
export function SeverityName({ severity }: { readonly severity: OptionRow | undefined }): Markup {
  return (
    <span class="text">
      <Swatch color={severity?.color ?? null} /> {severity?.name}
    </span>
  );
}

/** A table: its columns, each with its heading and the cell of a row. A column that is undefined is left out. */
interface TableProps<Row> {
  readonly label: string;
  readonly columns: { readonly [heading: string]: ((row: Row) => Markup) | undefined };
  readonly rows: readonly Row[];
  /** The sentence in place of a table without rows. */
  readonly empty: string;
}

/** A table that scrolls by itself when it is wider than the page. */
export function DataTable<Row>({ label, columns, rows, empty }: TableProps<Row>): Markup {
  if (rows.length === 0) return <p class="quiet empty">{empty}</p>;
  const shown = Object.entries(columns).flatMap(([heading, cell]) => (cell === undefined ? [] : [{ heading, cell }]));
  return (
    <section class="wide" tabindex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {shown.map(({ heading }) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {shown.map(({ cell }) => (
                <td class="text">{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A part of a page with one table. */
export function TablePanel<Row>(props: TableProps<Row> & { readonly note?: Markup }): Markup {
  return (
    <Panel title={props.label} note={props.note}>
      <DataTable {...props} />
    </Panel>
  );
}

/** Links to the pages beside this one. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [path: string, name: string, isCurrent: boolean])[];
}): Markup {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([path, name, isCurrent]) => (
        <a href={path} aria-current={isCurrent ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Pairs of a name and a value. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: Markup, value: Markup])[] }): Markup {
  return (
    <dl class="values">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd class="text">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text as it is written, which scrolls by itself when it is wider than the page. */
export function Source({ text, label }: { readonly text: string; readonly label: string }): Markup {
  return (
    <section class="wide" tabindex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

/** JSON, indented. */
export function JsonText({ value, label }: { readonly value: Json | Fields; readonly label: string }): Markup {
  return <Source label={label} text={JSON.stringify(value, null, 2)} />;
}

/** A part of a page that follows changes, with the switch that stops it. The script finds it by the name of the part. */
export function Followed({
  part,
  note,
  children,
}: {
  readonly part: string;
  readonly note: string;
  readonly children?: Markup;
}): Markup {
  return (
    <>
      <p class="pause">
        <label>
          <input type="checkbox" id="pause" /> Pause
        </label>
      </p>
      <section class="panel" data-poll="2" data-part={part}>
        <p class="quiet">{note}</p>
        {children}
      </section>
    </>
  );
}

/** Links to the earlier and the later page of a list. */
export function Pager({
  path,
  query,
  page,
  pages,
}: {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly page: number;
  readonly pages: number;
}): Markup {
  if (pages <= 1) return null;
  const hrefOf = (number: number): string => {
    const next = new URLSearchParams(query);
    next.set("page", String(number));
    return `${path}?${next}`;
  };
  return (
    <nav class="pager" aria-label="Pages of the list">
      {page > 1 ? <a href={hrefOf(page - 1)}>Newer</a> : null}
      <span class="quiet">{`Page ${page} of ${pages}`}</span>
      {page < pages ? <a href={hrefOf(page + 1)}>Older</a> : null}
    </nav>
  );
}
