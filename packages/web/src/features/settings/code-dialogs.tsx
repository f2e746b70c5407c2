import { useMemo, useState } from "react";
import { renderSVG } from "uqr";
import {
  prepareCodes,
  replaceRecoveryCodes,
  turnOffCodes,
  turnOnCodes,
  type CodeSecret,
} from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InputField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { PasswordField } from "./password-field.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

interface CodeDialogProps {
  /** Called as soon as something has changed. */
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** Sets up an authenticator app: the password, what the app scans with its first code, and the recovery codes. */
export function SetUpCodesDialog({ onChanged, onClose }: CodeDialogProps) {
  const client = useClient();
  const [secret, setSecret] = useState<CodeSecret | null>(null);
  const [isOn, setIsOn] = useState(false);
  if (secret === null) {
    return (
      <PasswordDialog
        title="Set up an authenticator app"
        description="From then on, signing in with your password also needs a code from the app. First, your password."
        submitLabel="Continue"
        failure="Not begun."
        onPassword={async (password) => setSecret(await prepareCodes(client, password))}
        onClose={onClose}
      />
    );
  }
  if (!isOn) {
    const turnOn = async (code: string) => {
      await turnOnCodes(client, code);
      setIsOn(true);
      await onChanged();
    };
    return <FirstCodeDialog uri={secret.uri} onCode={turnOn} onClose={onClose} />;
  }
  return (
    <Dialog title="Recovery codes" description="The app is set up." onClose={onClose}>
      <RecoveryCodes codes={secret.recoveryCodes} onDone={onClose} />
    </Dialog>
  );
}

interface FirstCodeDialogProps {
  readonly uri: string;
  readonly onCode: (code: string) => Promise<void>;
  readonly onClose: () => void;
}

function FirstCodeDialog({ uri, onCode, onClose }: FirstCodeDialogProps) {
  const [code, setCode] = useState("");
  const submission = useSubmit(code.trim() !== "", () => onCode(code));
  // Scanners need dark on light, in either theme.
  const image = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`, [uri]);
  const key = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <FormDialog
      title="Scan this with your app"
      description="Any app for one-time codes will do, also that of a password manager."
      submission={submission}
      submitLabel="Turn on"
      failure="Not turned on."
      onClose={onClose}
    >
      <img
        src={image}
        alt="The QR code for your app"
        width={200}
        height={200}
        className="self-center rounded-control"
      />
      <div className="flex flex-wrap items-center gap-x-2 text-13 text-muted">
        <span>Or enter this key:</span>
        <code className="font-mono break-all text-strong">{key}</code>
        <CopyButton text={key} what="the key" />
      </div>
      <InputField
        label="Code"
        hint="The six digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        maxLength={64}
        className="font-mono"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  );
}

/** Replaces the recovery codes. */
export function NewRecoveryCodesDialog({ onClose }: Pick<CodeDialogProps, "onClose">) {
  const client = useClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes === null) {
    return (
      <PasswordDialog
        title="New recovery codes"
        description="Those that you have no longer work then."
        submitLabel="Create new codes"
        failure="Not created."
        onPassword={async (password) => setCodes(await replaceRecoveryCodes(client, password))}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title="Recovery codes" onClose={onClose}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Dialog>
  );
}

/** Removes the app, so that the password is enough. */
export function TurnOffCodesDialog({ onChanged, onClose }: CodeDialogProps) {
  const client = useClient();
  return (
    <PasswordDialog
      title="Turn off the authenticator app"
      description="Whoever knows your password can sign in then."
      submitLabel="Turn off"
      failure="Not turned off."
      isDangerous
      onPassword={async (password) => {
        await turnOffCodes(client, password);
        await onChanged();
        onClose();
        toasts(client).show({ message: "Codes are no longer asked for" });
      }}
      onClose={onClose}
    />
  );
}

interface PasswordDialogProps {
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  readonly failure: string;
  readonly isDangerous?: boolean;
  readonly onPassword: (password: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the password before what a session alone must not change. */
function PasswordDialog({ onPassword, ...dialog }: PasswordDialogProps) {
  const [password, setPassword] = useState("");
  const submission = useSubmit(password !== "", () => onPassword(password));
  return (
    <FormDialog {...dialog} submission={submission}>
      <PasswordField value={password} onChange={setPassword} />
    </FormDialog>
  );
}
