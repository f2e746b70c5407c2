import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { signUp } from "../../api/session.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { describeAuthError } from "./auth-error.ts";
import { AuthPage } from "./auth-page.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { MIN_PASSWORD_LENGTH, PASSWORD_HINT } from "./password-length.ts";
import { beginSession } from "./user-session.ts";

const CLOSED = 403;
const EMAIL_TAKEN = 422;

type Problem = { kind: "closed" } | { kind: "email-taken" } | { kind: "other"; message: string };

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
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    const text = (name: string) => {
      const value = fields.get(name);
      return typeof value === "string" ? value : "";
    };
    setIsBusy(true);
    setProblem(null);
    try {
      const user = await signUp(client, {
        name: text("name").trim(),
        email: text("email").trim(),
        password: text("password"),
      });
      if (user !== null) await beginSession(client, router, user, next);
    } catch (failure) {
      const found = toProblem(failure);
      if (found.kind === "closed") return onClosed();
      setProblem(found);
      if (found.kind === "email-taken") form.querySelector<HTMLInputElement>("[name=email]")?.select();
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form className="mt-5 flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {problem?.kind === "other" && <FormAlert tone="danger">{problem.message}</FormAlert>}
      <InputField label="Name" name="name" autoComplete="name" autoFocus required maxLength={200} />
      <InputField
        label="Email"
        error={problem?.kind === "email-taken" ? "An account with this email already exists." : undefined}
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
        minLength={MIN_PASSWORD_LENGTH}
      />
      <Button type="submit" tone="primary" isBusy={isBusy}>
        Create account
      </Button>
    </form>
  );
}

function toProblem(failure: unknown): Problem {
  const { status } = toRequestError(failure);
  if (status === CLOSED) return { kind: "closed" };
  if (status === EMAIL_TAKEN) return { kind: "email-taken" };
  return { kind: "other", message: describeAuthError(failure) };
}
