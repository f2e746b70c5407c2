import { createHash } from "node:crypto";
import type { PublicDocument } from "@workspace/core";
import { escapeHtml } from "../http/escape-html.ts";
import { isImage } from "./media-type.ts";
import type { Article } from "./page-renderer.ts";
import type { RenderRequest } from "./render-thread.ts";

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
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border-radius: 8px; background: var(--soft); font-size: .85em; line-height: 1.5 }
pre.plain { background: none; padding: 0; font-size: .95em }
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

/** The page only loads images from this server, and runs no scripts. */
export const SHARE_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page in three parts, because the text of a document that is shown as plain text can be long. */
export interface Page {
  readonly opening: string;
  /** Not escaped yet; null if there is none. */
  readonly text: string | null;
  readonly closing: string;
}

/** The request to render a shared document for its page; null if it need not be rendered. */
export function toRenderRequest({ document, content }: PublicDocument): RenderRequest | null {
  if (document.fileType !== "markdown" || content === null) return null;
  return { text: content, fileUrl: `/share/${document.id}/shown?path=` };
}

/** A shared document as a page, with its rendered text if it has one. */
export function toSharePage({ document, content }: PublicDocument, rendered: Article): Page {
  const { id, title, path, creatorName, modifiedAt, shareType } = document;
  const isFile = document.fileType === "binary" || content === null;
  const article = rendered ?? (isFile ? renderFile(id, path) : null);
  const heading = article?.startsWith("<h1") === true ? "" : `<h1>${escapeHtml(title)}</h1>\n`;
  const byline = `${escapeHtml(creatorName)} · <time datetime="${modifiedAt}">${modifiedAt.slice(0, 10)}</time>`;
  const { opening, closing } = toFrame(title, shareType === "public");
  const header = `${opening}<header>\n${heading}<p>${byline}</p>\n</header>\n<article>\n`;
  if (article !== null) return { opening: header + article, text: null, closing: `\n</article>${closing}` };
  return { opening: `${header}<pre class="plain">`, text: content, closing: `</pre>\n</article>${closing}` };
}

/** The page for an error. */
export function renderShareError(message: string): string {
  const title = "Not available";
  const { opening, closing } = toFrame(title, false);
  return `${opening}<header>\n<h1>${title}</h1>\n<p>${escapeHtml(message)}</p>\n</header>${closing}`;
}

function renderFile(id: string, path: string): string {
  const name = escapeHtml(path.slice(path.lastIndexOf("/") + 1));
  const image = isImage(path) ? `<p><img src="/share/${id}/file" alt="${name}"></p>\n` : "";
  return `${image}<p><a href="/share/${id}/file?download=true">Download ${name}</a></p>`;
}

/** The HTML before and after the content of every page. */
function toFrame(title: string, isIndexed: boolean): { opening: string; closing: string } {
  const opening = `<!doctype html>
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
`;
  return { opening, closing: "\n</main>\n</body>\n</html>\n" };
}
