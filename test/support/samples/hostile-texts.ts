/** Texts by which a service or a file could attack the reader of a report, and a check that none got through. */

const ESC = "\u001b";

/** The texts, each with the attack that it tries. */
export const hostileTexts: readonly (readonly [what: string, text: string])[] = [
  // Terminals.
  ["colour", `${ESC}[31mred${ESC}[0m`],
  ["clear the screen", `${ESC}[2J${ESC}[H`],
  ["go up and write over", `${ESC}[1A${ESC}[2KNo changes.`],
  ["hide", `${ESC}[8mhidden${ESC}[28m`],
  ["report the cursor", `${ESC}[6n`],
  ["set the title", `${ESC}]0;title\u0007`],
  ["ask for the title", `${ESC}[21t`],
  ["a link", `${ESC}]8;;https://evil.example\u0007safe${ESC}]8;;\u0007`],
  ["the clipboard", `${ESC}]52;c;cm0gLXJmIC8=\u0007`],
  ["the clipboard, ended otherwise", `${ESC}]52;c;cm0gLXJmIC8=${ESC}\\`],
  ["a file", `${ESC}]1337;File=inline=1:AAAA\u0007`],
  ["a notification", `${ESC}]9;hello\u0007`],
  ["a device string", `${ESC}P+q544e${ESC}\\`],
  ["an application command", `${ESC}_Gf=24;AAAA${ESC}\\`],
  ["reset", `${ESC}c`],
  ["the other character set", `${ESC}(0lqqk${ESC}(B`],
  ["shift out", "\u000eabc\u000f"],
  ["C1 CSI", "\u009b31m"],
  ["C1 OSC", "\u009d0;title\u009c"],
  ["C1 next line", "one\u0085two"],
  ["a bell", "\u0007"],
  ["backspaces", "rm -rf\b\b\b\b\b\bls    "],
  ["a return", "harmless\rCHANGED "],
  ["NUL", "a\u0000b"],
  ["DEL", "a\u007fb"],
  ["a vertical tab and a form feed", "a\u000bb\u000cc"],
  ["a tab", "a\tb"],
  ["half an escape", ESC],
  // Invisible and confusing characters.
  ["right to left", "\u202egnp.exe\u202c"],
  ["isolates", "\u2066a\u2067b\u2068c\u2069"],
  ["embeddings", "\u202aa\u202bb\u202dc"],
  ["marks of direction", "\u200ea\u200fb\u061c"],
  ["zero width", "cri\u200bti\u200cca\u200dl"],
  ["a byte order mark", "\ufeffname"],
  ["a soft hyphen", "pass\u00adword"],
  ["a word joiner", "a\u2060b\u2064c"],
  ["fillers", "\u3164\u115f\u1160\uffa0"],
  ["tags", "\u{e0041}\u{e0042}\u{e007f}"],
  ["variations", "a\u{e0100}b\u034fc"],
  ["annotations", "\ufff9a\ufffab\ufffb"],
  ["half a character", "\ud83d"],
  ["the other half", "\ude00 a"],
  ["no character", "\ufffe\uffff"],
  ["private ones", "\ue000\u{f0000}"],
  ["a pile of marks", `a${"\u0301".repeat(50)}`],
  // Lines.
  ["a new line", "one\nError: two"],
  ["both", "one\r\ntwo"],
  ["a line separator", "one\u2028two"],
  ["a paragraph separator", "one\u2029two"],
  ["only new lines", "\n\n\n"],
  ["a long line", "x".repeat(6000)],
  // Runners of CI.
  ["set-output", "::set-output name=x::y"],
  ["add-mask", "::add-mask::a"],
  ["set-env", "::set-env name=PATH::/tmp"],
  ["an error", "::error file=a.ts,line=1::stolen"],
  ["stop-commands", "::stop-commands::x"],
  ["indented", "   ::warning::x"],
  ["on its own line", "a\n::set-output name=x::y"],
  ["after a return", "a\r::set-output name=x::y"],
  ["after a line separator", "a\u2028::error::x"],
  ["in the old words", "##[set-output name=x]y"],
  ["in the old words, within", "a ##[group]b"],
  ["Azure", "##vso[task.setvariable variable=x]y"],
  ["Azure, within", "see ##vso[task.complete result=Succeeded;]done"],
  ["TeamCity", "##teamcity[buildStatus status='SUCCESS']"],
  ["GitLab", `section_start:1560896352:x\r${ESC}[0Kheader`],
  ["a heredoc", "x<<EOF\nPATH=/tmp\nEOF"],
  // Markdown.
  ["a heading", "# Approved"],
  ["a fence", "```\n# out of it\n```"],
  ["a longer fence", "``````````"],
  ["a fence of waves", "~~~"],
  ["a table", "a | b | c |"],
  ["a link that lies", "[https://good.example](https://evil.example)"],
  ["a picture", "![x](https://evil.example/beacon.png)"],
  ["a mention", "@everyone @org/team"],
  ["a closing word", "Fixes #1"],
  ["a comment", "<!-- -->"],
  ["details", "</details><details open><summary>Approved</summary>"],
  // Pages, XML, JSON.
  ["a script", "</script><script>alert(1)</script>"],
  ["the end of a style", "</style><img src=x onerror=alert(1)>"],
  ["a handler", '" onmouseover="alert(1)" x=\''],
  ["apostrophes", "' onload='alert(1)"],
  ["an entity", "&lt;b&gt; &#60; &amp;amp; &nbsp;"],
  ["CDATA", "]]><x/><![CDATA["],
  ["a doctype", '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>'],
  ["an instruction", "<?xml version='1.0'?>"],
  ["the end of a text", '"},"injected":{"a":"'],
  ["backslashes", '\\" \\u0000 \\'],
  ["a prototype", "__proto__"],
  ["a substitution", "$& $1 $$ $` {after}"],
  ["a format", "%s %n %00 %0a"],
];

/** Patterns that no report may contain: terminal controls, CI commands, invisible characters. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a control or invisible character", /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/u],
  ["a filler", /(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u],
  ["a command at the beginning of a line", /^\s*::/m],
  ["a command in a line", /##(\[|vso\[|teamcity\[)/i],
];

/** The forbidden parts of a report, each with its first characters. */
export function commandsIn(report: string): readonly string[] {
  return FORBIDDEN.flatMap(([what, pattern]) => {
    const at = report.search(pattern);
    return at < 0 ? [] : [`${what}: ${JSON.stringify(report.slice(at, at + 60))}`];
  });
}

/** The value with each text in it changed, except for members whose names `kept` accepts. */
export function withTexts<Value>(
  value: Value,
  change: (text: string) => string,
  kept: (name: string) => boolean,
): Value;
export function withTexts(value: unknown, change: (text: string) => string, kept: (name: string) => boolean): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change, kept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, kept(name) ? member : withTexts(member, change, kept)]),
  );
}
