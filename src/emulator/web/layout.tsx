/** The frame of every page: head, navigation and notices. */

import type { Control } from "../control/control.ts";
import { settingsOf } from "../modules/workspace-settings.ts";
import type { Markup } from "./markup.ts";
import type { PageContent } from "./page.ts";
import { timeText } from "./parts.tsx";

/** The values of a frame. Without `control` there is no navigation: nobody is signed in. */
export interface LayoutProps {
  readonly title: string;
  /** Paths of the style sheet, the script and the icon. */
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  readonly notice?: string | undefined;
  /** The path of the page. */
  readonly path?: string;
  /** The path to which the page goes by itself. */
  readonly goTo?: string;
  readonly isWritable?: boolean;
  readonly control?: Control;
  readonly children?: Markup;
}

const sections: readonly (readonly [title: string, links: readonly (readonly [path: string, name: string])[]])[] = [
  [
    "Workspace",
    [
      ["/", "Overview"],
      ["/incidents", "Incidents"],
      ["/forms/declare", "Forms"],
      ["/alerts", "Alerts"],
    ],
  ],
  [
    "Set up",
    [
      ["/configuration", "Configuration"],
      ["/access", "Access"],
    ],
  ],
  [
    "Integrations",
    [
      ["/deliveries", "Deliveries"],
      ["/requests", "Requests"],
      ["/faults", "Faults"],
      ["/operations", "Interface"],
    ],
  ],
];

/** The document of a page. */
export function Layout(props: LayoutProps): Markup {
  const { title, style, script, icon, notice, path = "", goTo, isWritable = false, control, children } = props;
  const workspace = control === undefined ? "Emulator" : settingsOf(control.service.database).name;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {goTo === undefined ? null : <meta http-equiv="refresh" content={`0; url=${goTo}`} />}
        <title>{`${title} – ${workspace}`}</title>
        <link rel="icon" href={icon} />
        <link rel="stylesheet" href={style} />
        <script src={script} defer />
      </head>
      <body class="app">
        <a class="skip" href="#main">
          To the content
        </a>
        <header class="bar">
          <a class="brand" href="/">
            <span class="logo" aria-hidden="true" />
            <span class="text">{workspace}</span>
          </a>
          <span class="pill">incidentctl emulator</span>
          {control === undefined ? null : (
            <span class="quiet facts-line">
              {isWritable ? null : <span class="pill">read only</span>}
              <span>
                {control.clock.isStopped ? "clock stopped at " : ""}
                <time id="clock">{timeText(control.clock.now().toISOString())}</time>
              </span>
            </span>
          )}
        </header>
        {control === undefined ? null : <Navigation path={path} />}
        <main id="main" tabindex={-1}>
          {notice === undefined ? null : <p class="notice">{notice}</p>}
          {children}
        </main>
      </body>
    </html>
  );
}

/** The way to a page, its heading and its content. */
export function PageBody({ title, heading = title, crumbs, mark, note, body }: PageContent): Markup {
  const [path, list, name] = crumbs ?? [];
  return (
    <>
      {crumbs === undefined ? null : (
        <p class="crumbs">
          <a href={path}>{list}</a> / {name}
        </p>
      )}
      <div class="heading">
        <h1 class="text">{heading}</h1>
        {mark}
        {note === undefined ? null : <p class="quiet">{note}</p>}
      </div>
      {body}
    </>
  );
}

function Navigation({ path }: { readonly path: string }): Markup {
  return (
    <nav aria-label="Pages">
      {sections.map(([title, links]) => (
        <div class="links">
          <p class="quiet" aria-hidden="true">
            {title}
          </p>
          <ul aria-label={title}>
            {links.map(([href, name]) => (
              <li>
                <a href={href} aria-current={isCurrent(path, href) ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function isCurrent(path: string, href: string): boolean {
  const [, first = ""] = href.split("/");
  return path === href || (first !== "" && path.startsWith(`/${first}/`));
}
