import { useClient } from "../../client/use-client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { revokeApiKey } from "./api-key-collection.ts";
import type { ApiKey } from "./api-key.ts";

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Revoking cannot be undone, so it asks for confirmation; a new key is quickly made, so nothing has to be typed. */
export default function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={`Revoke “${apiKey.name}”?`}
      description="Anything that uses this key loses access immediately. This cannot be undone, but you can always create another key."
      confirmLabel="Revoke key"
      failure="Not revoked."
      onConfirm={() => revokeApiKey(client, apiKey).then(onClose)}
      onClose={onClose}
    />
  );
}
