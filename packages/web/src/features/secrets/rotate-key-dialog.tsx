import { useClient } from "../../client/use-client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { toasts } from "../../components/toast.ts";
import { pluralize } from "../../numbers/number-format.ts";
import { rotateEncryptionKey } from "./secret-actions.ts";

interface RotateKeyDialogProps {
  readonly count: number;
  readonly onClose: () => void;
}

/** Re-encrypts all secrets with a new key, for example after a copy of the data directory has leaked. */
export default function RotateKeyDialog({ count, onClose }: RotateKeyDialogProps) {
  const client = useClient();
  const rotate = async () => {
    const rotated = await rotateEncryptionKey(client);
    onClose();
    toasts(client).show({ message: `Encrypted ${pluralize(rotated, "secret")} with a new key` });
  };
  return (
    <ConfirmDialog
      title="Rotate the encryption key?"
      description={`The server generates a new key and encrypts ${pluralize(count, "secret")} with it. The values stay as they are. Afterwards, back up the data directory: older backups of the key can no longer decrypt the secrets.`}
      confirmLabel="Rotate the key"
      failure="Nothing has changed."
      isDangerous={false}
      onConfirm={rotate}
      onClose={onClose}
    />
  );
}
