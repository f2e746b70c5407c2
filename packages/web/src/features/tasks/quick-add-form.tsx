import { clsx } from "clsx";
import { CornerDownLeft, Plus } from "lucide-react";
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { loadable } from "../../components/loadable.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { hasLines } from "./has-lines.ts";
import { refusesLast, useNewTaskForm, type NewTaskForm } from "./new-task-draft.ts";
import { INPUT_ID, MAX_TITLE_LENGTH, NewTaskChips, type EarlyInput, type QuickAddProps } from "./quick-add.tsx";
import { createTask } from "./task-creation.ts";
import { taskReader } from "./task-reader.ts";

const PastedTasks = loadable(async () => (await import("./pasted-tasks.tsx")).default);

const EXAMPLE = "Call the dentist tomorrow 9am every 6 months #health !high @Project";
const BELOW =
  "@max-3xl:order-last @max-3xl:w-full @max-3xl:overflow-x-auto @max-3xl:pb-2 @max-3xl:[scrollbar-width:none]";
/** What the title says takes more room, and so does the title; none of it may be out of view. */
const BELOW_WIDE = "@max-5xl:order-last @max-5xl:w-full @max-5xl:flex-wrap @max-5xl:pb-2";
/** How long after a finger is lifted the browser may still move the focus and send the click. */
const PRESS_MS = 250;

interface QuickAddFormProps extends QuickAddProps {
  readonly early: EarlyInput;
}

/** Creates a task from a title and Enter, or one from each line that is pasted. The other fields appear while it is in use. */
export default function QuickAddForm({ name, defaults, hasProject, onLeave, early }: QuickAddFormProps) {
  const form = useNewTaskForm(name, defaults);
  const formRef = useRef<HTMLFormElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  /** Several lines that were pasted, each of which may become a task. */
  const [pasted, setPasted] = useState(early.pasted);
  const hasFocus = useTakenFocus(inputRef);
  useEnteredTasks(early, form);
  const isInUse = useIsInUse(formRef, hasFocus) || form.isTouched || pasted !== null;
  useEffect(() => {
    if (!isInUse) onLeave();
    // oxlint-disable-next-line react/exhaustive-deps -- Another function is no reason to leave.
  }, [isInUse]);
  useShortcut("create", () => inputRef.current?.focus());

  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.submit();
    inputRef.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (refusesLast(event, form) || event.key !== "Escape") return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData("text/plain");
    if (!hasLines(text)) return;
    event.preventDefault();
    setPasted(text);
  };
  const leavePasted = (title?: string) => {
    setPasted(null);
    if (title !== undefined) form.change({ title });
    inputRef.current?.focus();
  };
  return (
    <div className="@container shrink-0 border-b border-border focus-within:bg-hover/50">
      <form ref={formRef} className="flex flex-wrap items-center gap-x-2 px-4" onSubmit={submit}>
        <Plus aria-hidden size={16} className="shrink-0 text-muted" />
        <input
          ref={inputRef}
          id={INPUT_ID}
          aria-label="New task"
          dir="auto"
          placeholder={isInUse ? EXAMPLE : "Add a task"}
          autoComplete="off"
          enterKeyHint="done"
          maxLength={MAX_TITLE_LENGTH}
          value={form.draft.title}
          className="h-11 min-w-32 flex-1 bg-transparent text-strong focus-visible:outline-none touch:h-12"
          onChange={(event) => form.change({ title: event.target.value })}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {isInUse && (
          <>
            {/* Beside the title if there is room, so that nothing below moves; otherwise on a line of their own. */}
            <div className={clsx("flex items-center gap-1", form.parts.length > 0 ? BELOW_WIDE : BELOW)}>
              <NewTaskChips form={form} hasProject={hasProject} />
            </div>
            <Button
              type="submit"
              size="small"
              tone="accent"
              disabled={form.draft.title.trim() === ""}
              icon={<CornerDownLeft aria-hidden size={14} />}
            >
              Create task
            </Button>
          </>
        )}
        {pasted !== null && (
          <PastedTasks text={pasted} form={form} onJoin={leavePasted} onClose={() => leavePasted()} fallback={null} />
        )}
      </form>
    </div>
  );
}

/** Takes the focus over from the plain field that was shown before, with the caret. Returns whether that had it. */
function useTakenFocus(inputRef: RefObject<HTMLInputElement | null>): boolean {
  // While this is rendered first, the plain field is still there.
  const [caret] = useState(() => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement && field.id === INPUT_ID
      ? { start: field.selectionStart, end: field.selectionEnd }
      : null;
  });
  useLayoutEffect(() => {
    if (caret === null) return;
    inputRef.current?.focus({ preventScroll: true });
    inputRef.current?.setSelectionRange(caret.start, caret.end);
  }, [caret, inputRef]);
  return caret !== null;
}

/** Creates the tasks whose titles were entered before the form was there, once what they say can be read, or never will be. */
function useEnteredTasks(early: EarlyInput, form: NewTaskForm): void {
  const client = useClient();
  const [isReadable, setReadable] = useState(false);
  useEffect(
    () =>
      void taskReader(client)
        .preload()
        .then(() => setReadable(true)),
    [client],
  );
  const create = useEffectEvent(() => {
    for (const title of early.takeEntered()) void createTask(client, form.read(title, []).input);
  });
  useEffect(() => {
    if (isReadable) create();
  }, [isReadable]);
}

/**
 * Whether the focus is in the form. When a press elsewhere takes the focus away, that press is completed first: if the form
 * shrank in the middle of it, the target would move away under the finger.
 */
function useIsInUse(formRef: RefObject<HTMLFormElement | null>, hasFocus: boolean): boolean {
  const [isInUse, setIsInUse] = useState(hasFocus);
  useEffect(() => {
    const form = formRef.current;
    if (form === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let isPressed = false;
    let isLeft = false;
    const leaveSoon = () => {
      setTimeout(() => {
        if (isLeft && !isPressed) setIsInUse(false);
      }, PRESS_MS);
    };
    const onFocusIn = () => {
      isLeft = false;
      setIsInUse(true);
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      isLeft = !(relatedTarget instanceof Node && form.contains(relatedTarget));
      leaveSoon();
    };
    const onPress = () => {
      isPressed = true;
    };
    const onRelease = () => {
      isPressed = false;
      leaveSoon();
    };
    form.addEventListener("focusin", onFocusIn, { signal });
    form.addEventListener("focusout", onFocusOut, { signal });
    window.addEventListener("pointerdown", onPress, { signal, capture: true });
    window.addEventListener("pointerup", onRelease, { signal, capture: true });
    window.addEventListener("pointercancel", onRelease, { signal, capture: true });
    return () => stop.abort();
  }, [formRef]);
  return isInUse;
}
