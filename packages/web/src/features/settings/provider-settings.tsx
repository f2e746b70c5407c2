import { LogIn } from "lucide-react";
import { useState } from "react";
import { beginProviderLink, unlinkProvider } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { describeProviderProblem } from "../auth/provider-problem.ts";
import { PasswordField } from "./password-field.tsx";

interface ProviderSettingsProps {
  readonly name: string;
  readonly isLinked: boolean;
  readonly hasPassword: boolean;
  readonly onChanged: () => Promise<void>;
}

/** Whether the user signs in with an account of the provider. */
export function ProviderSettings({ name, isLinked, hasPassword, onChanged }: ProviderSettingsProps) {
  const client = useClient();
  const [{ problem }] = useSearchParams(parseProblem);
  const [dialog, setDialog] = useState<"link" | "unlink" | null>(null);
  const close = () => setDialog(null);
  const failure = describeProviderProblem(problem, name);
  return (
    <section aria-labelledby="provider" className="flex flex-col items-start gap-2">
      <h2 id="provider" className="flex items-center gap-2 text-14 font-semibold text-strong">
        Sign in with {name}
        {isLinked && <Badge tone="success">Linked</Badge>}
      </h2>
      {failure !== null && !isLinked && <FormAlert tone="danger">Not linked. {failure}</FormAlert>}
      <p className="text-normal">{describeUse(name, isLinked, hasPassword)}</p>
      {isLinked && hasPassword && (
        <Button tone="danger" aria-haspopup="dialog" onClick={() => setDialog("unlink")}>
          Unlink {name}
        </Button>
      )}
      {!isLinked && hasPassword && (
        <Button icon={<LogIn aria-hidden size={16} />} aria-haspopup="dialog" onClick={() => setDialog("link")}>
          Link {name}
        </Button>
      )}
      {dialog === "link" && <LinkDialog name={name} onClose={close} />}
      {dialog === "unlink" && (
        <ConfirmDialog
          title={`Unlink ${name}`}
          description={`You no longer sign in with ${name}, but with your password. Where you are signed in, you stay so.`}
          confirmLabel="Unlink"
          failure="Not unlinked."
          onConfirm={async () => {
            await unlinkProvider(client);
            await onChanged();
            close();
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

function describeUse(name: string, isLinked: boolean, hasPassword: boolean): string {
  if (!isLinked) return `Have your account at ${name} sign you in here too, in the place of the password.`;
  if (hasPassword) return `Your account at ${name} signs you in here too, in the place of the password.`;
  return `You sign in with your account at ${name}, and have no password here.`;
}

function LinkDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const client = useClient();
  const [password, setPassword] = useState("");
  const submission = useSubmit(password !== "", async () => {
    location.assign(await beginProviderLink(client, password));
  });
  return (
    <FormDialog
      title={`Link ${name}`}
      description={`You then sign in at ${name}, and come back here.`}
      submission={submission}
      submitLabel="Continue"
      failure="Not begun."
      onClose={onClose}
    >
      <PasswordField value={password} onChange={setPassword} />
    </FormDialog>
  );
}

const parseProblem = (search: Record<string, unknown>): { problem?: string } =>
  typeof search["problem"] === "string" ? { problem: search["problem"] } : {};
