import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { showToast } from "../../components/toast.ts";
import { sayCountOf } from "../../numbers/number-wording.ts";
import { FormAlert } from "../auth/form-alert.tsx";
import { rotateEncryptionKey } from "./secret-actions.ts";

interface RotateKeyDialogProps {
  readonly count: number;
  readonly onClose: () => void;
}

/** Encrypts everything anew, as after a copy of the data directory has gone astray. */
export default function RotateKeyDialog({ count, onClose }: RotateKeyDialogProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const rotate = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const rotated = await rotateEncryptionKey();
      onClose();
      showToast({ message: `Encrypted ${sayCountOf(rotated, "secret")} with a new key` });
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title="Rotate the encryption key?"
      description={`The server makes a new key and encrypts ${sayCountOf(count, "secret")} with it. The values stay as they are. Afterwards, back up the data directory: older backups of the key do not open the secrets any more.`}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {error !== null && <FormAlert tone="danger">Nothing has changed. {error}</FormAlert>}
        <div className="flex justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button tone="primary" isBusy={isBusy} onClick={() => void rotate()}>
            Rotate the key
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
