import { useRef, useState, type FormEvent } from "react";
import type { SessionUser } from "../../api/session.ts";
import { enterCode } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { describeAuthError } from "./auth-error.ts";

interface CodeFormProps {
  readonly onSignedIn: (user: SessionUser) => Promise<void>;
  /** Back to the password. */
  readonly onBack: () => void;
}

/** The second step of signing in: a code from an app, or a recovery code. */
export function CodeForm({ onSignedIn, onBack }: CodeFormProps) {
  const client = useClient();
  const [kind, setKind] = useState<"app" | "recovery">("app");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      const user = await enterCode(client, inputRef.current?.value ?? "", kind);
      if (user !== null) await onSignedIn(user);
    } catch (failure) {
      setError(describeAuthError(failure));
      inputRef.current?.select();
    } finally {
      setIsBusy(false);
    }
  };
  const change = () => {
    setKind(kind === "app" ? "recovery" : "app");
    setError(null);
  };
  return (
    <form className="mt-5 flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {error !== null && <FormAlert tone="danger">{error}</FormAlert>}
      <InputField
        key={kind}
        ref={inputRef}
        label={kind === "app" ? "Code" : "Recovery code"}
        hint={
          kind === "app"
            ? "The six digits that your authenticator app shows for Workspace."
            : "One of those that you kept when you set up the app. Each works once."
        }
        name="code"
        autoComplete={kind === "app" ? "one-time-code" : "off"}
        inputMode={kind === "app" ? "numeric" : "text"}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        maxLength={64}
        className="font-mono"
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Sign in
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button size="small" tone="ghost" onClick={onBack}>
          Back
        </Button>
        <Button size="small" tone="accent" onClick={change}>
          {kind === "app" ? "Use a recovery code" : "Use the app"}
        </Button>
      </div>
    </form>
  );
}
