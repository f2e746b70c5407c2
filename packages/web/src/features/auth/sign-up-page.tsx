import { useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { signUp } from "../../api/session-actions.ts";
import { signInWaysQuery } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { describeAuthError } from "./auth-error.ts";
import { AuthPage } from "./auth-page.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { PASSWORD_HINT, PASSWORD_RULES } from "./password-length.ts";
import { ProviderButton } from "./provider-button.tsx";
import { beginSession } from "./change-session.ts";

const CLOSED = 403;
const EMAIL_TAKEN = 422;

export default function SignUpPage() {
  const { next } = useSearch({ from: "/sign-up" });
  const [isClosed, setIsClosed] = useState(false);
  const signInLink = (
    <Link
      to="/sign-in"
      search={next === undefined ? {} : { next }}
      className="font-medium text-accent-text hover:underline"
    >
      Sign in
    </Link>
  );
  if (isClosed) {
    return (
      <AuthPage title="Sign-up is closed" footer={<>Already have an account? {signInLink}</>}>
        <p className="text-muted">
          This server takes no new accounts. Its owner can open sign-up with the setting{" "}
          <code className="font-mono text-13">SIGN_UP=open</code>.
        </p>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Create an account" footer={<>Already have an account? {signInLink}</>}>
      <p className="text-muted">Everyone with an account shares this workspace.</p>
      <SignUpForm next={next} onClosed={() => setIsClosed(true)} />
    </AuthPage>
  );
}

function SignUpForm({ next, onClosed }: { next: string | undefined; onClosed: () => void }) {
  const client = useClient();
  const router = useRouter();
  const { data: ways } = useQuery(signInWaysQuery(client));
  const formRef = useRef<HTMLFormElement>(null);
  const [isEmailTaken, setIsEmailTaken] = useState(false);
  const [providerError, setProviderError] = useState<string | null>(null);
  const { error, isBusy, submit } = useSubmit(
    true,
    async () => {
      setIsEmailTaken(false);
      setProviderError(null);
      const fields = new FormData(formRef.current ?? undefined);
      const text = (name: string) => {
        const value = fields.get(name);
        return typeof value === "string" ? value : "";
      };
      const account = { name: text("name").trim(), email: text("email").trim(), password: text("password") };
      const user = await signUp(client, account).catch((failure: unknown) => {
        const { status } = toRequestError(failure);
        if (status === CLOSED) onClosed();
        else if (status === EMAIL_TAKEN) {
          setIsEmailTaken(true);
          formRef.current?.querySelector<HTMLInputElement>("[name=email]")?.select();
        } else throw failure;
        return null;
      });
      if (user !== null) await beginSession(client, router, user, next);
    },
    describeAuthError,
  );
  const shownError = error ?? providerError;

  return (
    <form ref={formRef} className="mt-5 flex flex-col gap-4" onSubmit={submit}>
      {shownError !== null && <FormAlert tone="danger">{shownError}</FormAlert>}
      <InputField label="Name" name="name" autoComplete="name" autoFocus required maxLength={200} />
      <InputField
        label="Email"
        error={isEmailTaken ? "An account with this email already exists." : undefined}
        type="email"
        name="email"
        autoComplete="username"
        required
      />
      <InputField
        label="Password"
        hint={PASSWORD_HINT}
        type="password"
        name="password"
        autoComplete="new-password"
        required
        {...PASSWORD_RULES}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Create account
      </Button>
      {ways !== undefined && ways.providerName !== null && (
        <ProviderButton name={ways.providerName} next={next} isAgain={false} onError={setProviderError} />
      )}
    </form>
  );
}
