import { useQuery } from "@tanstack/react-query";
import { LockKeyhole } from "lucide-react";
import { useState } from "react";
import { signInWaysQuery } from "../../api/sign-in-methods.ts";
import { trpc } from "../../api/trpc.ts";
import { renameUser } from "../../api/session-actions.ts";
import { sessionQuery, type SessionUser } from "../../api/session.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { ResetCommand } from "../auth/reset-command.tsx";
import { dialogs } from "../shell/dialogs.ts";
import { AccountSessions } from "./account-sessions.tsx";
import { ReminderDefault } from "./reminder-default.tsx";
import { SignInMethods } from "./sign-in-methods.tsx";
import { SignIns } from "./sign-ins.tsx";

/** The user's own account: name, password and other ways to sign in, where they are signed in, and what happened. */
export default function AccountSettings() {
  const client = useClient();
  const { data: user } = useQuery(sessionQuery(client));
  return (
    <div className="flex flex-col gap-8">
      {user !== undefined && user !== null && <Profile key={user.name} user={user} />}
      <Password />
      <SignInMethods />
      <ReminderDefault />
      <AccountSessions />
      <SignIns />
    </div>
  );
}

function Password() {
  const client = useClient();
  const { data } = useQuery(trpc(client).account.listSignInMethods.queryOptions());
  const { data: ways } = useQuery(signInWaysQuery(client));
  return (
    <section aria-labelledby="password" className="flex flex-col items-start gap-2">
      <h2 id="password" className="text-14 font-semibold text-strong">
        Password
      </h2>
      {data?.data.hasPassword === false ? (
        <p className="text-normal">
          You have none.{" "}
          {ways?.canResetPassword === true ? (
            <>To set one, sign out and choose “Forgot your password?” on the page for signing in.</>
          ) : (
            <ResetCommand />
          )}
        </p>
      ) : (
        <>
          <p className="text-normal">A new password signs you out everywhere but here.</p>
          <Button
            icon={<LockKeyhole aria-hidden size={16} />}
            aria-haspopup="dialog"
            onClick={() => dialogs(client).open({ kind: "change-password" })}
          >
            Change password
          </Button>
        </>
      )}
    </section>
  );
}

function Profile({ user }: { readonly user: SessionUser }) {
  const client = useClient();
  const [name, setName] = useState(user.name);
  const isChanged = name.trim() !== "" && name.trim() !== user.name;
  const { error, isBusy, submit } = useSubmit(isChanged, async () => {
    await renameUser(client, name.trim());
    await client.queries.invalidateQueries({ queryKey: sessionQuery(client).queryKey });
    toasts(client).show({ message: "Your name has been changed" });
  });
  return (
    <form aria-labelledby="profile" className="flex flex-col gap-3" onSubmit={submit}>
      <h2 id="profile" className="text-14 font-semibold text-strong">
        Profile
      </h2>
      {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <InputField
            label="Name"
            className="w-full"
            autoComplete="name"
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Button type="submit" isBusy={isBusy} disabled={!isChanged}>
          Save name
        </Button>
      </div>
      <p className="text-13 text-muted">You sign in as {user.email}.</p>
    </form>
  );
}
