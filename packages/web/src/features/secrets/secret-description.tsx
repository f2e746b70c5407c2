import { useClient } from "../../client/use-client.ts";
import { TextInPlace } from "../../drafts/text-in-place.tsx";
import { saveDraftText, useTextSaving } from "../../drafts/use-text-saving.ts";
import { saveSecretDescription } from "./secret-actions.ts";
import type { Secret } from "./secret.ts";

interface SecretDescriptionProps {
  readonly secret: Secret;
  /** Incremented when the caret must move into the text. */
  readonly editRequest: number;
}

/** The description of a secret, edited in place. */
export function SecretDescription({ secret, editRequest }: SecretDescriptionProps) {
  const client = useClient();
  const draftKey = `secret.${secret.id}.description`;
  const saving = useTextSaving({
    draftKey,
    saved: secret.description ?? "",
    savesInPauses: true,
    saveDraft: () => saveDraftText(client, draftKey, (text) => saveSecretDescription(client, secret, text.trim())),
  });
  return (
    <div className="-mt-3">
      <TextInPlace
        label="Description"
        placeholder="Describe what it is for"
        saving={saving}
        rows={1}
        maxLength={1_000}
        className="text-normal"
        editRequest={editRequest}
      />
    </div>
  );
}
