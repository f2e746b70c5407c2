import type { Figure } from "@workspace/markdown";
import type { RenderedFigure } from "@workspace/markdown/figures";

const MAX_CHARACTERS = 1_000_000;
/** What an entry takes besides its texts. */
const ENTRY_CHARACTERS = 200;

/** The figures that were rendered last, so that they need not be when a text changes around them. */
export interface FigureCache {
  /** Undefined if the figure has not been rendered. */
  get(figure: Figure): RenderedFigure | undefined;
  set(figure: Figure, rendered: RenderedFigure): void;
  /** Code in colours as far as its beginning has been rendered, for code that is still growing. */
  beginningOf(figure: Figure): RenderedFigure;
}

export function createFigureCache(): FigureCache {
  const kept = new Map<string, RenderedFigure>();
  const latest = new Map<string, { readonly source: string; readonly rendered: RenderedFigure }>();
  let characters = 0;

  return {
    get: (figure) => kept.get(keyOf(figure)),

    set(figure, rendered) {
      const key = keyOf(figure);
      if (!kept.has(key)) characters += sizeOf(figure);
      kept.set(key, rendered);
      if (figure.kind === "code") latest.set(figure.language ?? "", { source: figure.source, rendered });
      for (const oldest of kept.keys()) {
        if (characters <= MAX_CHARACTERS) return;
        kept.delete(oldest);
        characters -= oldest.length + ENTRY_CHARACTERS;
      }
    },

    beginningOf({ kind, source, language = "" }) {
      const beginning = kind === "code" ? latest.get(language) : undefined;
      if (beginning?.rendered == null || !("parts" in beginning.rendered)) return null;
      if (beginning.source === "" || !source.startsWith(beginning.source)) return null;
      return { parts: [...beginning.rendered.parts, [source.slice(beginning.source.length), ""]] };
    },
  };
}

function sizeOf(figure: Figure): number {
  return keyOf(figure).length + ENTRY_CHARACTERS;
}

function keyOf({ kind, source, language = "" }: Figure): string {
  return `${kind}\n${language}\n${source}`;
}
