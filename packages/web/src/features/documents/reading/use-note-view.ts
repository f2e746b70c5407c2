import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { RenderContext } from "./note-fragment.ts";
import { createNoteView, type NoteView, type Shown } from "./note-view.ts";

/**
 * Renders a text into an element. Returns how it is shown, or null until all of it has been rendered for the first time;
 * `onFirstShown` is called at that moment.
 */
export function useNoteView(
  ref: RefObject<HTMLElement | null>,
  text: string,
  { path, links, isEditable, hasTags }: RenderContext,
  onFirstShown?: () => void,
): Shown | null {
  const viewRef = useRef<NoteView>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const note = useEffectEvent((next: Shown) => {
    if (shown === null) onFirstShown?.();
    setShown(next);
  });
  useLayoutEffect(() => {
    if (ref.current === null) return undefined;
    const view = createNoteView(ref.current, { onShown: (next) => note(next) });
    viewRef.current = view;
    return () => view.close();
  }, [ref]);
  useLayoutEffect(() => {
    viewRef.current?.show(text, { path, links, isEditable, hasTags });
  }, [text, path, links, isEditable, hasTags]);
  return shown;
}
