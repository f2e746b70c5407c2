import { Plus } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { parseStored } from "../../browser/stored-value.ts";
import { loadable } from "../../components/loadable.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { hasLines } from "./has-lines.ts";
import type { NewTaskDefaults } from "./new-task-defaults.ts";

/** To be preloaded, so that the fields appear without delay when the title gets the focus. */
export const NewTaskChips = loadable(async () => (await import("./new-task-chips.tsx")).NewTaskChips);
// After the first screen, whose size is limited; a plain field takes what is typed before.
const QuickAddForm = loadable(async () => (await import("./quick-add-form.tsx")).default, { afterData: true });

export const INPUT_ID = "quick-add";
export const MAX_TITLE_LENGTH = 500;

/** Moves the focus to the page's quick-add field. */
export function focusQuickAdd(): void {
  document.getElementById(INPUT_ID)?.focus();
}

/** The name of the draft of a form for a new task. */
export function newTaskDraftKey(name: string): string {
  return `new-task.${name}`;
}

export interface QuickAddProps {
  readonly name: string;
  readonly defaults: NewTaskDefaults;
  readonly hasProject: boolean;
  /** Called when it is not in use any more. */
  readonly onLeave: () => void;
}

/** What was done with the field before the form was loaded, and has not been taken over by it. */
export class EarlyInput {
  #entered: string[] = [];
  #pasted: string | null = null;

  /** Several lines that were pasted. */
  get pasted(): string | null {
    return this.#pasted;
  }

  paste(lines: string): void {
    this.#pasted = lines;
  }

  enter(title: string): void {
    this.#entered.push(title);
  }

  /** Returns the titles that were followed by Enter, for the first caller only. */
  takeEntered(): readonly string[] {
    const entered = this.#entered;
    this.#entered = [];
    return entered;
  }
}

/** Creates a task from a title and Enter. What is typed before its code is loaded is taken over by the form. */
export function QuickAdd(props: QuickAddProps) {
  const [early] = useState(() => new EarlyInput());
  const [draft, setDraft] = usePlainDraft(props.name);
  // What nothing became of is shown again.
  const giveBack = () => {
    const entered = early.takeEntered();
    if (entered.length > 0) setDraft([...entered, draft].join(" ").trim());
  };
  const onEnd = useEffectEvent(giveBack);
  useEffect(() => () => onEnd(), []);
  return (
    <QuickAddForm
      {...props}
      early={early}
      onLoadFailure={giveBack}
      fallback={<PlainField title={draft} onChange={setDraft} early={early} />}
    />
  );
}

/** The title in the draft of the form, which keeps the rest of it. */
function usePlainDraft(name: string): [string, (title: string) => void] {
  const [stored, setStored] = useDraft(newTaskDraftKey(name));
  const draft = parseStored(stored, (value): object => (typeof value === "object" && value !== null ? value : {}));
  const title = "title" in draft && typeof draft.title === "string" ? draft.title : "";
  return [title, (changed) => setStored(JSON.stringify({ ...draft, title: changed }))];
}

interface PlainFieldProps {
  readonly title: string;
  readonly onChange: (title: string) => void;
  readonly early: EarlyInput;
}

/** Of the size of the form, so that nothing moves when that takes its place. */
function PlainField({ title, onChange, early }: PlainFieldProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  useShortcut("create", () => inputRef.current?.focus());
  const enter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") event.currentTarget.blur();
    if (event.key !== "Enter" || event.nativeEvent.isComposing || title.trim() === "") return;
    early.enter(title);
    onChange("");
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData("text/plain");
    if (!hasLines(text)) return;
    event.preventDefault();
    early.paste(text);
  };
  return (
    <div className="flex shrink-0 items-center gap-x-2 border-b border-border px-4 focus-within:bg-hover/50">
      <Plus aria-hidden size={16} className="shrink-0 text-muted" />
      <input
        ref={inputRef}
        id={INPUT_ID}
        aria-label="New task"
        dir="auto"
        placeholder="Add a task"
        autoComplete="off"
        enterKeyHint="done"
        maxLength={MAX_TITLE_LENGTH}
        value={title}
        className="h-11 min-w-32 flex-1 bg-transparent text-strong focus-visible:outline-none touch:h-12"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={enter}
        onPaste={paste}
      />
    </div>
  );
}
