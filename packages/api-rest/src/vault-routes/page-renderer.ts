import { createHash } from "node:crypto";
import type { RenderRequest, RenderThread } from "./render-thread.ts";

const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;
/** Longer texts are shown as they are. */
const MAX_RENDERED_CHARACTERS = 512 * 1024;

/** The article of a page; null where the text is to be shown as it is. */
export type Article = string | null;

export interface PageRenderer {
  /** What a text has become already, or becomes without rendering; undefined where it must be rendered. */
  known(request: RenderRequest): Article | undefined;
  /** Renders a text once, however many ask for it at the same time and afterwards. Never rejects. */
  render(request: RenderRequest): Promise<Article>;
}

/** Keeps what has been rendered by its content, the failures too: a text that is too hard to render stays it. */
export function createPageRenderer(
  thread: Pick<RenderThread, "render">,
  maxCharacters = MAX_CACHED_CHARACTERS,
): PageRenderer {
  const kept = new Map<string, Article>();
  const rendering = new Map<string, Promise<Article>>();
  let characters = 0;

  function keep(key: string, article: Article): void {
    kept.set(key, article);
    characters += sizeOf(article);
    for (const [oldest, old] of kept) {
      if (characters <= maxCharacters) return;
      kept.delete(oldest);
      characters -= sizeOf(old);
    }
  }

  async function renderNow(key: string, request: RenderRequest): Promise<Article> {
    const result = await thread.render(request);
    if (result === "too busy") return null;
    const article = result === "too hard" ? null : result.html;
    keep(key, article);
    return article;
  }

  return {
    known(request) {
      if (request.text.length > MAX_RENDERED_CHARACTERS) return null;
      const key = keyOf(request);
      const article = kept.get(key);
      if (article === undefined) return undefined;
      // What was asked for last goes last.
      kept.delete(key);
      kept.set(key, article);
      return article;
    },

    async render(request) {
      const key = keyOf(request);
      const running = rendering.get(key) ?? renderNow(key, request).finally(() => rendering.delete(key));
      rendering.set(key, running);
      return running;
    },
  };
}

/** An entry without an article takes some memory, too. */
const ENTRY_CHARACTERS = 200;

function sizeOf(article: Article): number {
  return ENTRY_CHARACTERS + (article?.length ?? 0);
}

function keyOf({ text, fileUrl }: RenderRequest): string {
  return createHash("sha256").update(fileUrl).update("\0").update(text).digest("base64");
}
