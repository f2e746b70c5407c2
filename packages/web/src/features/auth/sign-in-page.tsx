import { useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { signIn } from "../../api/session-actions.ts";
import { type SessionUser } from "../../api/session.ts";
import { signInWaysQuery } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { useStored } from "../../browser/stored-value.ts";
import { describeAuthError } from "./auth-error.ts";
import { AuthPage } from "./auth-page.tsx";
import { CodeForm } from "./code-form.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { hasPasskeys, signInByPasskey } from "./passkeys.ts";
import { ResetCommand } from "./reset-command.tsx";
import { ProviderButton } from "./provider-button.tsx";
import { describeProviderProblem } from "./provider-problem.ts";
import { beginSession } from "./change-session.ts";

export default function SignInPage() {
  const client = useClient();
  const router = useRouter();
  const { next, ended, step, problem } = useSearch({ from: "/sign-in" });
  const { data: ways } = useQuery(signInWaysQuery(client));
  const [isCodeNeeded, setIsCodeNeeded] = useState(step === "code");
  const begin = (user: SessionUser) => beginSession(client, router, user, next);
  if (isCodeNeeded) {
    return (
      <AuthPage title="Enter a code">
        <p className="text-muted">
          {step === "code" ? `${ways?.providerName ?? "The provider"} has signed you in.` : "Your password was right."}{" "}
          One more step.
        </p>
        <CodeForm onSignedIn={begin} onBack={() => setIsCodeNeeded(false)} />
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="Sign in to Workspace"
      footer={
        <>
          {ways?.isSignUpOpen !== false && (
            <>
              No account yet?{" "}
              <Link
                to="/sign-up"
                search={next === undefined ? {} : { next }}
                className="font-medium text-accent-text hover:underline"
              >
                Create one
              </Link>
              .{" "}
            </>
          )}
          The first account is made when the server first starts; its password is in that terminal.
          {ways?.canResetPassword === false && (
            <>
              {" "}
              Forgot a password? <ResetCommand />
            </>
          )}
        </>
      }
    >
      <SignInForm
        providerName={ways?.providerName ?? null}
        canResetPassword={ways?.canResetPassword === true}
        next={next}
        problem={problem}
        hasEnded={ended === true}
        onSignedIn={begin}
        onCodeNeeded={() => setIsCodeNeeded(true)}
      />
    </AuthPage>
  );
}

interface SignInFormProps {
  readonly providerName: string | null;
  readonly canResetPassword: boolean;
  readonly next: string | undefined;
  /** Why somebody who came back from the provider is not signed in. */
  readonly problem: string | undefined;
  readonly hasEnded: boolean;
  readonly onSignedIn: (user: SessionUser) => Promise<void>;
  readonly onCodeNeeded: () => void;
}

function SignInForm({
  providerName,
  canResetPassword,
  next,
  problem,
  hasEnded,
  onSignedIn,
  onCodeNeeded,
}: SignInFormProps) {
  const client = useClient();
  const [email, setEmail] = useStored("sign-in.email");
  /** Of the last visit, until something else is tried. */
  const [shownProblem, setShownProblem] = useState(problem);
  const [ownError, setOwnError] = useState<string | null>(null);
  const error = ownError ?? describeProviderProblem(shownProblem, providerName ?? "The provider");
  const setError = (message: string | null) => {
    setShownProblem(undefined);
    setOwnError(message);
  };
  const [busyWith, setBusyWith] = useState<"password" | "passkey" | null>(null);
  const passwordRef = useRef<HTMLInputElement>(null);

  const attempt = async (way: "password" | "passkey", run: () => Promise<SessionUser | "code-needed" | null>) => {
    if (busyWith !== null) return;
    setBusyWith(way);
    setError(null);
    try {
      const result = await run();
      if (result === "code-needed") onCodeNeeded();
      else if (result !== null) await onSignedIn(result);
    } catch (failure) {
      setError(describeAuthError(failure));
      if (way === "password") passwordRef.current?.select();
    } finally {
      setBusyWith(null);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credentials = { email: (email ?? "").trim(), password: passwordRef.current?.value ?? "" };
    void attempt("password", () => signIn(client, credentials));
  };

  return (
    <form className="mt-5 flex flex-col gap-4" onSubmit={submit}>
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
      {canResetPassword && (
        <Link to="/forgot-password" className="-mt-2 self-start text-13 text-accent-text hover:underline">
          Forgot your password?
        </Link>
      )}
      <Button type="submit" tone="primary" isBusy={busyWith === "password"}>
        Sign in
      </Button>
      {hasPasskeys() && (
        <Button
          icon={<KeyRound aria-hidden size={16} />}
          isBusy={busyWith === "passkey"}
          onClick={() => void attempt("passkey", () => signInByPasskey(client))}
        >
          Sign in with a passkey
        </Button>
      )}
      {providerName !== null && (
        <ProviderButton name={providerName} next={next} isAgain={problem !== undefined} onError={setError} />
      )}
    </form>
  );
}
