import { EditorView } from "@codemirror/view";

/** The user's place in a text, so that it can be shown in another way without losing it. */
export interface TextPlace {
  /** The proportion of the text above the window. */
  readonly share: number;
  /** The last position of the caret; null if it has not been set yet. */
  readonly selection: { readonly anchor: number; readonly head: number } | null;
}

/** The place in a text that is being read. */
export function readingShare(text: HTMLElement): number {
  const { top } = text.getBoundingClientRect();
  return (scrollerOf(text).getBoundingClientRect().top - top) / heightOf(text);
}

/** Scrolls a text that is being read to the place where it was left. */
export function showReading(text: HTMLElement, share: number): void {
  const scroller = scrollerOf(text);
  const offset = text.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop = share <= 0 ? 0 : scroller.scrollTop + offset + share * heightOf(text);
}

export function writingPlace(view: EditorView): TextPlace {
  const above = scrollerOf(view.dom).getBoundingClientRect().top - view.documentTop;
  const { anchor, head } = view.state.selection.main;
  return { share: above / textHeight(view), selection: anchor === 0 && head === 0 ? null : { anchor, head } };
}

/** The caret, if it is visible and the editor has the focus; otherwise the first visible position. */
export function visiblePlace(view: EditorView): number {
  const { top, bottom } = scrollerOf(view.dom).getBoundingClientRect();
  const { head } = view.state.selection.main;
  const block = view.lineBlockAt(head);
  const caretTop = view.documentTop + block.top;
  if (view.hasFocus && caretTop >= top - block.height && caretTop <= bottom) return head;
  return view.lineBlockAtHeight(Math.max(top - view.documentTop, 0)).from;
}

/** Scrolls a text that is being edited to the place where it was left, with the caret as it was or else in the first visible line. */
export function showWriting(view: EditorView, { share, selection }: TextPlace): void {
  const top = share <= 0 ? 0 : positionAt(view, share * textHeight(view));
  const { length } = view.state.doc;
  const anchor = Math.min(selection?.anchor ?? top, length);
  const head = Math.min(selection?.head ?? top, length);
  const effects = share <= 0 ? [] : [EditorView.scrollIntoView(top, { y: "start", yMargin: 0 })];
  view.dispatch({ selection: { anchor, head }, effects });
  if (share <= 0) scrollerOf(view.dom).scrollTop = 0;
}

/** The position in the text at a height, accurate to the row of a wrapped line. */
function positionAt(view: EditorView, height: number): number {
  const { from, top, length, height: blockHeight } = view.lineBlockAtHeight(height);
  const within = Math.min(Math.max((height - top) / blockHeight, 0), 1);
  return from + Math.round(within * length);
}

function textHeight(view: EditorView): number {
  // A lookup by height makes the editor measure text that was just inserted; one by position does not.
  view.lineBlockAtHeight(0);
  return view.lineBlockAt(view.state.doc.length).bottom;
}

/** The height without the space left free below the text. */
function heightOf(text: HTMLElement): number {
  const { paddingBottom } = getComputedStyle(text);
  return Math.max(text.offsetHeight - Number.parseFloat(paddingBottom), 1);
}

function scrollerOf(element: HTMLElement): HTMLElement {
  return element.closest<HTMLElement>("[data-text-scroll]") ?? document.documentElement;
}
