import { useRef, useState, type KeyboardEvent } from "react";
import { GrowingTextarea } from "../../components/field.tsx";
import { isMarkdownPath, shownName, type Document } from "./document.ts";
import { problemWithRename, renameEntry } from "./vault-actions.ts";
import { endingOf, nameOf } from "./vault-path.ts";

interface InlineTitleProps {
  readonly document: Document;
  readonly text: string;
  /** Made a moment ago: the name is asked for first. */
  readonly isFresh: boolean;
  /** On to the text. */
  readonly onDone: () => void;
}

/** The name of a note above its text, changed in place. A note that begins with a heading says its name itself. */
export function InlineTitle({ document: { path, deletedAt }, text, isFresh, onDone }: InlineTitleProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? shownName(path);
  const wanted = name.trim() + (isMarkdownPath(path) ? endingOf(nameOf(path)) : "");
  const problem = name.trim() === "" ? "A name is needed." : problemWithRename(path, wanted);
  const isGivenUp = useRef(false);
  if (/^\s*#\s/.test(text) && typed === null) return null;

  /** What cannot be a name stays as it was typed, with what is wrong with it. */
  const commit = () => {
    if (problem !== null && !isGivenUp.current) return;
    setTyped(null);
    if (!isGivenUp.current && wanted !== nameOf(path)) void renameEntry(path, wanted);
    isGivenUp.current = false;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== "Escape" && event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    isGivenUp.current = event.key === "Escape";
    if (problem !== null && !isGivenUp.current) return;
    event.currentTarget.blur();
    if (event.key !== "Escape") onDone();
  };
  return (
    <div className="mb-4">
      <GrowingTextarea
        aria-label="Name of the note"
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
