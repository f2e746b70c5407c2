import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { changePassword } from "../../api/session-actions.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { describeAuthError } from "./auth-error.ts";
import { PASSWORD_HINT, PASSWORD_RULES } from "./password-length.ts";

const WRONG_PASSWORD = 400;

type Problem = { kind: "wrong-password" } | { kind: "other"; message: string };

/** Changes the user's password, which ends their sessions elsewhere. */
export default function ChangePasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    setIsBusy(true);
    setProblem(null);
    try {
      await changePassword(client, { currentPassword: current, newPassword: next });
      onClose();
      toasts(client).show({ message: "Your password has been changed" });
    } catch (failure) {
      const found = toProblem(failure);
      setProblem(found);
      if (found.kind === "wrong-password") form.querySelector("input")?.select();
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title="Change password"
      description="You stay signed in here. All your other sessions end."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {problem?.kind === "other" && <FormAlert tone="danger">Not changed. {problem.message}</FormAlert>}
        <InputField
          label="Current password"
          error={problem?.kind === "wrong-password" ? "This is not your password." : undefined}
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <InputField
          label="New password"
          hint={PASSWORD_HINT}
          type="password"
          autoComplete="new-password"
          required
          {...PASSWORD_RULES}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        <div className="flex justify-end">
          <Button type="submit" tone="primary" isBusy={isBusy}>
            Change password
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function toProblem(failure: unknown): Problem {
  const { status } = toRequestError(failure);
  return status === WRONG_PASSWORD
    ? { kind: "wrong-password" }
    : { kind: "other", message: describeAuthError(failure) };
}
