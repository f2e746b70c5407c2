import { headingAt, type Heading } from "./headings.ts";

/** A text that is shown, of which the outline can find the place. */
export interface ShownText {
  /** Shows the heading with this index. */
  show(heading: Heading, index: number): void;
  /** The index of the heading that the reader or the caret is below; -1 for none. */
  current(headings: readonly Heading[]): number;
}

/** Connects the outline of a note with its text, however that is shown. */
export class NoteNavigator {
  #shown: ShownText | null = null;
  readonly #listeners = new Set<() => void>();

  /** Called when a text is shown; returns a function for when it no longer is. */
  attach(shown: ShownText): () => void {
    this.#shown = shown;
    this.moved();
    return () => {
      if (this.#shown === shown) this.#shown = null;
    };
  }

  /** To be called when the text was scrolled, or the caret has moved. */
  moved(): void {
    for (const listener of this.#listeners) listener();
  }

  onMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  show(heading: Heading, index: number): void {
    this.#shown?.show(heading, index);
  }

  current(headings: readonly Heading[]): number {
    return this.#shown?.current(headings) ?? -1;
  }
}

const TOP_MARGIN_PX = 48;

/** A text that is being read: its headings are found by their number. */
export function renderedText(scroller: HTMLElement): ShownText {
  const elements = () =>
    [...scroller.querySelectorAll<HTMLElement>(".prose :is(h1, h2, h3, h4, h5, h6)")].filter(isShown);
  return {
    show: (_heading, index) => elements()[index]?.scrollIntoView({ block: "start" }),
    current() {
      const limit = scroller.getBoundingClientRect().top + TOP_MARGIN_PX;
      return elements().findLastIndex((element) => element.getBoundingClientRect().top <= limit);
    },
  };
}

/** Headings without any text are not in the outline. */
function isShown({ textContent }: HTMLElement): boolean {
  return textContent.trim() !== "";
}

/** What the outline needs of the editor. */
export interface EditedText {
  /** The caret, if the editor has the focus and the caret is visible; otherwise the first visible position. */
  place(): number;
  show(offset: number): void;
}

/** A text that is being edited. */
export function editedText(edited: EditedText): ShownText {
  return {
    show: ({ offset }) => edited.show(offset),
    current: (headings) => headingAt(headings, edited.place()),
  };
}
