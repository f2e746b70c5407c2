import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.ts";

const render = async (text: string) =>
  renderMarkdown(text, { toFileUrl: (target) => `/share/x/shown?path=${encodeURIComponent(target)}` });

/** Based on the cheat sheets of OWASP and PortSwigger. */
const ATTACKS = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//evil.example/x.js></ScRiPt>",
  "<<script>alert(1)//<</script>",
  "<img src=x onerror=alert(1)>",
  '<img src="x.png" onload="alert(1)" style="background:url(javascript:alert(1))">',
  "<img src=`javascript:alert(1)`>",
  '<img src="https://evil.example/track.png">',
  '<img srcset="https://evil.example/a.png 1x" src="a.png">',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
  "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=javascript:alert(1)></object>",
  "<embed src=javascript:alert(1)>",
  "<base href=https://evil.example/>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<style>@import 'https://evil.example/x.css'</style>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<form action=https://evil.example><input name=x><button>go</button></form>",
  "<input autofocus onfocus=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  "<video src=https://evil.example/x.mp4 onerror=alert(1)></video>",
  "<audio src=x onerror=alert(1)>",
  "<body onload=alert(1)>",
  "<a href=javascript:alert(1)>x</a>",
  "<a href='java\nscript:alert(1)'>x</a>",
  "<a href='&#106;avascript:alert(1)'>x</a>",
  "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
  "<a href='vbscript:alert(1)'>x</a>",
  "<a href=' javascript:alert(1)'>x</a>",
  "<a href='https://ok.example' onclick=alert(1) style='position:fixed' target=_top>x</a>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](&#x6A;avascript:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "![x](javascript:alert(1))",
  "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
  '![x" onerror="alert(1)](a.png)',
  '![x](a.png "t\\" onerror=\\"alert(1)")',
  '![[a.png" onerror="alert(1)]]',
  "[[<img src=x onerror=alert(1)>]]",
  "[[x|<script>alert(1)</script>]]",
  "```html\n<script>alert(1)</script>\n```",
  "`<script>alert(1)</script>`",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<template><script>alert(1)</script></template>",
  "<textarea><img title='</textarea><img src onerror=alert(1)>'>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
  "<p style='background:url(https://evil.example)'>x</p>",
  "<table background=javascript:alert(1)><tr><td>x",
  "# <script>alert(1)</script>\n<div onmouseover=alert(1)>x</div>",
  '> [!note" onclick="alert(1)]\n> x',
  "> [!note]- <img src=x onerror=alert(1)>\n> <script>alert(1)</script>",
  "x[^<img src=x onerror=alert(1)>]\n\n[^<img src=x onerror=alert(1)>]: <script>alert(1)</script>",
  "==<img src=x onerror=alert(1)>==",
  '$\\href{javascript:alert(1)}{x}$ $\\style{background:url(//evil.example)}{x}$ $\\class{a" onclick="alert(1)}{x}$',
  "$\\text{<img src=x onerror=alert(1)>}$ $<script>alert(1)</script>$",
  "$$\n\\includegraphics{https://evil.example/x.png}\n$$",
  "<code data-figure=math>&lt;img src=x onerror=alert(1)&gt;</code>",
  '<pre data-figure="math" onclick=alert(1) style=color:red><code>\\color{red}x</code></pre>',
  '```js" onclick="alert(1)\nconst a = "<script>";\n```',
  "```js\nconst a = '<script>alert(1)</script>';\n```",
  '<div data-callout=info id=x class=fixed style="position:fixed">x</div>',
];

describe("renderMarkdown", () => {
  test.each(ATTACKS)("makes %j harmless", async (attack) => {
    const html = (await render(attack)) ?? "";
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi)];
    // Every "<" in the result begins one of these tags; a browser cannot read it in any other way.
    expect(html.match(/</g)?.length ?? 0).toBe(tags.length);
    for (const [, tag = "", attributes = ""] of tags) {
      expect(tag).not.toMatch(
        /^(script|style|svg|iframe|object|embed|link|meta|base|form|button|textarea|video|audio|template|body)$/i,
      );
      const names = attributes.replaceAll(/="[^"]*"/g, "");
      expect(names).not.toMatch(/\b(on\w+|style|srcset|target|action|formaction|background)\b/i);
      for (const [, url = ""] of attributes.matchAll(/\shref="([^"]*)"/g))
        expect(url).toMatch(/^(https?:\/\/|mailto:|#)/);
      for (const [, url = ""] of attributes.matchAll(/\ssrc="([^"]*)"/g))
        expect(url).toMatch(/^\/share\/x\/shown\?path=[^&"]*$/);
    }
  });

  test("draws diagrams only in a frame without an origin, whatever their text", async () => {
    const source = 'flowchart TD\n  a["</iframe><script>alert(1)</script>"] --> b\n  click a "javascript:alert(1)"';
    const html = await render(`\`\`\`mermaid\n${source}\n\`\`\``);
    const [, url = ""] =
      /^<figure data-size="small"><iframe sandbox="allow-scripts" loading="lazy" title="Diagram" src="\/diagram#([^"<>&]*)"><\/iframe><details>/.exec(
        html ?? "",
      ) ?? [];
    expect(decodeURIComponent(url)).toBe(source);
    expect(html).not.toContain("<script");
    // One that is too long is shown as it was written.
    expect(await render(`\`\`\`mermaid\n${"a".repeat(9_000)}\n\`\`\``)).not.toContain("iframe");
  });

  test("keeps ordinary Markdown", async () => {
    expect(await render("# A\n\nb *c* ~~d~~ <kbd>e</kbd>")).toBe(
      '<h1 id="a" dir="auto">A</h1>\n<p dir="auto">b <em>c</em> <del>d</del> <kbd>e</kbd></p>\n',
    );
    expect(await render("- [x] a\n- [ ] b")).toMatch(
      /<input [^>]*checked[^>]*Done[^>]*> a<[^]*<input (?![^>]*checked)[^>]*To do[^>]*> b</,
    );
    expect(await render("[[Note|shown]] and [[Other]] and [local](./x.md)")).toBe(
      '<p dir="auto"><span>shown</span> and <span>Other</span> and <span>local</span></p>\n',
    );
    expect(await render("![[pic.png]] ![[pic.png|300]]")).toBe(
      '<p dir="auto"><img src="/share/x/shown?path=pic.png" alt="pic.png" loading="lazy" /> ' +
        '<img src="/share/x/shown?path=pic.png" alt="pic.png" loading="lazy" width="300" /></p>\n',
    );
  });

  test("shows callouts, footnotes, marks, formulas and code in colours", async () => {
    expect(await render("> [!warning]- Mind *this*\n> body")).toBe(
      '<details data-callout="warning" dir="auto"><summary data-callout="title">Mind <em>this</em></summary>\n' +
        "<p>body</p>\n</details>\n",
    );
    const notes = await render("a[^x] and ==b==\n\n[^x]: Note");
    expect(notes).toContain('<sup><a href="#fn-1" id="fnref-1">1</a></sup> and <mark>b</mark>');
    expect(notes).toMatch(/<ol dir="auto"><li id="fn-1"><p>Note <a href="#fnref-1" title="[^"]+">↩<\/a>/);
    expect(await render("$x^2$")).toMatch(/<math><msup><mi>x<\/mi><mn[^>]*>2<\/mn><\/msup><\/math>/);
    expect(await render("$$\n\\begin{array}{|c|}a\\end{array}\n$$")).toMatch(
      /<div class="math" dir="ltr"><math display="block"[^]*class="[^"]*tml-border-left[^]*<\/div>/,
    );
    expect(await render("$\\notacommand$ costs $5 and $10")).toBe(
      '<p dir="auto"><code data-figure="inline-math">\\notacommand</code> costs $5 and $10</p>\n',
    );
    expect(await render("```ts\nconst a = 1;\n```")).toContain('<span class="tok-keyword">const</span>');
    expect(await render("```nolanguage\nconst a\n```")).toContain("<code>const a\n</code>");
  });
});
