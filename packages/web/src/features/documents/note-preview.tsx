import "./prose.css";
import { withToggledTask } from "@workspace/markdown";
import { useLayoutEffect, useRef, type MouseEvent, type RefObject } from "react";
import { useClient } from "../../client/use-client.ts";
import type { NoteContext } from "./editor/note-context.ts";
import { readingShare, showReading, type TextPlace } from "./editor/text-place.ts";
import QueryBlocks from "./queries/query-blocks.tsx";
import { SourceNotice } from "./reading/source-notice.tsx";
import { useNoteView } from "./reading/use-note-view.ts";
import { tagRequests } from "./properties/tag-requests.ts";

interface NotePreviewProps {
  readonly text: string;
  readonly context: NoteContext;
  /** The reading position, shared with the editor. */
  readonly positionRef: RefObject<TextPlace | null>;
  readonly onOpenLink: (target: string) => void;
  /** Set if tasks may be ticked. */
  readonly onEdit?: ((text: string, from: string) => void) | undefined;
}

/** A rendered note. */
export default function NotePreview({ text, context, positionRef, onOpenLink, onEdit }: NotePreviewProps) {
  const client = useClient();
  const ref = useRef<HTMLDivElement>(null);
  const isCompleteRef = useRef(false);
  const { path, links } = context;
  const restorePosition = () => {
    isCompleteRef.current = true;
    if (ref.current === null) return;
    ref.current.style.visibility = "";
    if (positionRef.current !== null) showReading(ref.current, positionRef.current.share);
  };
  const shown = useNoteView(
    ref,
    text,
    { path, links, isEditable: onEdit !== undefined, hasTags: true },
    restorePosition,
  );
  useLayoutEffect(() => {
    const reader = ref.current;
    if (reader === null) return undefined;
    // Until the whole text has been rendered, the view would show its beginning instead of the reading position.
    const hasPosition = positionRef.current !== null && positionRef.current.share > 0;
    if (!isCompleteRef.current && hasPosition) reader.style.visibility = "hidden";
    return () => {
      // What has not been rendered yet has not been read.
      if (!isCompleteRef.current) return;
      positionRef.current = { selection: positionRef.current?.selection ?? null, share: readingShare(reader) };
    };
  }, [positionRef]);

  const onClick = (event: MouseEvent) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const tag = target.closest<HTMLElement>("button[data-tag]")?.dataset["tag"];
    if (tag !== undefined) tagRequests(client).emit(tag);
    const task = target instanceof HTMLInputElement ? target.dataset["task"] : undefined;
    const link = target.closest<HTMLElement>("a[data-link]");
    if (task !== undefined) onEdit?.(withToggledTask(text, Number(task)), text);
    const address = link?.dataset["link"];
    if (link === null || address === undefined || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    onOpenLink(address);
  };
  return (
    <>
      <SourceNotice shown={shown} />
      <div ref={ref} role="document" aria-label="Text" className="prose pb-24" onClick={onClick} />
      <QueryBlocks containerRef={ref} />
    </>
  );
}
