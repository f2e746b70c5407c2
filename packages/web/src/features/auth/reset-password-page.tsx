import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { resetPassword } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { describeAuthError } from "./auth-error.ts";
import { AuthPage } from "./auth-page.tsx";
import { PASSWORD_HINT, PASSWORD_RULES } from "./password-length.ts";

const NOT_VALID = 400;
const LINK = "font-medium text-accent-text hover:underline";

/** Sets a new password by the page in a mail. */
export default function ResetPasswordPage() {
  const [token] = useState(() => location.hash.slice(1));
  const [state, setState] = useState<"open" | "done" | "over">(token === "" ? "over" : "open");
  // Whoever uses the browser afterwards does not find it.
  useEffect(() => history.replaceState(history.state, "", location.pathname), []);
  if (state === "done") {
    return (
      <AuthPage title="Your password is set">
        <p className="text-muted">
          You are signed out everywhere.{" "}
          <Link to="/sign-in" className={LINK}>
            Sign in with the new password
          </Link>
          .
        </p>
      </AuthPage>
    );
  }
  if (state === "over") {
    return (
      <AuthPage title="This link is no longer valid">
        <p className="text-muted">
          The link in the email works once, for an hour, and until the password is changed.{" "}
          <Link to="/forgot-password" className={LINK}>
            Ask for another one
          </Link>
          .
        </p>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Set a new password">
      <p className="text-muted">It signs you out everywhere.</p>
      <PasswordForm token={token} onDone={() => setState("done")} onOver={() => setState("over")} />
    </AuthPage>
  );
}

interface PasswordFormProps {
  readonly token: string;
  readonly onDone: () => void;
  readonly onOver: () => void;
}

function PasswordForm({ token, onDone, onOver }: PasswordFormProps) {
  const client = useClient();
  const passwordRef = useRef<HTMLInputElement>(null);
  const { error, isBusy, submit } = useSubmit(
    true,
    async () => {
      try {
        await resetPassword(client, { token, newPassword: passwordRef.current?.value ?? "" });
      } catch (failure) {
        if (toRequestError(failure).status !== NOT_VALID) throw failure;
        return onOver();
      }
      onDone();
    },
    describeAuthError,
  );
  return (
    <form className="mt-5 flex flex-col gap-4" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">{error}</FormAlert>}
      <InputField
        label="New password"
        hint={PASSWORD_HINT}
        ref={passwordRef}
        type="password"
        name="password"
        autoComplete="new-password"
        autoFocus
        required
        {...PASSWORD_RULES}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Set password
      </Button>
    </form>
  );
}
