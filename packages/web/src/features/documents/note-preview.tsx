import "./prose.css";
import { useLayoutEffect, useRef, type MouseEvent, type RefObject } from "react";
import type { NoteContext } from "./editor/note-context.ts";
import { readingShare, showReading, type TextPlace } from "./editor/text-place.ts";
import { renderNote } from "./markdown-html.ts";
import { withToggledTask } from "./task-lines.ts";

interface NotePreviewProps {
  readonly text: string;
  readonly context: NoteContext;
  /** Where the text is shown, and where it is left. */
  readonly placeRef: RefObject<TextPlace | null>;
  readonly onOpenLink: (target: string) => void;
  /** Given where tasks may be ticked. */
  readonly onEdit?: ((text: string) => void) | undefined;
}

/** A note as it is read. */
export default function NotePreview({ text, context, placeRef, onOpenLink, onEdit }: NotePreviewProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    ref.current?.replaceChildren(renderNote(text, context));
    if (onEdit === undefined) ref.current?.querySelectorAll("input").forEach((box) => (box.disabled = true));
  }, [text, context, onEdit]);
  useLayoutEffect(() => {
    const shown = ref.current;
    if (shown === null) return undefined;
    if (placeRef.current !== null) showReading(shown, placeRef.current.share);
    return () => {
      placeRef.current = { selection: placeRef.current?.selection ?? null, share: readingShare(shown) };
    };
  }, [placeRef]);

  const onClick = (event: MouseEvent) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const task = target instanceof HTMLInputElement ? target.dataset["task"] : undefined;
    const link = target.closest<HTMLElement>("a[data-link]");
    if (task !== undefined) onEdit?.(withToggledTask(text, Number(task)));
    const address = link?.dataset["link"];
    if (link === null || address === undefined || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    onOpenLink(address);
  };
  return <div ref={ref} role="document" aria-label="Text" className="prose pb-24" onClick={onClick} />;
}
