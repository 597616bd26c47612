/** The style sheet of a plan's page: light, dark and print. */

export const STYLE: string = `
:root { color-scheme: light dark; --back: #fff; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0; --soft: #f6f8fa;
  --add: #116329; --add-back: #dafbe1; --gone: #a40e26; --gone-back: #ffebe9; --change: #7d4e00; --change-back: #fff8c5; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #f0f6fc; --quiet: #9198a1; --line: #3d444d; --soft: #151b23;
  --add: #56d364; --add-back: #12261e; --gone: #ff8b83; --gone-back: #301417; --change: #e3b341; --change-back: #2a2211; --link: #79b8ff; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, p, li { overflow-wrap: anywhere; } table.totals { white-space: nowrap; } table.totals code { overflow-wrap: normal; }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
code, pre, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .87em; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); } .verdict { border-left: .4rem solid var(--line); background: var(--soft); padding: .6rem .9rem; margin: .8rem 0; }
.verdict strong { display: block; } .verdict.none, .verdict.safe { border-color: var(--add); } .verdict.attention { border-color: var(--change); }
.verdict.destructive, .verdict.blocked { border-color: var(--gone); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
table.totals { width: auto; } table.totals td, table.totals th + th { text-align: right; }
.filters { position: sticky; top: 0; z-index: 1; background: var(--back); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .7rem; margin: 1rem 0; }
.filters fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem .9rem; } .filters legend { float: left; margin-right: .8rem; color: var(--quiet); }
.filters input[type=search] { font: inherit; width: 20rem; max-width: 100%; } .filters button { font: inherit; }
.change { border: 1px solid var(--line); border-left: .3rem solid var(--line); border-radius: .3rem; margin: .35rem 0; }
.many .change { content-visibility: auto; contain-intrinsic-size: auto 2.2rem; } a { color: var(--link); } .wide { overflow-x: auto; }
.change[data-risk=attention] { border-left-color: var(--change); } .change[data-risk=destructive] { border-left-color: var(--gone); }
.change > summary { padding: .3rem .6rem; cursor: pointer; overflow-wrap: anywhere; } .change > summary:focus-visible { outline: 3px solid var(--link); outline-offset: -2px; }
.change .inside { padding: 0 .6rem .5rem; } .symbol { font-weight: 700; display: inline-block; width: 1.2em; text-align: center; }
.added { color: var(--add); } .removed { color: var(--gone); } .changed { color: var(--change); }
.badge { font-size: .8em; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .5rem; margin-left: .3rem; white-space: nowrap; }
.fields { table-layout: fixed; } .fields th { width: 14rem; font-weight: 400; overflow-wrap: anywhere; } .fields td { white-space: pre-wrap; overflow-wrap: anywhere; }
.fields .label { background: var(--soft); } td.was { background: var(--gone-back); } td.is { background: var(--add-back); } td.hunk { color: var(--quiet); background: var(--soft); }
td.was:empty, td.is:empty { background: none; }
svg { display: block; } svg text { font: 13px ui-monospace, monospace; fill: var(--text); } svg .head { font: 600 13px system-ui, sans-serif; fill: var(--quiet); }
svg .box { fill: var(--soft); stroke: var(--line); } svg .box.create { stroke: var(--add); } svg .box.delete, svg .box.disable { stroke: var(--gone); }
svg .box.update, svg .box.move, svg .box.enable { stroke: var(--change); } svg .box.same { stroke: var(--quiet); stroke-dasharray: 4 3; } svg path { fill: none; stroke: var(--quiet); stroke-width: 1.5; } svg path.moved { stroke: var(--change); stroke-width: 2.5; }
svg text.removed { fill: var(--gone); } svg text.added { fill: var(--add); } svg text.moved { fill: var(--change); }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { margin-bottom: .3rem; }
[hidden] { display: none !important; } .skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; }
@media (max-width: 40rem) { .fields th { width: 7rem; } }
@media print { body { max-width: none; font-size: 11px; } .filters, .skip { display: none; } .change, .many .change { break-inside: avoid-page; content-visibility: visible; } svg { max-width: 100%; height: auto; }
  details::details-content { content-visibility: visible; block-size: auto; } }
`;
