import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { Skeleton } from "../../components/states.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { createSecretGrant, deleteSecretGrant } from "./secret-actions.ts";
import { grantsQuery } from "./secret-collection.ts";
import type { SecretGrant } from "./secret.ts";

/** Which commands may use a secret on the machines of assistants, and where. */
export function SecretGrants({ secretKey }: { readonly secretKey: string }) {
  const client = useClient();
  const [isAdding, setIsAdding] = useState(false);
  const { data: grants, error, refetch } = useQuery(grantsQuery(client, secretKey));
  return (
    <section aria-labelledby="secret-grants" className="flex flex-col gap-2 border-t border-border pt-4">
      <h3 id="secret-grants" className="text-13 font-medium text-strong">
        Commands that may use it
      </h3>
      <p className="text-13 text-muted">
        An assistant runs them as{" "}
        <code className="font-mono text-12 [overflow-wrap:anywhere] text-strong">
          workspace-hooks run --secret {secretKey} -- …
        </code>{" "}
        and sees the secret’s name wherever they print its value.
      </p>
      {grants !== undefined && grants.length > 0 && <Grants secretKey={secretKey} grants={grants} />}
      {grants === undefined && error !== null && (
        <div role="alert" className="flex items-center gap-2 text-13 text-muted">
          The commands could not be loaded. {toRequestError(error).message}
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {grants === undefined && error === null ? (
        // Nor the button, which would move when the commands appear.
        <Skeleton className="h-8 w-full" />
      ) : isAdding ? (
        <NewGrantForm secretKey={secretKey} onDone={() => setIsAdding(false)} />
      ) : (
        <Button size="small" className="self-start" onClick={() => setIsAdding(true)}>
          Allow a command
        </Button>
      )}
    </section>
  );
}

function Grants({ secretKey, grants }: { readonly secretKey: string; readonly grants: readonly SecretGrant[] }) {
  const client = useClient();
  const remove = (grant: SecretGrant) => {
    deleteSecretGrant(client, secretKey, grant.id).catch((error: unknown) => {
      toasts(client).show({ message: `Still allowed. ${toRequestError(error).message}`, tone: "danger" });
    });
  };
  return (
    <ul className="flex flex-col text-13">
      {grants.map((grant) => (
        <li key={grant.id} className="flex items-center gap-3 border-b border-border py-1 last:border-0">
          <span className="flex min-w-0 flex-1 flex-col font-mono text-12 [overflow-wrap:anywhere]">
            <span className="text-strong">{grant.command}</span>
            <span className="text-muted">{grant.folder}</span>
          </span>
          <IconButton
            label={`Do not allow ${grant.command} in ${grant.folder}`}
            icon={<X size={16} />}
            onClick={() => remove(grant)}
          />
        </li>
      ))}
    </ul>
  );
}

function NewGrantForm({ secretKey, onDone }: { readonly secretKey: string; readonly onDone: () => void }) {
  const client = useClient();
  const [command, setCommand] = useState("");
  const [folder, setFolder] = useState("");
  const isRelative = folder !== "" && !folder.startsWith("/");
  const isReady = command.trim() !== "" && folder !== "" && !isRelative;
  const { error, isBusy, submit } = useSubmit(isReady, () =>
    createSecretGrant(client, { key: secretKey, command, folder: folder.trim() }).then(onDone),
  );
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">Not allowed yet. {error}</FormAlert>}
      <InputField
        label="Command"
        hint="Its first words, for example npm publish. Whatever follows them is allowed too."
        autoFocus
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={command}
        className="font-mono text-13"
        onChange={(event) => setCommand(event.target.value)}
      />
      <InputField
        label="Folder"
        hint="On the assistant’s machine, from its root. Folders in it are included."
        error={isRelative ? "It must start with /." : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={1_000}
        placeholder="/home/ada/code/shop"
        value={folder}
        className="font-mono text-13"
        onChange={(event) => setFolder(event.target.value.trimStart())}
      />
      <div className="flex gap-2">
        <Button type="submit" size="small" tone="primary" isBusy={isBusy} disabled={!isReady}>
          Allow
        </Button>
        <Button size="small" tone="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
