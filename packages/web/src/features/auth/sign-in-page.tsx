import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useRef, useState, type FormEvent } from "react";
import { signIn } from "../../api/session.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { describeAuthError } from "./auth-error.ts";
import { AuthPage } from "./auth-page.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { beginSession } from "./user-session.ts";

export default function SignInPage() {
  const { next, ended } = useSearch({ from: "/sign-in" });
  return (
    <AuthPage
      title="Sign in to Workspace"
      footer={
        <>
          No account yet?{" "}
          <Link
            to="/sign-up"
            search={next === undefined ? {} : { next }}
            className="font-medium text-accent-text hover:underline"
          >
            Create one
          </Link>
          . The first account is made when the server first starts; its password is in that terminal.
        </>
      }
    >
      <SignInForm next={next} hasEnded={ended === true} />
    </AuthPage>
  );
}

function SignInForm({ next, hasEnded }: { next: string | undefined; hasEnded: boolean }) {
  const client = useClient();
  const router = useRouter();
  const [email, setEmail] = useDraft("sign-in.email");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const passwordRef = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      const user = await signIn(client, { email: (email ?? "").trim(), password: passwordRef.current?.value ?? "" });
      if (user !== null) await beginSession(client, router, user, next);
    } catch (failure) {
      setError(describeAuthError(failure));
      passwordRef.current?.select();
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form className="mt-5 flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {error !== null && <FormAlert tone="danger">{error}</FormAlert>}
      {error === null && hasEnded && (
        <FormAlert tone="info">
          Your session has ended. Sign in to continue where you left off; unsaved text is kept.
        </FormAlert>
      )}
      <InputField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus={email === null}
        required
        value={email ?? ""}
        onChange={(event) => setEmail(event.target.value === "" ? null : event.target.value)}
      />
      <InputField
        label="Password"
        ref={passwordRef}
        type="password"
        name="password"
        autoComplete="current-password"
        autoFocus={email !== null}
        required
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
