import { useEffect, type RefObject } from "react";
import type { Editor } from "../editor/create-editor.ts";
import { editedText, renderedText, type NoteNavigator } from "./note-navigator.ts";

interface NavigatedText {
  readonly scrollerRef: RefObject<HTMLElement | null>;
  readonly editorRef: RefObject<Editor | null>;
  readonly isReading: boolean;
}

/** Lets an outline follow a text and show its headings. */
export function useNavigator(navigator: NoteNavigator, { scrollerRef, editorRef, isReading }: NavigatedText): void {
  useEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return undefined;
    const detach = navigator.attach(
      isReading
        ? renderedText(scroller)
        : editedText({
            place: () => editorRef.current?.place() ?? 0,
            show: (offset) => editorRef.current?.show(offset),
          }),
    );
    const controller = new AbortController();
    const { signal } = controller;
    const onMoved = () => navigator.moved();
    scroller.addEventListener("scroll", onMoved, { signal, passive: true });
    document.addEventListener("selectionchange", onMoved, { signal });
    return () => {
      controller.abort();
      detach();
    };
  }, [navigator, scrollerRef, editorRef, isReading]);
}
