import type { Piece } from "@workspace/markdown";
import type { FigureView } from "./figure-view.ts";
import { toFragment, type RenderContext } from "./note-fragment.ts";

/** What a part of the page was created from. */
interface PartSource {
  readonly piece: Piece;
  readonly context: RenderContext;
}

/** The parts of a page, one for each piece of a text, in order. Parts whose piece has not changed are kept. */
export function createNoteParts(container: HTMLElement, figures: FigureView) {
  const sources = new WeakMap<Element, PartSource>();

  return {
    /** Returns the part of the page if it is new, otherwise null. */
    put(index: number, piece: Piece, context: RenderContext): HTMLElement | null {
      const existing = container.children[index];
      const before = existing === undefined ? undefined : sources.get(existing);
      if (before !== undefined && isUnchanged(before, { piece, context })) return null;
      const part = document.createElement("div");
      part.className = existing?.className ?? "part";
      const style = existing?.getAttribute("style");
      if (style != null) part.setAttribute("style", style);
      part.append(toFragment(piece, context));
      figures.prefill(part);
      if (existing?.isEqualNode(part) === true) {
        sources.set(existing, { piece, context });
        return null;
      }
      sources.set(part, { piece, context });
      if (existing === undefined) container.append(part);
      else existing.replaceWith(part);
      figures.show(part);
      return part;
    },

    /** Removes all parts but the first `count`. */
    truncate(count: number): void {
      while (container.children.length > count) container.lastElementChild?.remove();
    },
  };
}

/** A piece without a link or an image does not depend on its context in the vault. */
function isUnchanged(one: PartSource, other: PartSource): boolean {
  const isSamePiece = one.piece.html === other.piece.html && one.piece.continued === other.piece.continued;
  if (!isSamePiece || one.context.isEditable !== other.context.isEditable) return false;
  return one.context === other.context || !/<(?:a|img)\b/i.test(one.piece.html);
}
