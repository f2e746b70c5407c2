import { useEffect, useRef, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { GrowingTextarea } from "../../components/field.tsx";
import { SaveNotice } from "../../drafts/save-notice.tsx";
import { saveDraftText, useSaveOnLeave, useTextSaving } from "../../drafts/use-text-saving.ts";
import { saveSecretDescription } from "./secret-actions.ts";
import type { Secret } from "./secret.ts";

interface SecretDescriptionProps {
  readonly secret: Secret;
  /** Incremented when the caret must move into the text. */
  readonly editRequest: number;
}

/** The description of a secret, edited in place and saved when it loses the focus. */
export function SecretDescription({ secret, editRequest }: SecretDescriptionProps) {
  const client = useClient();
  const draftKey = `secret.${secret.id}.description`;
  const saving = useTextSaving({
    draftKey,
    saved: secret.description ?? "",
    savesInPauses: true,
    saveDraft: () => saveDraftText(draftKey, (text) => saveSecretDescription(client, secret, text.trim())),
  });
  useSaveOnLeave(saving);
  const boxRef = useRef<HTMLDivElement>(null);
  const handledRequest = useRef(0);
  useEffect(() => {
    if (editRequest === handledRequest.current) return;
    handledRequest.current = editRequest;
    boxRef.current?.querySelector("textarea")?.focus();
  }, [editRequest]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isDone = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (!isDone && event.key !== "Escape") return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <div ref={boxRef} className="-mt-3 flex flex-col">
      <GrowingTextarea
        aria-label="Description"
        placeholder="Describe what it is for"
        rows={1}
        maxLength={1_000}
        value={saving.text}
        className="-mx-2 w-auto self-stretch rounded-control bg-transparent px-2 py-1 [overflow-wrap:anywhere] text-normal hover:bg-hover focus:bg-transparent"
        onChange={(event) => saving.change(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void saving.save()}
      />
      <SaveNotice saving={saving} />
    </div>
  );
}
