import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.ts";

describe("htmlToMarkdown", () => {
  it("keeps the headings, lists, links, code and tables of a web page", () => {
    const html = `<h2>Title</h2><p>Some <b>bold</b> and <em>italic</em> <a href="https://x.org/a">link</a>,
      <code>code</code>, <mark>marked</mark>.</p><ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol>
      <ul><li><input type="checkbox" checked> done</li></ul><pre><code class="language-ts">let x;\n</code></pre>
      <table><thead><tr><th>H</th><th align="right">I</th></tr></thead><tbody><tr><td><p>a</p><p>b</p></td><td>c | d</td></tr></tbody></table>`;
    expect(htmlToMarkdown(html)).toBe(
      [
        "## Title\n",
        "Some **bold** and *italic* [link](https://x.org/a), `code`, ==marked==.\n",
        "1. one\n   - inner\n2. two\n\n- [x] done\n",
        "```ts\nlet x;\n```\n",
        "| H   |      I |\n| --- | -----: |\n| a b | c \\| d |",
      ].join("\n"),
    );
  });

  it("keeps what Google Docs and Sheets say with styles", () => {
    const docs = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr"><span>Title</span></h1>
      <p><span style="font-weight:700">bold</span><span> </span><span style="font-style:italic">it</span></p><ul><li dir="ltr"><p><span>one</span></p></li><li><p>two</p></li></ul></b>`;
    expect(htmlToMarkdown(docs)).toBe("# Title\n\n**bold** *it*\n\n- one\n\n- two");
    const sheets = `<google-sheets-html-origin><style>td{}</style><table><tbody><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></tbody></table>`;
    expect(htmlToMarkdown(sheets)).toBe("| A | B |\n| - | - |\n| 1 | 2 |");
  });

  it("keeps the lists of Word", () => {
    const item = (level: number, text: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·&nbsp;</span><![endif]>${text}<o:p></o:p></p>\n`;
    const html = `<html xmlns:o="x"><head><style>p{}</style></head><body><!--StartFragment--><h1>Plan</h1>${item(1, "one")}${item(2, "inner")}${item(1, "two")}<p class=MsoNormal>End<o:p></o:p></p><!--EndFragment--></body></html>`;
    expect(htmlToMarkdown(html)).toBe("# Plan\n\n- one\n  - inner\n- two\n\nEnd");
  });

  it("keeps marks, keys and indices in the line that they are part of", () => {
    const html = `<ul><li>Press <kbd>Ctrl</kbd>+<kbd>K</kbd> to <mark>find</mark> it</li></ul><blockquote>H<sub>2</sub>O</blockquote>
      <div>x<sup>2</sup> y</div>`;
    expect(htmlToMarkdown(html)).toBe(
      "- Press <kbd>Ctrl</kbd>+<kbd>K</kbd> to ==find== it\n\n> H<sub>2</sub>O\n\nx<sup>2</sup> y",
    );
  });

  it("leaves spaces and line breaks at the ends of emphasis outside of it", () => {
    const html = `<p><b>Note: </b>see<i> this</i>.</p><p><strong>one<br></strong><em>two</em><b> <br></b></p>
      <p><mark><mark>twice </mark></mark>once <a href="https://x.org"> link </a>.</p><pre><code><b>a </b>b</code></pre>`;
    expect(htmlToMarkdown(html)).toBe(
      "**Note:** see *this*.\n\n**one**\\\n*two*\n\n==twice== once [link](https://x.org) .\n\n```\na b\n```",
    );
  });

  it("leaves out what runs or loads, and images that are in the HTML itself", () => {
    const html = `<script>alert(1)</script><a href="javascript:alert(1)">a</a> <img src="data:image/png;base64,AAAA" alt="pixel"> <iframe src="https://x.org"></iframe><p onclick="alert(1)">b</p>`;
    expect(htmlToMarkdown(html)).toBe("a pixel\n\nb");
  });

  it("escapes what would be Markdown", () => {
    expect(htmlToMarkdown("<p>* a_b_c [x](y) 1.</p><p># no</p>")).toBe("\\* a_b_c \\[x]\\(y) 1.\n\n\\# no");
  });
});
