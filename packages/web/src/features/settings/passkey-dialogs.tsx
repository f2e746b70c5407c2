import { useState } from "react";
import type { Outputs } from "../../api/api.ts";
import { removePasskey } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { InputField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { createPasskey } from "../auth/passkeys.ts";
import { deviceName } from "../notifications/device-name.ts";
import { PasswordField } from "./password-field.tsx";

export type Passkey = Outputs["account"]["listSignInMethods"]["data"]["passkeys"][number];

interface AddPasskeyDialogProps {
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** Adds a passkey; the browser then asks where it is to be kept. */
export function AddPasskeyDialog({ onChanged, onClose }: AddPasskeyDialogProps) {
  const client = useClient();
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [password, setPassword] = useState("");
  const submission = useSubmit(name.trim() !== "" && password !== "", async () => {
    await createPasskey(client, { name: name.trim(), password });
    await onChanged();
    onClose();
    toasts(client).show({ message: "The passkey has been added" });
  });
  return (
    <FormDialog
      title="Add a passkey"
      description="Your browser then asks where to keep it: on this device, in a password manager, or on a security key."
      submission={submission}
      submitLabel="Add passkey"
      failure="Not added."
      onClose={onClose}
    >
      <InputField
        label="Name"
        hint="So that you know it again in the list."
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <PasswordField value={password} onChange={setPassword} />
    </FormDialog>
  );
}

interface RemovePasskeyDialogProps extends AddPasskeyDialogProps {
  readonly passkey: Passkey;
}

export function RemovePasskeyDialog({ passkey, onChanged, onClose }: RemovePasskeyDialogProps) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={`Remove the passkey “${passkey.name}”`}
      description="It no longer signs you in. Your device or password manager still shows it until you delete it there too."
      confirmLabel="Remove"
      failure="Not removed."
      onConfirm={async () => {
        await removePasskey(client, passkey.id);
        await onChanged();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
