import { createHash } from "node:crypto";
import type { RenderRequest, RenderThread } from "./render-thread.ts";

const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;
/** Longer texts are shown as plain text; of shorter ones, as much as time allows is rendered. */
const MAX_RENDERED_CHARACTERS = 2 * 1024 * 1024;

/** The HTML of a page's article; null if the text is to be shown as plain text. */
export type Article = string | null;

export interface PageRenderer {
  /** The article of a text that is cached or needs no rendering; undefined if it must be rendered. */
  known(request: RenderRequest): Article | undefined;
  /** Renders a text once, however many requests need it concurrently or later. Never rejects. */
  render(request: RenderRequest): Promise<Article>;
}

/** Caches articles by the content of their texts, including failures: a text that is too hard to render will remain so. */
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
      // The most recently used entry is evicted last.
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

/** An entry takes some memory even without an article. */
const ENTRY_CHARACTERS = 200;

function sizeOf(article: Article): number {
  return ENTRY_CHARACTERS + (article?.length ?? 0);
}

function keyOf({ text, fileUrl }: RenderRequest): string {
  return createHash("sha256").update(fileUrl).update("\0").update(text).digest("base64");
}
