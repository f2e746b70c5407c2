import { createHash } from "node:crypto";
import type { PublicDocument } from "@workspace/core";
import { isImage } from "./media-type.ts";
import { escapeHtml, renderMarkdown } from "./render-markdown.ts";

const STYLE = `
:root { color-scheme: light dark; --text: #1c1d20; --muted: #63666d; --line: #dfe1e5; --page: #fff; --soft: #f4f5f7; --link: #2456c9 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e7ea; --muted: #9a9ea7; --line: #33363d; --page: #16171a; --soft: #202226; --link: #8ab0ff } }
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
pre { overflow-x: auto; padding: 1rem; border-radius: 8px; background: var(--soft); font-size: .85em; line-height: 1.5 }
pre.plain { white-space: pre-wrap; background: none; padding: 0; font-size: .95em }
code { font-family: ui-monospace, monospace; background: var(--soft); padding: .1em .3em; border-radius: 4px; font-size: .9em }
pre code { padding: 0; background: none; font-size: inherit }
blockquote { margin: 1.5em 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted) }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid var(--line); padding: .4rem .7rem }
th:not([align]) { text-align: left }
li:has(> input, > p > input) { list-style: none }
li input { margin: 0 .4rem 0 -1.5rem; accent-color: var(--link) }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5rem 0 }
`;

/** The page loads its images from here and nothing else from anywhere, and runs nothing. */
export const SHARE_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A shared document as a page. */
export function renderSharePage({ document, content }: PublicDocument): string {
  const { id, title, creatorName, modifiedAt, shareType } = document;
  const article = renderContent(id, document, content);
  const hasOwnTitle = article.startsWith("<h1");
  const heading = hasOwnTitle ? "" : `<h1>${escapeHtml(title)}</h1>\n`;
  const byline = `${escapeHtml(creatorName)} · <time datetime="${modifiedAt}">${modifiedAt.slice(0, 10)}</time>`;
  return toPage({
    title,
    isIndexed: shareType === "public",
    body: `<header>\n${heading}<p>${byline}</p>\n</header>\n<article>\n${article}\n</article>`,
  });
}

/** What is shown where there is nothing to show. */
export function renderShareError(message: string): string {
  const title = "Not available";
  return toPage({
    title,
    isIndexed: false,
    body: `<header>\n<h1>${title}</h1>\n<p>${escapeHtml(message)}</p>\n</header>`,
  });
}

function renderContent(id: string, { fileType, path }: PublicDocument["document"], content: string | null): string {
  if (fileType === "binary" || content === null) return renderFile(id, path);
  const toFileUrl = (target: string) => `/share/${id}/shown?path=${encodeURIComponent(target)}`;
  const html = fileType === "markdown" ? renderMarkdown(content, { toFileUrl }) : null;
  return html ?? `<pre class="plain">${escapeHtml(content)}</pre>`;
}

function renderFile(id: string, path: string): string {
  const name = escapeHtml(path.slice(path.lastIndexOf("/") + 1));
  const image = isImage(path) ? `<p><img src="/share/${id}/file" alt="${name}"></p>\n` : "";
  return `${image}<p><a href="/share/${id}/file?download=true">Download ${name}</a></p>`;
}

function toPage({ title, isIndexed, body }: { title: string; isIndexed: boolean; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${escapeHtml(title)}</title>
${isIndexed ? "" : '<meta name="robots" content="noindex">\n'}<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
