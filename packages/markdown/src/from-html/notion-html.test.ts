import { expect, it } from "vitest";
import { notionToMarkdown } from "./html-to-markdown.ts";

const ID = "0123456789abcdef0123456789abcdef";

it("converts what pages of Notion consist of", () => {
  const html = `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>Pond</title><style>.a{}</style></head><body>
<article id="x" class="page sans"><header><div class="page-header-icon undefined"><span class="icon">🐟</span></div><h1 class="page-title">Pond</h1><p class="page-description"></p>
<table class="properties"><tbody><tr class="property-row property-row-multi_select"><th><span class="icon property-icon"><svg></svg></span>Tags</th><td><span class="selected-value select-value-color-blue">birds</span><span class="selected-value">pond</span></td></tr><tr class="property-row property-row-checkbox"><th>Done</th><td><div class="checkbox checkbox-on"></div></td></tr></tbody></table></header>
<div class="page-body"><h2 id="a" class="">Plan</h2><p id="b" class="">Some <strong>bold</strong> and <code>code</code> <a href="Pond%20${ID}/Reeds%20${ID}.html">Reeds</a> <mark class="highlight-red">red</mark>.</p>
<ul id="c" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Feed</span><div class="indented"></div></li></ul>
<ul id="d" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Look</span></li></ul>
<ul class="bulleted-list"><li style="list-style-type:disc">One<ul class="bulleted-list"><li>Inner</li></ul></li></ul>
<ol type="1" class="numbered-list" start="1"><li>First</li></ol>
<ul class="toggle"><li><details open=""><summary>More</summary><p>Folded</p></details></li></ul>
<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex" id="e"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%"><p>Mind <em>this</em>.</p></div></figure>
<pre id="f" class="code"><code class="language-TypeScript">const a = 1;
const b = "&lt;";</code></pre>
<figure id="g" class="image"><a href="Pond%20${ID}/heron.png"><img style="width:240px" src="Pond%20${ID}/heron.png"/></a><figcaption>A heron</figcaption></figure>
<table class="simple-table"><tbody><tr><td>A</td><td>B</td></tr><tr><td>c</td><td>d|e</td></tr></tbody></table>
<figure id="h"><a href="https://example.org/x" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">Example</div><div class="bookmark-description">Words</div></div></div></a></figure>
<figure class="equation"><style>x</style><div class="equation-container"><span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><mrow></mrow><annotation encoding="application/x-tex">E=mc_2*a*</annotation></semantics></math></span><span class="katex-html">E</span></span></span></div></figure>
<blockquote id="i" class="">Said</blockquote><script>alert(1)</script></div></article></body></html>`;
  expect(notionToMarkdown(html)).toBe(`# Pond

\`\`\`notion-properties
Tags: birds, pond
Done: Yes
\`\`\`

## Plan

Some **bold** and \`code\` [Reeds](Pond%20${ID}/Reeds%20${ID}.html) ==red==.

- [ ] Feed
- [x] Look

* One
  - Inner

1. First

- More

  Folded

> [!note] 💡
>
> Mind *this*.

\`\`\`typescript
const a = 1;
const b = "<";
\`\`\`

![](Pond%20${ID}/heron.png)

*A heron*

| A | B    |
| - | ---- |
| c | d\\|e |

[Example](https://example.org/x)

$$E=mc_2*a*$$

> Said
`);
});

const formula = (source: string) =>
  `<span class="notion-text-equation-token"><span class="katex"><annotation>${source}</annotation></span></span>`;

it("keeps formulas in their line, and the spaces around them", () => {
  const html = `<p>where ${formula("t")} is time</p><ul class="bulleted-list"><li>${formula(" h(x)\\ ")} ends in a space</li></ul>`;
  expect(notionToMarkdown(html)).toBe("where $t$ is time\n\n- $h(x)$ ends in a space\n");
});
