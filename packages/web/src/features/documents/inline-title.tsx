import { useRef, useState, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { GrowingTextarea } from "../../components/field.tsx";
import { isMarkdownPath, shownName, type Document } from "./document.ts";
import { problemWithRename, renameEntry } from "./vault/vault-actions.ts";
import { nameFromTyped, nameOf } from "./vault/vault-path.ts";

interface InlineTitleProps {
  readonly document: Document;
  /** The beginning of the text. */
  readonly beginning: string;
  /** Whether it was just created, so that the name is asked for first. */
  readonly isFresh: boolean;
  /** Moves on to the text. */
  readonly onDone: () => void;
}

/** The name of a note above its text, edited in place. Hidden if the note starts with a heading of its own. */
export function InlineTitle({ document: { path, deletedAt }, beginning, isFresh, onDone }: InlineTitleProps) {
  const client = useClient();
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? shownName(path);
  const wanted = isMarkdownPath(path) ? nameFromTyped(name, nameOf(path)) : name.trim();
  const problem = name.trim() === "" ? "Enter a name." : problemWithRename(client, path, wanted);
  const isCancelled = useRef(false);
  if (/^\s*#\s/.test(beginning) && typed === null) return null;

  /** An invalid name stays in the field, with the problem shown below. */
  const commit = () => {
    if (problem !== null && !isCancelled.current) return;
    setTyped(null);
    if (!isCancelled.current && wanted !== nameOf(path)) void renameEntry(client, path, wanted);
    isCancelled.current = false;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== "Escape" && event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    isCancelled.current = event.key === "Escape";
    if (problem !== null && !isCancelled.current) return;
    event.currentTarget.blur();
    if (event.key !== "Escape") onDone();
  };
  return (
    <div className="mb-4">
      <GrowingTextarea
        aria-label="Note name"
        rows={1}
        value={name}
        readOnly={deletedAt !== null}
        autoFocus={isFresh}
        spellCheck={false}
        aria-invalid={problem === null ? undefined : true}
        className="-mx-1 w-auto rounded-control bg-transparent px-1 text-28 font-semibold text-strong [overflow-wrap:anywhere] touch:text-28"
        onFocus={(event) => {
          if (isFresh) event.target.select();
        }}
        onChange={(event) => setTyped(event.target.value.replaceAll("\n", " "))}
        onKeyDown={onKeyDown}
        onBlur={commit}
      />
      {problem !== null && (
        <p role="alert" className="text-13 text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
