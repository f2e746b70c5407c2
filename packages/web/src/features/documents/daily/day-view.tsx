import { useRef, useState, type ComponentProps } from "react";
import { toRequestError } from "../../../api/request-error.ts";
import { useRow } from "../../../api/use-collection.ts";
import { PHONE, useMediaQuery } from "../../../browser/use-media-query.ts";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { GrowingTextarea } from "../../../components/field.tsx";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import { dayOf, type Day } from "../../../dates/day.ts";
import { drafts } from "../../../drafts/draft.ts";
import { documentCollection } from "../document-collection.ts";
import { DocumentView } from "../document-view.tsx";
import { shownName } from "../document.ts";
import type { Editor } from "../editor/create-editor.ts";
import { loadEditor } from "../load-editor.ts";
import type { Vault } from "../vault/vault-store.ts";
import { createDailyNote, useDailyNote, type CreatedDailyNote, type DailyNote } from "./daily-note.ts";
import { DayNav } from "./day-nav.tsx";

interface DayViewProps {
  readonly date: string;
  readonly vault: Vault;
  readonly pane: ComponentProps<typeof DocumentView>["pane"];
  readonly onShow: (day: Day) => void;
  readonly onClose: () => void;
}

/** The note of a day. If there is none, it is created as soon as something is written. */
export default function DayView({ date, vault, pane, onShow, onClose }: DayViewProps) {
  const { data, error, refetch } = useDailyNote(date);
  const note = data?.date === date ? data : undefined;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <DayNav day={dayOf(date)} onShow={onShow} onClose={typeof note?.id === "string" ? null : onClose} />
      {note === undefined && error !== null && (
        <ErrorState title="The note could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {note === undefined && error === null && <DaySkeleton />}
      {note !== undefined && <DayNote key={date} note={note} vault={vault} pane={pane} onClose={onClose} />}
    </div>
  );
}

function DayNote({ note, vault, pane, onClose }: Omit<DayViewProps, "date" | "onShow"> & { note: DailyNote }) {
  const client = useClient();
  const { date, id } = note;
  const [typed, setTyped] = useTyped(date);
  const [created, setCreated] = useState<CreatedDailyNote | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  /** Also once it is done: a key may be pressed before that is rendered, and the place of the caret is only known the first time. */
  const isCreating = useRef(false);
  const isComposing = useRef(false);
  // A note that was created without the server may have become a part of another one.
  const isThere = useRow(documentCollection(client), created?.id ?? "") !== undefined;
  const createdId = isThere ? created?.id : undefined;
  // The page may hear of the note before what was typed can go into it, which happens when the editor opens.
  const shownId = createdId ?? (typed === "" ? id : null);

  const create = async () => {
    if (isCreating.current || isComposing.current) return;
    isCreating.current = true;
    setFailure(null);
    try {
      const [note] = await Promise.all([createDailyNote(client, date), loadEditor()]);
      setCreated(note);
    } catch (error) {
      setFailure(toRequestError(error).message);
      isCreating.current = false;
    }
  };
  /** What was typed until the editor was there goes to where the template wants the caret. */
  const takeOver = ({ view, insert }: Editor) => {
    const { length } = view.state.doc;
    const place = Math.min(created?.cursor ?? length, length);
    view.dispatch({ selection: { anchor: place } });
    const text = readTyped(client, date);
    if (text !== "") insert(text);
    view.focus();
    setTyped("");
  };

  const isWaiting = shownId === null || (created !== null && typed !== "");
  return (
    <>
      {shownId !== null && (
        <DocumentView
          key={shownId}
          id={shownId}
          vault={vault}
          isFresh={false}
          pane={pane}
          onClose={onClose}
          {...(createdId !== undefined && { onEditor: takeOver })}
        />
      )}
      {isWaiting && (
        <div className={shownId === null ? "min-h-0 flex-1 overflow-y-auto" : "sr-only"}>
          <div className="mx-auto flex w-full max-w-168 flex-col gap-4 px-8 pt-8 max-md:px-4 max-md:pt-4">
            <h2 className="text-28 font-semibold text-strong">{shownName(note.path)}</h2>
            <Composer
              value={typed}
              onChange={(text) => {
                setTyped(text);
                if (text !== "" && created === null) void create();
              }}
              onComposing={(is) => {
                isComposing.current = is;
                if (!is && readTyped(client, date) !== "" && created === null) void create();
              }}
            />
            {failure !== null && (
              <p role="alert" className="text-13 text-danger">
                The note could not be created: {failure}
              </p>
            )}
            <div className="flex items-center gap-3 text-13 text-muted">
              <Button onClick={() => void create()}>{id === null ? "Create the note" : "Open the note"}</Button>
              <span>
                {id === null ? "It is created when you write something." : "What you have written is added to it."}
              </span>
            </div>
            {note.begins !== null && note.begins.trim() !== "" && <Preview text={note.begins} />}
          </div>
        </div>
      )}
    </>
  );
}

interface ComposerProps {
  readonly value: string;
  onChange(text: string): void;
  /** Text from an input method is not complete until it has ended. */
  onComposing(isComposing: boolean): void;
}

function Composer({ value, onChange, onComposing }: ComposerProps) {
  const isPhone = useMediaQuery(PHONE);
  return (
    <GrowingTextarea
      aria-label="Text of the note"
      placeholder="Write…"
      rows={3}
      value={value}
      autoFocus={!isPhone}
      className="w-full bg-transparent text-(length:--prose-size) leading-(--prose-line) text-strong focus-visible:outline-none"
      onChange={(event) => onChange(event.target.value)}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
}

/** What a new note begins with. */
function Preview({ text }: { text: string }) {
  return (
    <section aria-label="From the template" className="border-t border-border pt-4 text-muted">
      <h3 className="pb-2 text-12 font-medium">From the template</h3>
      <p className="text-13 [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>
    </section>
  );
}

/** What was typed before there is a note, which survives a reload. */
function useTyped(date: string): [string, (text: string) => void] {
  const client = useClient();
  const [typed, setState] = useState(() => readTyped(client, date));
  const setTyped = (text: string) => {
    drafts(client).write(keyOf(date), text === "" ? null : text);
    setState(text);
  };
  return [typed, setTyped];
}

function readTyped(client: Client, date: string): string {
  return drafts(client).read(keyOf(date)) ?? "";
}

function keyOf(date: string): string {
  return `day-text.${date}`;
}

function DaySkeleton() {
  return (
    <div role="status" aria-label="Loading" className="mx-auto flex w-full max-w-168 flex-col gap-4 px-8 pt-8">
      <Skeleton className="h-8 w-2/5" />
      <Skeleton className="h-4 w-full" />
    </div>
  );
}
