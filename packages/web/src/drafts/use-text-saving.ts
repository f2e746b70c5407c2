import { useEffect, useEffectEvent, useRef, useState } from "react";
import { toRequestError } from "../api/request-error.ts";
import type { Client } from "../client/client.ts";
import { useClient } from "../client/use-client.ts";
import { drafts, useDraft } from "./draft.ts";

const AUTOSAVE_DELAY_MS = 1_500;

/**
 * `waiting`: edited, and about to be saved. `recovered`: edited in an earlier visit, and to be saved or discarded.
 * `conflict`: changed elsewhere since the edit began, and saved only on request.
 */
export type SavingState =
  | { readonly kind: "saved" | "waiting" | "recovered" }
  | { readonly kind: "conflict"; readonly theirs: string }
  | { readonly kind: "failed"; readonly message: string };

export interface TextSaving {
  readonly text: string;
  readonly state: SavingState;
  change(text: string): void;
  /** Saves the text, unless that would overwrite a change made elsewhere. */
  save(): Promise<void>;
  /** Saves the text in any case. */
  overwrite(): Promise<void>;
  discard(): void;
}

export interface TextSavingOptions {
  readonly draftKey: string;
  /** The text as it was last saved. */
  readonly saved: string;
  /** Whether to save when typing pauses, not only on leaving the field. */
  readonly savesInPauses: boolean;
  /** Saves the draft, if there is one, and removes it. Rejects if the save is refused; the draft then stays. */
  readonly saveDraft: () => Promise<void>;
}

/**
 * A text while it is edited: kept as a draft at every keystroke and saved, with failures reported. If it is changed
 * elsewhere in the meantime, or if the draft is from an earlier visit, it is saved only on request.
 */
export function useTextSaving({ draftKey, saved, savesInPauses, saveDraft }: TextSavingOptions): TextSaving {
  const client = useClient();
  const [draft, setDraft] = useDraft(draftKey);
  const [isWriting, setIsWriting] = useState(false);
  // The text that the edit began with, and those saved since. Any other saved text comes from elsewhere.
  const [known, setKnown] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  const isChanged = draft !== null && draft !== saved;
  const isConflict = isChanged && isWriting && !known.includes(saved.trim());

  const overwrite = async () => {
    const sent = (drafts(client).read(draftKey) ?? saved).trim();
    setKnown((texts) => [...texts, saved.trim(), sent]);
    try {
      await saveDraft();
      setFailure(null);
      setKnown((texts) => texts.slice(-2));
    } catch (error) {
      setFailure(toRequestError(error).message);
    }
  };
  const save = async () => {
    if (!isConflict) await overwrite();
  };
  const onPause = useEffectEvent(() => void save());
  useEffect(() => {
    if (draft === null || !isWriting || !savesInPauses) return undefined;
    const timer = setTimeout(onPause, AUTOSAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft, isWriting, savesInPauses]);

  return {
    text: draft ?? saved,
    state: stateOf(),
    change: (text) => {
      if (draft === null || !isWriting) setKnown([saved.trim()]);
      setIsWriting(true);
      setFailure(null);
      setDraft(text);
    },
    save,
    overwrite,
    discard: () => {
      setIsWriting(false);
      setFailure(null);
      setDraft(null);
    },
  };

  function stateOf(): SavingState {
    if (isConflict) return { kind: "conflict", theirs: saved };
    if (failure !== null) return { kind: "failed", message: failure };
    if (!isChanged) return { kind: "saved" };
    return { kind: isWriting ? "waiting" : "recovered" };
  }
}

/** Closing the editor saves too; nothing typed waits for a click elsewhere. */
export function useSaveOnLeave({ state, save }: TextSaving): void {
  const leave = useRef<() => void>(() => undefined);
  useEffect(() => {
    leave.current = () => {
      if (state.kind === "waiting") void save();
    };
  });
  useEffect(() => () => leave.current(), []);
}

/** Saves a draft, if there is one, and removes it unless it has been edited in the meantime. */
export async function saveDraftText(
  client: Client,
  draftKey: string,
  save: (text: string) => Promise<void>,
): Promise<void> {
  const kept = drafts(client);
  const text = kept.read(draftKey);
  if (text === null) return;
  await save(text);
  if (kept.read(draftKey) === text) kept.write(draftKey, null);
}
