/** Issues on the stand-in for GitHub, and what its parts share: routes and pages. */

/** An issue, with its comments. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly comments: string[];
  body: string;
  state: string;
}

/** The body of a request. */
export type Body = Readonly<Record<string, string>>;

/** A pattern of `METHOD /path`, the permission that it needs, and what responds. */
export type Route = readonly [RegExp, permission: string, Handler];
type Handler = (values: readonly string[], url: URL, body: Body) => unknown;

/** Issues of a repository. Comments on the number of an issue need its permission, and not that of pull requests. */
export function issueRoutes(issues: Issue[], nextId: () => number, address: string): readonly Route[] {
  const find = (number: string | undefined) => issues.find((one) => one.number === Number(number));
  const isIssue = issues.map(({ number }) => number).join("|") || "none";
  return [
    [
      /^GET \/issues$/,
      "issues: read",
      (_, url) => {
        const label = url.searchParams.get("labels") ?? "";
        return page(url, issues.filter(({ state, labels }) => state === "open" && labels.includes(label)).map(issueOf));
      },
    ],
    [
      /^POST \/issues$/,
      "issues: write",
      (_, __, { title = "", body = "", labels = [] as unknown }) => {
        const issue = { number: nextId(), title, body, labels: labels as readonly string[], state: "open" };
        issues.push({ ...issue, author: "github-actions[bot]", comments: [] });
        return issueOf(issues.at(-1) as Issue);
      },
    ],
    [/^PATCH \/issues\/(\d+)$/, "issues: write", ([number], _, body) => Object.assign(find(number) ?? {}, body)],
    [
      new RegExp(`^POST /issues/(${isIssue})/comments$`),
      "issues: write",
      ([number], _, { body = "" }) => {
        find(number)?.comments.push(body);
        return { body };
      },
    ],
  ];

  function issueOf({ number, title, body, author, state }: Issue): object {
    return { number, title, body, state, user: { login: author }, html_url: `${address}/${number}` };
  }
}

/** A page of a list. */
export function page<Item>(url: URL, items: readonly Item[]): readonly Item[] {
  const size = Number(url.searchParams.get("per_page") ?? 30);
  return items.slice((Number(url.searchParams.get("page") ?? 1) - 1) * size).slice(0, size);
}
