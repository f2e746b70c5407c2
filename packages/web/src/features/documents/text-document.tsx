import "./prose.css";
import { Suspense, useMemo, useRef, useState, type ComponentProps } from "react";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Skeleton } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { attachFiles } from "./attachments.ts";
import type { DocumentSession } from "./session/document-session.ts";
import { isBasePath, kindOf, type Document } from "./document.ts";
import type { Editor } from "./editor/create-editor.ts";
import type { NoteContext } from "./editor/note-context.ts";
import type { TextPlace } from "./editor/text-place.ts";
import { InlineTitle } from "./inline-title.tsx";
import type { LazyText } from "./session/lazy-text.ts";
import { loadEditor } from "./load-editor.ts";
import { tagRequests } from "./properties/tag-requests.ts";
import { useLinkOpener } from "./links/use-link-opener.ts";
import { useSessionState } from "./session/use-session.ts";
import { useNavigator } from "./outline/use-navigator.ts";
import type { NoteNavigator } from "./outline/note-navigator.ts";
import { useNoteCommands } from "./use-note-commands.ts";
import { nameOf } from "./vault/vault-path.ts";
import type { Vault } from "./vault/vault-store.ts";

/** Enough to determine whether a note starts with a heading. */
const BEGINNING_CHARACTERS = 1_000;
/** More than a screen shows, but few enough to be laid out in a frame. */
const FIRST_CHARACTERS = 10_000;

const TextEditor = lazyPart(loadEditor);
const NotePreview = lazyPart(() => import("./note-preview.tsx"));
const BaseViews = lazyPart(() => import("./queries/base-views.tsx"));
const MergeView = lazyPart(() => import("./merge/merge-view.tsx"));

interface TextDocumentProps {
  readonly document: Document;
  readonly session: DocumentSession;
  readonly vault: Vault;
  readonly isReading: boolean;
  readonly isFresh: boolean;
  /** Whether the text takes the focus if there is none yet; not if it is opened beside another one. */
  readonly takesFocus?: boolean;
  readonly navigator: NoteNavigator;
  readonly onToggleReading: () => void;
  /** Receives the editor as soon as it can be written in. */
  readonly onEditor?: ((editor: Editor) => void) | undefined;
}

/** A note or other text: edited, read, or merged after a conflict. */
export function TextDocument(props: TextDocumentProps) {
  const { document, session, vault, isReading, isFresh } = props;
  const { takesFocus = true, navigator, onToggleReading, onEditor } = props;
  const client = useClient();
  const { text, saving } = useSessionState(session);
  const editorRef = useRef<Editor>(null);
  const placeRef = useRef<TextPlace>(null);
  const scrollerRef = useRef<HTMLDivElement>(null);
  const [isTextNext, setIsTextNext] = useState(!isFresh && text.length === 0);
  const isPhone = useMediaQuery(PHONE);
  const { path, deletedAt } = document;
  const { links, documents } = vault;
  const context = useMemo((): NoteContext => ({ path, links, documents }), [path, links, documents]);
  const openLink = useLinkOpener(context);
  const isMarkdown = kindOf(document) === "markdown";
  useNavigator(navigator, { scrollerRef, editorRef, isReading });
  const commands = useNoteCommands(document, vault);

  if (saving.kind === "conflict") {
    return (
      <Suspense fallback={<TextSkeleton />}>
        <MergeView
          // Another draft of the same document may conflict with the same version of the file.
          key={`${saving.theirs.hash} ${text.toString()}`}
          base={saving.base}
          ours={text.toString()}
          theirs={saving.theirs.text}
          onStart={() => session.startMerging()}
          onResolve={(merged) => void session.resolve(merged)}
        />
      </Suspense>
    );
  }
  const insertFiles = async (files: readonly File[]) => {
    const markdown = await attachFiles(client, files, path, new Date());
    if (markdown !== "") editorRef.current?.insert(markdown);
  };
  const edit = (next: LazyText, from: LazyText) => session.edit(next, from);
  return (
    <div ref={scrollerRef} className="min-h-0 flex-1 overflow-y-auto overscroll-contain" data-text-scroll>
      <div
        className={`mx-auto flex min-h-full w-full flex-col px-8 pt-8 max-md:px-4 max-md:pt-4 ${isMarkdown ? "max-w-168" : ""}`}
      >
        {isMarkdown && (
          <InlineTitle
            document={document}
            beginning={text.slice(0, BEGINNING_CHARACTERS)}
            isFresh={isFresh}
            onDone={() => {
              setIsTextNext(true);
              editorRef.current?.view.focus();
            }}
          />
        )}
        <Suspense fallback={<PlainText text={text} isMarkdown={isMarkdown} />}>
          {isReading ? (
            <ReadText
              path={path}
              text={text.toString()}
              context={context}
              positionRef={placeRef}
              onOpenLink={openLink}
              onEdit={deletedAt === null ? edit : undefined}
            />
          ) : (
            <TextEditor
              text={text}
              label={`Text of ${nameOf(path)}`}
              isMarkdown={isMarkdown}
              // At its start only: what is written while the note is deleted elsewhere is kept.
              isReadOnly={deletedAt !== null}
              isFocusedAtStart={!isPhone && isTextNext && takesFocus}
              isFocusedOnReturn={!isPhone}
              context={context}
              commands={commands}
              connection={client.connection}
              editorRef={editorRef}
              placeRef={placeRef}
              onEdit={edit}
              onLeave={() => void session.flush()}
              onOpenLink={openLink}
              onOpenTag={(tag) => tagRequests(client).emit(tag)}
              onReady={onEditor}
              onFiles={(files) => void insertFiles(files)}
              save={() => void session.saveNow()}
              toggleReading={onToggleReading}
            />
          )}
        </Suspense>
      </div>
    </div>
  );
}

/** The text to read: that of a note, or the views of a base. */
function ReadText({ path, ...note }: ComponentProps<typeof NotePreview> & { readonly path: string }) {
  return isBasePath(path) ? <BaseViews text={note.text} /> : <NotePreview {...note} />;
}

/** The text as it is stored, while the code that edits or renders it loads. */
function PlainText({ text, isMarkdown }: { text: LazyText; isMarkdown: boolean }) {
  return (
    <div
      aria-busy
      className={`[overflow-wrap:anywhere] whitespace-pre-wrap ${isMarkdown ? "cm-note text-(length:--prose-size) leading-(--prose-line)" : "font-mono text-13"}`}
    >
      {text.slice(0, FIRST_CHARACTERS)}
    </div>
  );
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
