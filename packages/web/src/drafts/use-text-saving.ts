import { useEffect, useRef, useState } from "react";
import { toRequestError } from "../api/request-error.ts";
import { readDraft, useDraft, writeDraft } from "./draft.ts";

const AUTOSAVE_DELAY_MS = 1_500;

/** `waiting`: written, and about to be saved. `left`: written in an earlier visit, and to be saved or given up. */
export type SavingState =
  { readonly kind: "saved" | "waiting" | "left" } | { readonly kind: "failed"; readonly message: string };

export interface TextSaving {
  readonly text: string;
  readonly state: SavingState;
  change(text: string): void;
  save(): Promise<void>;
  giveUp(): void;
}

export interface TextSavingOptions {
  readonly draftKey: string;
  /** The text as it is saved. */
  readonly saved: string;
  /** Saves when typing pauses, not only when the text is left. */
  readonly savesInPauses: boolean;
  /** Saves the draft, if there is one, and drops it. Rejects where it is refused; the draft then stays. */
  readonly saveDraft: () => Promise<void>;
}

/**
 * A text while it is written: kept as a draft at every key, saved, and told where that fails. A draft of an earlier visit
 * is shown but not saved by itself, since the text may have changed elsewhere meanwhile.
 */
export function useTextSaving({ draftKey, saved, savesInPauses, saveDraft }: TextSavingOptions): TextSaving {
  const [draft, setDraft] = useDraft(draftKey);
  const [isWriting, setIsWriting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const save = async () => {
    try {
      await saveDraft();
      setFailure(null);
    } catch (error) {
      setFailure(toRequestError(error).message);
    }
  };
  useEffect(() => {
    if (draft === null || !isWriting || !savesInPauses) return undefined;
    const timer = setTimeout(() => void save(), AUTOSAVE_DELAY_MS);
    return () => clearTimeout(timer);
    // A new timer with every key; `save` reads what it needs when it runs.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draft, isWriting, savesInPauses]);

  const kind = draft === null || draft === saved ? "saved" : isWriting ? "waiting" : "left";
  return {
    text: draft ?? saved,
    state: failure === null ? { kind } : { kind: "failed", message: failure },
    change: (text) => {
      setIsWriting(true);
      setFailure(null);
      setDraft(text);
    },
    save,
    giveUp: () => {
      setIsWriting(false);
      setFailure(null);
      setDraft(null);
    },
  };
}

/** Closing what the text is written in saves too; nothing typed waits for a click elsewhere. */
export function useSaveOnLeave({ state, save }: TextSaving): void {
  const leave = useRef<() => void>(() => undefined);
  useEffect(() => {
    leave.current = () => {
      if (state.kind === "waiting") void save();
    };
  });
  useEffect(() => () => leave.current(), []);
}

/** Saves a draft, if there is one, and drops it, unless it was written on meanwhile. */
export async function saveDraftText(draftKey: string, save: (text: string) => Promise<void>): Promise<void> {
  const text = readDraft(draftKey);
  if (text === null) return;
  await save(text);
  if (readDraft(draftKey) === text) writeDraft(draftKey, null);
}
