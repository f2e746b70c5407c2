import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FormAlert } from "../auth/form-alert.tsx";
import { revokeApiKey } from "./api-key-collection.ts";
import type { ApiKey } from "./api-key.ts";

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Revoking cannot be undone, so it is asked; another key is made in a moment, so it need not be typed. */
export default function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const revoke = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await revokeApiKey(apiKey);
      onClose();
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={`Revoke “${apiKey.name}”?`}
      description="What uses this key is locked out at once. It cannot be undone; you can always make another key."
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {error !== null && <FormAlert tone="danger">Not revoked. {error}</FormAlert>}
        <div className="flex justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" isBusy={isBusy} className="border border-danger" onClick={() => void revoke()}>
            Revoke key
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
