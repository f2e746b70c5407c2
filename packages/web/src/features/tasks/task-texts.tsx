import { Suspense, useState, type KeyboardEvent, type ReactNode } from "react";
import { GrowingTextarea } from "../../components/field.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { SaveNotice } from "../../drafts/save-notice.tsx";
import { useSaveOnLeave } from "../../drafts/use-text-saving.ts";
import { useTaskTextSaving } from "./use-text-saving.ts";
import type { Task } from "./task.ts";

const RenderedDescription = lazyPart(() => import("./rendered-description.tsx"));

const BOX =
  "-mx-2 w-auto self-stretch rounded-control bg-transparent px-2 py-1 [overflow-wrap:anywhere] hover:bg-hover focus:bg-transparent";

/**
 * The title and the description, edited in place and saved when they lose the focus; the other fields are between them.
 */
export function TaskTexts({ task, children }: { readonly task: Task; readonly children: ReactNode }) {
  return (
    <>
      <TitleField task={task} />
      {children}
      <DescriptionField task={task} />
    </>
  );
}

function TitleField({ task }: { task: Task }) {
  const saving = useTaskTextSaving(task, "title");
  useSaveOnLeave(saving);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape") saving.discard();
    else if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <div className="flex flex-col">
      <GrowingTextarea
        aria-label="Title"
        rows={1}
        maxLength={500}
        value={saving.text}
        className={`${BOX} text-20 font-semibold text-strong`}
        onChange={(event) => saving.change(event.target.value.replaceAll("\n", " "))}
        onKeyDown={onKeyDown}
        onBlur={() => void saving.save()}
      />
      <SaveNotice saving={saving} />
    </div>
  );
}

/** What is shown differently from how it is written. */
const MAY_BE_MARKDOWN = /[*_`#>|~$=[\]]|^(?:[-+]|\d+[.)])[ \t]|https?:/m;

/** The description as it is read, until it is clicked or edited by its button. */
function DescriptionField({ task }: { task: Task }) {
  const saving = useTaskTextSaving(task, "description");
  useSaveOnLeave(saving);
  const [isEdited, setEdited] = useState(false);
  if (!isEdited && MAY_BE_MARKDOWN.test(saving.text)) {
    return (
      <div className="flex flex-col">
        <Suspense fallback={<p className="min-h-24 whitespace-pre-wrap">{saving.text}</p>}>
          <RenderedDescription text={saving.text} onEdit={() => setEdited(true)} />
        </Suspense>
        <SaveNotice saving={saving} />
      </div>
    );
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isDone = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (!isDone && event.key !== "Escape") return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <div className="flex flex-col">
      <GrowingTextarea
        aria-label="Description"
        autoFocus={isEdited}
        placeholder="Add a description"
        rows={4}
        value={saving.text}
        className={`${BOX} min-h-24 text-normal`}
        onChange={(event) => saving.change(event.target.value)}
        onFocus={() => setEdited(true)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setEdited(false);
          void saving.save();
        }}
      />
      <SaveNotice saving={saving} />
    </div>
  );
}
