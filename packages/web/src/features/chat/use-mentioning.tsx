import type { RefObject } from "react";
import { useClient } from "../../client/use-client.ts";
import { floating } from "../../components/floating.ts";
import { lazyPart } from "../../components/lazy-part.tsx";
import { toasts } from "../../components/toast.ts";
import { drafts } from "../../drafts/draft.ts";
import { PickerPlace } from "./picker-place.tsx";
import { useDraftMentions, withMention, type Mention } from "./mentions.ts";

const MentionPicker = lazyPart(() => import("./mention-picker.tsx"));

const MAX_LABEL = 60;
const ENDS_A_WORD = /(^|\s)$/;

export interface Mentioning {
  readonly mentions: readonly Mention[];
  readonly setMentions: (mentions: readonly Mention[]) => void;
  /** Offers what can be mentioned, beside an element. */
  open(anchor: HTMLElement): void;
  /** To be called when the text changes: an `@` that begins a word offers what can be mentioned. */
  onTyped(field: HTMLTextAreaElement, before: string): void;
}

/** Lets one mention notes, tasks and memories in the draft of a message. */
export function useMentioning(draftKey: string, formRef: RefObject<HTMLElement | null>): Mentioning {
  const client = useClient();
  const [mentions, setMentions] = useDraftMentions(draftKey);

  const insert = (mention: Mention, at: number, typed: string) => {
    const next = withMention(mentions, mention);
    if (next === null) {
      toasts(client).show({ message: "A message mentions ten things at most", tone: "danger" });
      return;
    }
    setMentions(next);
    const text = drafts(client).read(draftKey) ?? "";
    const before = text.slice(0, at);
    const name = mention.title.slice(0, MAX_LABEL).trim();
    const added = `${ENDS_A_WORD.test(before) ? "" : " "}@${name} `;
    drafts(client).write(draftKey, before + added + text.slice(at + typed.length).replace(/^ /, ""));
    const caret = before.length + added.length;
    // Once the field has the text, and the focus back.
    requestAnimationFrame(() => formRef.current?.querySelector("textarea")?.setSelectionRange(caret, caret));
  };

  const offer = (element: HTMLElement, at: number, typed: string) => {
    const returnFocusTo = formRef.current?.querySelector("textarea") ?? element;
    floating(client).openPopover({ element, returnFocusTo }, "Mention something", (close) => (
      <PickerPlace>
        <MentionPicker
          onPick={(mention) => {
            close();
            insert(mention, at, typed);
          }}
        />
      </PickerPlace>
    ));
  };

  return {
    mentions,
    setMentions,
    open(anchor) {
      const field = formRef.current?.querySelector("textarea");
      offer(anchor, field?.selectionStart ?? 0, "");
    },
    onTyped(field, before) {
      const { value, selectionStart: caret } = field;
      const isOneMore = value.length === before.length + 1 && value[caret - 1] === "@";
      if (isOneMore && ENDS_A_WORD.test(value.slice(0, caret - 1))) offer(field, caret - 1, "@");
    },
  };
}
