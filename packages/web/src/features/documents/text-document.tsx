import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Skeleton } from "../../components/states.tsx";
import { attachFiles } from "./attachments.ts";
import type { DocumentSession } from "./document-session.ts";
import { useShowDocument } from "./documents-address.ts";
import { kindOf, type Document } from "./document.ts";
import type { Editor } from "./editor/create-editor.ts";
import { isElsewhere, type NoteContext } from "./editor/note-context.ts";
import type { TextPlace } from "./editor/text-place.ts";
import { InlineTitle } from "./inline-title.tsx";
import { loadEditor } from "./load-editor.ts";
import { useSessionState } from "./use-session.ts";
import { createNote } from "./vault-actions.ts";
import { nameOf, parentOf } from "./vault-path.ts";
import type { Vault } from "./vault-store.ts";
import { pathForNewNote, resolveLink } from "./wiki-links.ts";

const TextEditor = lazy(loadEditor);
const NotePreview = lazy(() => import("./note-preview.tsx"));
const MergeView = lazy(() => import("./merge-view.tsx"));

interface TextDocumentProps {
  readonly document: Document;
  readonly session: DocumentSession;
  readonly vault: Vault;
  readonly isReading: boolean;
  readonly isFresh: boolean;
  readonly onToggleReading: () => void;
}

/** A note or another text: written, read, or merged with what somebody else has made of it. */
export function TextDocument({ document, session, vault, isReading, isFresh, onToggleReading }: TextDocumentProps) {
  const { text, saving } = useSessionState(session);
  const editorRef = useRef<Editor>(null);
  const placeRef = useRef<TextPlace>(null);
  const [isTextNext, setIsTextNext] = useState(!isFresh && text === "");
  const isPhone = useMediaQuery(PHONE);
  const { path, deletedAt } = document;
  const { links, documents } = vault;
  const context = useMemo((): NoteContext => ({ path, links, documents }), [path, links, documents]);
  const openLink = useLinkOpener(context);
  const isMarkdown = kindOf(document) === "markdown";

  if (saving.kind === "conflict") {
    return (
      <Suspense fallback={<TextSkeleton />}>
        <MergeView
          // Another draft of the same text may meet the same file.
          key={`${saving.theirs.hash} ${text}`}
          base={saving.base}
          ours={text}
          theirs={saving.theirs.text}
          onResolve={(merged) => void session.resolve(merged)}
        />
      </Suspense>
    );
  }
  const insertFiles = async (files: readonly File[]) => {
    const markdown = await attachFiles(files, path, new Date());
    if (markdown !== "") editorRef.current?.insert(markdown);
  };
  const edit = deletedAt === null ? (next: string) => session.edit(next) : undefined;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain" data-text-scroll>
      <div
        className={`mx-auto flex min-h-full w-full flex-col px-8 pt-8 max-md:px-4 max-md:pt-4 ${isMarkdown ? "max-w-168" : ""}`}
      >
        {isMarkdown && (
          <InlineTitle
            document={document}
            text={text}
            isFresh={isFresh}
            onDone={() => {
              setIsTextNext(true);
              editorRef.current?.view.focus();
            }}
          />
        )}
        <Suspense fallback={<TextSkeleton />}>
          {isReading ? (
            <NotePreview text={text} context={context} placeRef={placeRef} onOpenLink={openLink} onEdit={edit} />
          ) : (
            <TextEditor
              text={text}
              label={`Text of ${nameOf(path)}`}
              isMarkdown={isMarkdown}
              isReadOnly={edit === undefined}
              isFocusedAtStart={!isPhone && isTextNext}
              isFocusedOnReturn={!isPhone}
              context={context}
              editorRef={editorRef}
              placeRef={placeRef}
              onEdit={(next) => edit?.(next)}
              onLeave={() => void session.flush()}
              onOpenLink={openLink}
              onFiles={(files) => void insertFiles(files)}
              save={() => void session.flush()}
              toggleReading={onToggleReading}
            />
          )}
        </Suspense>
      </div>
    </div>
  );
}

/** Follows a link: out of the vault in another tab, to a note that is there, or to one that is made by following it. */
function useLinkOpener({ path, links }: NoteContext): (target: string) => void {
  const open = useShowDocument();
  return (target) => {
    if (isElsewhere(target)) {
      if (/^(https?|mailto):/i.test(target)) window.open(target, "_blank", "noopener");
      return;
    }
    const found = resolveLink(target, path, links);
    if (found !== null) {
      open(found.id);
      return;
    }
    const newPath = pathForNewNote(target, path);
    if (newPath === null) return;
    void createNote(parentOf(newPath), nameOf(newPath)).then((note) => {
      if (note !== null) open(note.id);
    });
  };
}

function TextSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 pt-2">
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-5/6" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
