import { useQuery } from "@tanstack/react-query";
import { KeyRound, Smartphone } from "lucide-react";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { hasPasskeys } from "../auth/passkeys.ts";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { NewRecoveryCodesDialog, SetUpCodesDialog, TurnOffCodesDialog } from "./code-dialogs.tsx";
import { AddPasskeyDialog, RemovePasskeyDialog, type Passkey } from "./passkey-dialogs.tsx";
import { ProviderSettings } from "./provider-settings.tsx";

type OpenDialog =
  "set-up-codes" | "new-recovery-codes" | "turn-off-codes" | "add-passkey" | { readonly remove: Passkey };

/** What the user signs in with besides the password: codes of an app, passkeys, and the provider. */
export function SignInMethods() {
  const client = useClient();
  const options = trpc(client).account.listSignInMethods.queryOptions();
  const query = useQuery({ ...options, select: ({ data }) => data });
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const props = {
    onChanged: () => client.queries.invalidateQueries({ queryKey: trpc(client).account.pathKey() }),
    onClose: () => setDialog(null),
  };
  return (
    <>
      <LoadedSettings query={query}>
        {({ hasPassword, needsCode, passkeys, provider }) => (
          <>
            {provider !== null && (
              <ProviderSettings {...provider} hasPassword={hasPassword} onChanged={props.onChanged} />
            )}
            <Codes isOn={needsCode} hasPassword={hasPassword} onOpen={setDialog} />
            <Passkeys passkeys={passkeys} hasPassword={hasPassword} onOpen={setDialog} />
          </>
        )}
      </LoadedSettings>
      {dialog === "set-up-codes" && <SetUpCodesDialog {...props} />}
      {dialog === "new-recovery-codes" && <NewRecoveryCodesDialog {...props} />}
      {dialog === "turn-off-codes" && <TurnOffCodesDialog {...props} />}
      {dialog === "add-passkey" && <AddPasskeyDialog {...props} />}
      {typeof dialog === "object" && dialog !== null && <RemovePasskeyDialog passkey={dialog.remove} {...props} />}
    </>
  );
}

interface SectionProps {
  /** Without one, nothing can be added that asks for it. */
  readonly hasPassword: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function Codes({ isOn, hasPassword, onOpen }: SectionProps & { readonly isOn: boolean }) {
  return (
    <section aria-labelledby="codes" className="flex flex-col items-start gap-2">
      <h2 id="codes" className="flex items-center gap-2 text-14 font-semibold text-strong">
        Authenticator app
        {isOn && <Badge tone="success">On</Badge>}
      </h2>
      <p className="text-normal">
        {isOn
          ? "Signing in with your password also needs a code from your app."
          : "Have signing in with your password also need a code from an app on your phone, so that a stolen password is not enough."}
      </p>
      {isOn ? (
        <div className="flex flex-wrap gap-2">
          <Button aria-haspopup="dialog" onClick={() => onOpen("new-recovery-codes")}>
            New recovery codes
          </Button>
          <Button tone="danger" aria-haspopup="dialog" onClick={() => onOpen("turn-off-codes")}>
            Turn off
          </Button>
        </div>
      ) : !hasPassword ? (
        <PasswordFirst />
      ) : (
        <Button
          icon={<Smartphone aria-hidden size={16} />}
          aria-haspopup="dialog"
          onClick={() => onOpen("set-up-codes")}
        >
          Set up an app
        </Button>
      )}
    </section>
  );
}

function Passkeys({ passkeys, hasPassword, onOpen }: SectionProps & { readonly passkeys: readonly Passkey[] }) {
  return (
    <section aria-labelledby="passkeys" className="flex flex-col items-start gap-2">
      <h2 id="passkeys" className="text-14 font-semibold text-strong">
        Passkeys
      </h2>
      <p className="text-normal">
        Sign in with your fingerprint, your face or the PIN of your device, in the place of the password and a code.
      </p>
      {passkeys.length > 0 && (
        <ul className="flex w-full flex-col rounded-panel border border-border px-4">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border py-2 last:border-0"
            >
              <span className="min-w-0 flex-1 text-13 break-words text-strong">
                {passkey.name}{" "}
                <span className="text-muted">
                  added <TimeAgo timestamp={passkey.createdAt} />
                  {passkey.isSynced && ", on several devices"}
                </span>
              </span>
              <Button size="small" tone="ghost" aria-haspopup="dialog" onClick={() => onOpen({ remove: passkey })}>
                Remove<span className="sr-only"> {passkey.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!hasPassword ? (
        <PasswordFirst />
      ) : hasPasskeys() ? (
        <Button icon={<KeyRound aria-hidden size={16} />} aria-haspopup="dialog" onClick={() => onOpen("add-passkey")}>
          Add a passkey
        </Button>
      ) : (
        <p className="text-13 text-muted">This browser offers passkeys only where it reaches the server over HTTPS.</p>
      )}
    </section>
  );
}

const PasswordFirst = () => <p className="text-13 text-muted">For that you need a password here first.</p>;
