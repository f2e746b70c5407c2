import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { requestPasswordReset, signInWaysQuery } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { useStored } from "../../browser/stored-value.ts";
import { describeAuthError } from "./auth-error.ts";
import { AuthPage } from "./auth-page.tsx";
import { ResetCommand } from "./reset-command.tsx";

/** Asks for a mail with which a new password is set. */
export default function ForgotPasswordPage() {
  const client = useClient();
  const { data: ways } = useQuery(signInWaysQuery(client));
  /** To which address it went, if there is such an account. */
  const [sentTo, setSentTo] = useState<string | null>(null);
  const footer = (
    <Link to="/sign-in" className="font-medium text-accent-text hover:underline">
      Back to sign-in
    </Link>
  );
  if (sentTo !== null) {
    return (
      <AuthPage title="Check your email" footer={footer}>
        <p className="text-muted">
          If there is an account with <span className="break-words text-normal">{sentTo}</span>, an email with a link to
          set a new password is on its way. The link works for an hour. If nothing arrives, check your spam folder.
        </p>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Forgot your password?" footer={footer}>
      {ways?.canResetPassword === false ? (
        <p className="text-muted">
          This server sends no email. <ResetCommand />
        </p>
      ) : (
        <>
          <p className="text-muted">You will get an email with a link to set a new one.</p>
          <RequestForm onSent={setSentTo} />
        </>
      )}
    </AuthPage>
  );
}

function RequestForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const client = useClient();
  const [email, setEmail] = useStored("sign-in.email");
  const { error, isBusy, submit } = useSubmit(
    true,
    async () => {
      const to = (email ?? "").trim();
      await requestPasswordReset(client, to);
      onSent(to);
    },
    describeAuthError,
  );
  return (
    <form className="mt-5 flex flex-col gap-4" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">{error}</FormAlert>}
      <InputField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        required
        value={email ?? ""}
        onChange={(event) => setEmail(event.target.value === "" ? null : event.target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Send email
      </Button>
    </form>
  );
}
