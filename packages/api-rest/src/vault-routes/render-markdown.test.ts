import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.ts";

const render = (text: string) =>
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
];

describe("renderMarkdown", () => {
  test.each(ATTACKS)("makes %j harmless", (attack) => {
    const html = render(attack) ?? "";
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi)];
    // Every "<" in the result begins one of these tags; a browser cannot read it in any other way.
    expect(html.match(/</g)?.length ?? 0).toBe(tags.length);
    for (const [, tag = "", attributes = ""] of tags) {
      expect(tag).not.toMatch(
        /^(script|style|svg|math|iframe|object|embed|link|meta|base|form|button|textarea|video|audio|template|body)$/i,
      );
      const names = attributes.replaceAll(/="[^"]*"/g, "");
      expect(names).not.toMatch(/\b(on\w+|style|srcset|target|action|formaction|background)\b/i);
      for (const [, url = ""] of attributes.matchAll(/\shref="([^"]*)"/g))
        expect(url).toMatch(/^(https?:\/\/|mailto:)/);
      for (const [, url = ""] of attributes.matchAll(/\ssrc="([^"]*)"/g))
        expect(url).toMatch(/^\/share\/x\/shown\?path=[^&"]*$/);
    }
  });

  test("keeps ordinary Markdown", () => {
    expect(render("# A\n\nb *c* ~~d~~ <kbd>e</kbd>")).toBe(
      "<h1>A</h1>\n<p>b <em>c</em> <del>d</del> <kbd>e</kbd></p>\n",
    );
    expect(render("- [x] a\n- [ ] b")).toMatch(
      /<input [^>]*checked[^>]*Done[^>]*> a<[^]*<input (?![^>]*checked)[^>]*To do[^>]*> b</,
    );
    expect(render("[[Note|shown]] and [[Other]] and [local](./x.md)")).toBe(
      "<p>shown and Other and <span>local</span></p>\n",
    );
    expect(render("![[pic.png]]")).toBe(
      '<p><img src="/share/x/shown?path=pic.png" alt="pic.png" loading="lazy" /></p>\n',
    );
  });
});
