import { createHash } from "node:crypto";
import type { PublicDocument } from "@workspace/core";
import { escapeHtml } from "../http/escape-html.ts";
import { isImage } from "./media-type.ts";
import type { Article } from "./page-renderer.ts";
import type { RenderRequest } from "./render-thread.ts";
import { styleBelow } from "./share-page-style.ts";

/** The page only loads images and a font from this server, and frames that draw diagrams. It runs no scripts. */
function policyOf(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "img-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** A page in three parts, because the text of a document that is shown as plain text can be long. */
export interface Page {
  readonly opening: string;
  /** Not escaped yet; null if there is none. */
  readonly text: string | null;
  readonly closing: string;
}

export type SharePages = ReturnType<typeof createSharePages>;

/** The pages of shared documents of a server below a base path. */
export function createSharePages(basePath: string) {
  const style = styleBelow(basePath);

  /** The HTML before and after the content of every page. */
  function toFrame(title: string, isIndexed: boolean): { opening: string; closing: string } {
    const opening = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${basePath}/favicon.svg" type="image/svg+xml">
<title>${escapeHtml(title)}</title>
${isIndexed ? "" : '<meta name="robots" content="noindex">\n'}<style>${style}</style>
</head>
<body>
<main>
`;
    return { opening, closing: "\n</main>\n</body>\n</html>\n" };
  }

  function renderFile(id: string, path: string): string {
    const url = `${basePath}/share/${id}/file`;
    const name = escapeHtml(path.slice(path.lastIndexOf("/") + 1));
    const image = isImage(path) ? `<p><img src="${url}" alt="${name}"></p>\n` : "";
    return `${image}<p><a href="${url}?download=true">Download ${name}</a></p>`;
  }

  return {
    /** The content security policy of all of them. */
    policy: policyOf(style),

    /** The request to render a shared document for its page; null if it need not be rendered. */
    toRenderRequest({ document, content }: PublicDocument): RenderRequest | null {
      if (document.fileType !== "markdown" || content === null) return null;
      return { text: content, fileUrl: `/share/${document.id}/shown?path=`, basePath };
    },

    /** A shared document as a page, with its rendered text if it has one. */
    toPage({ document, content }: PublicDocument, rendered: Article): Page {
      const { id, title, path, creatorName, modifiedAt, shareType } = document;
      const isFile = document.fileType === "binary" || content === null;
      const article = rendered ?? (isFile ? renderFile(id, path) : null);
      const heading = article?.startsWith("<h1") === true ? "" : `<h1>${escapeHtml(title)}</h1>\n`;
      const byline = `${escapeHtml(creatorName)} · <time datetime="${modifiedAt}">${modifiedAt.slice(0, 10)}</time>`;
      const { opening, closing } = toFrame(title, shareType === "public");
      const header = `${opening}<header>\n${heading}<p>${byline}</p>\n</header>\n<article>\n`;
      if (article !== null) return { opening: header + article, text: null, closing: `\n</article>${closing}` };
      return { opening: `${header}<pre class="plain">`, text: content, closing: `</pre>\n</article>${closing}` };
    },

    /** The page for an error. */
    renderError(message: string): string {
      const title = "Not available";
      const { opening, closing } = toFrame(title, false);
      return `${opening}<header>\n<h1>${title}</h1>\n<p>${escapeHtml(message)}</p>\n</header>${closing}`;
    },
  };
}
