const STYLE = `
:root { color-scheme: light dark; --text: #1c1d20; --muted: #63666d; --line: #dfe1e5; --page: #fff; --soft: #f4f5f7; --link: #2456c9;
  --info: #0b6e99; --accent: #5a3fc0; --success: #1a7f4b; --warning: #8a5200; --danger: #b3261e; --mark: #fbe7a1 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e7ea; --muted: #9a9ea7; --line: #33363d; --page: #16171a; --soft: #202226; --link: #8ab0ff;
  --info: #6cc3e8; --accent: #b9a5ff; --success: #4cc38a; --warning: #f0b352; --danger: #ff8087; --mark: #5c4a12 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 17px/1.65 system-ui, sans-serif; overflow-wrap: break-word }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem 5rem }
header { margin-bottom: 2rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line) }
header h1 { margin: 0 0 .25rem; font-size: 2rem; line-height: 1.25 }
header p { margin: 0; color: var(--muted); font-size: .9rem }
h1, h2, h3, h4 { line-height: 1.3; margin: 2em 0 .6em }
article > :first-child { margin-top: 0 }
a { color: var(--link) }
img { max-width: 100%; height: auto }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border-radius: 8px; background: var(--soft); font-size: .85em; line-height: 1.5 }
pre.plain { background: none; padding: 0; font-size: .95em }
code { font-family: ui-monospace, monospace; background: var(--soft); padding: .1em .3em; border-radius: 4px; font-size: .9em }
pre code { padding: 0; background: none; font-size: inherit }
blockquote { margin: 1.5em 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--muted) }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid var(--line); padding: .4rem .7rem; max-width: 36rem }
th:not([align]) { text-align: left }
li:has(> input, > p > input) { list-style: none }
li input { margin-block: 0; margin-inline: -1.5rem .4rem; accent-color: var(--link) }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5rem 0 }
p, li, h1, h2, h3, h4, h5, h6, td, th, summary { unicode-bidi: plaintext }
ul, ol { padding-inline: 1.75rem 0 }
mark { background: var(--mark); color: inherit; border-radius: 3px; padding: .05em .15em }
sup, sub { line-height: 0 }
sup a { text-decoration: none; padding: 0 .15em }
:target { background: color-mix(in oklab, var(--mark) 60%, transparent) }
section#footnotes { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9rem }
aside[data-callout], details[data-callout] { margin: 1.25em 0; border-inline-start: 3px solid var(--callout); border-radius: 4px; background: color-mix(in oklab, var(--callout) 10%, transparent); padding: .75rem 1rem }
[data-callout="info"] { --callout: var(--info) }
[data-callout="accent"] { --callout: var(--accent) }
[data-callout="success"] { --callout: var(--success) }
[data-callout="warning"] { --callout: var(--warning) }
[data-callout="danger"] { --callout: var(--danger) }
[data-callout="quote"] { --callout: var(--muted) }
[data-callout="title"] { margin: 0; font-weight: 600; color: color-mix(in oklab, var(--callout) 80%, var(--text)) }
aside > :last-child, details[data-callout] > :last-child { margin-bottom: 0 }
[data-callout="title"] + * { margin-top: .5rem }
summary { cursor: pointer }
figure { margin: 1.5em 0 }
figure iframe { width: 100%; height: 14rem; border: 0; color-scheme: light dark }
[data-size="medium"] iframe { height: 24rem }
[data-size="large"] iframe { height: 36rem }
figure summary { color: var(--muted); font-size: .8rem }
.math { overflow-x: auto; overflow-y: hidden; padding: .25rem 0 }
@font-face { font-family: Formulas; src: local("STIX Two Math"), local("Cambria Math"), url("/fonts/stix-two-math.woff2") format("woff2"); font-display: swap }
math { font-family: Formulas, math; font-size: 1.05em; line-height: normal }
.tml-left { text-align: left } .tml-right { text-align: right }
.tml-pl0 { padding-left: 0 } .tml-pr0 { padding-right: 0 } .tml-pl1 { padding-left: 1em }
.tml-wide { width: 100% } .tml-half { width: 50%; padding: 0 }
.tml-box { border: 1px solid; padding: 3pt }
.tml-border-top { border-top: 1px solid } .tml-border-right { border-right: 1px solid }
.tml-border-bottom { border-bottom: 1px solid } .tml-border-left { border-left: 1px solid }
.tok-keyword, .tok-operatorKeyword, .tok-modifier, .tok-atom, .tok-bool { color: light-dark(#8a2be2, #c9a2ff) }
.tok-string, .tok-string2, .tok-inserted, .tok-url { color: light-dark(#0a6b3d, #8fd6a6) }
.tok-number, .tok-literal { color: light-dark(#a3470b, #f2b487) }
.tok-variableName.tok-definition, .tok-propertyName, .tok-labelName, .tok-macroName { color: light-dark(#1f5fbf, #8fbcff) }
.tok-typeName, .tok-className, .tok-namespace { color: light-dark(#7a5a00, #e2c56b) }
.tok-comment { color: var(--muted); font-style: italic } .tok-meta { color: var(--muted) }
.tok-deleted, .tok-invalid { color: light-dark(#b3261e, #ff9d95) }
`;

const FONT_PATH = "/fonts/";

/** The style sheet of shared pages of a server below a base path. Their policy allows it by its hash. */
export function styleBelow(basePath: string): string {
  return STYLE.replace(FONT_PATH, `${basePath}${FONT_PATH}`);
}
