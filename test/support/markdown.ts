/** Approximation of how a forge renders Markdown, to find texts that break out of their place. */

/** The structure of a document: the start of each tag, heading, table, list item and fence. */
export function structureOf(markdown: string): readonly string[] {
  const structure: string[] = [];
  for (const line of outsideFences(markdown, structure)) {
    const text = withoutCode(line);
    structure.push(...(text.match(/<[/!a-z][^>]*>/gi) ?? []).map((tag) => (tag.startsWith("<!--") ? "comment" : tag)));
    structure.push(...(/^ {0,3}(#{1,6} |>|[-*+] |\d+[.)] |\|)/.exec(text)?.slice(1) ?? []));
    if (text.startsWith("|")) structure.push(`${text.split(/(?<!\\)\|/).length} cells`);
  }
  return structure;
}

/** The mentions, links, images and issue references that a forge would act on. */
export function linksIn(markdown: string): readonly string[] {
  return outsideFences(markdown, []).flatMap((line) => {
    if (line.startsWith("<!-- ")) return [];
    return withoutCode(line).match(/@\w|\]\(|!\[|\w+:\/\/|www\.|#\d|\bGH-\d/gi) ?? [];
  });
}

function outsideFences(markdown: string, structure: string[]): readonly string[] {
  let open: string | undefined;
  return markdown.split("\n").filter((line) => {
    const [, marks, info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (marks === undefined || info.includes("`")) return true;
      open = marks;
      structure.push(`fence ${info}`);
    } else if (marks !== undefined && marks[0] === open[0] && marks.length >= open.length && info.trim() === "") {
      open = undefined;
      structure.push("end of fence");
    }
    return false;
  });
}

function withoutCode(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, "code").replace(/<code>.*?<\/code>/g, "code");
}
