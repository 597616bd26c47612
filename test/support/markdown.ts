/** What a forge makes of Markdown, as far as it tells whether a text has got out of its place. */

/** The parts of a document that mean something: tags, headings, tables, items and fences, each as it begins. */
export function structureOf(markdown: string): readonly string[] {
  const found: string[] = [];
  for (const line of outsideFences(markdown, found)) {
    const text = withoutCode(line);
    found.push(...(text.match(/<[/!a-z][^>]*>/gi) ?? []).map((tag) => (tag.startsWith("<!--") ? "comment" : tag)));
    found.push(...(/^ {0,3}(#{1,6} |>|[-*+] |\d+[.)] |\|)/.exec(text)?.slice(1) ?? []));
    if (text.startsWith("|")) found.push(`${text.split(/(?<!\\)\|/).length} cells`);
  }
  return found;
}

/** What a forge would act on: mentions, links, pictures, references to issues; empty when there are none. */
export function linksIn(markdown: string): readonly string[] {
  return outsideFences(markdown, []).flatMap((line) => {
    if (line.startsWith("<!-- ")) return [];
    return withoutCode(line).match(/@\w|\]\(|!\[|\w+:\/\/|www\.|#\d|\bGH-\d/gi) ?? [];
  });
}

function outsideFences(markdown: string, found: string[]): readonly string[] {
  let open: string | undefined;
  return markdown.split("\n").filter((line) => {
    const [, marks, info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (marks === undefined || info.includes("`")) return true;
      open = marks;
      found.push(`fence ${info}`);
    } else if (marks !== undefined && marks[0] === open[0] && marks.length >= open.length && info.trim() === "") {
      open = undefined;
      found.push("end of fence");
    }
    return false;
  });
}

function withoutCode(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, "code").replace(/<code>.*?<\/code>/g, "code");
}
