import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { queryClient } from "../../api/query-client.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { offerUndo } from "../../undo/undo-stack.ts";
import { accessesKey, secretCollection } from "./secret-collection.ts";
import type { Secret } from "./secret.ts";

export interface NewSecret {
  readonly key: string;
  readonly value: string;
  readonly description: string | null;
}

/** Stores a secret. Rejects with a RequestError where the server refuses: the form keeps its input. */
export async function createSecret(input: NewSecret): Promise<Secret | undefined> {
  const now = new Date().toISOString();
  const shown: Secret = {
    id: newLocalId(),
    key: input.key,
    description: input.description,
    createdAt: now,
    updatedAt: now,
  };
  return writeOptimistically({
    collection: secretCollection,
    rowId: shown.id,
    apply: () => shown,
    send: () => trpcClient.secrets.create.mutate(input),
    confirm: (output) => output.data,
  });
}

/** Gets a secret's value, which the server records. Rejects with a RequestError. The value is not kept here. */
export async function revealSecret(key: string): Promise<string> {
  try {
    return (await trpcClient.secrets.reveal.query({ key })).data.value;
  } catch (error) {
    throw toRequestError(error);
  } finally {
    refreshAccesses(key);
  }
}

/** Changes what a secret is for. Rejects with a RequestError: the field keeps the text. Undoable. */
export async function saveSecretDescription(secret: Secret, text: string): Promise<void> {
  const description = text === "" ? null : text;
  if (description === secret.description) return;
  await sendDescription(secret, description);
  offerUndo(
    {
      id: newLocalId(),
      label: `Changed the description of ${secret.key}`,
      undo: () => void sendDescription(secret, secret.description),
    },
    { isQuiet: true },
  );
}

/** Puts another value in place of a secret's. It cannot be undone: the old value is nowhere. Rejects with a RequestError. */
export async function replaceSecretValue({ id, key }: Secret, value: string): Promise<void> {
  await writeOptimistically({
    collection: secretCollection,
    rowId: id,
    apply: (row) => row && { ...row, updatedAt: new Date().toISOString() },
    send: () => trpcClient.secrets.update.mutate({ key, value }),
    confirm: (output) => output.data,
  });
  refreshAccesses(key);
}

/** Deletes a secret for good. Rejects with a RequestError. */
export async function deleteSecret({ id, key }: Secret): Promise<void> {
  const pending = secretCollection.begin({ rowId: id, apply: () => undefined });
  try {
    await trpcClient.secrets.delete.mutate({ key });
    secretCollection.prune((row) => row.id === id, secretCollection.startRead());
  } catch (error) {
    throw toRequestError(error);
  } finally {
    pending.rollback();
  }
}

/** Encrypts all secrets with a new key. Answers how many. Rejects with a RequestError. */
export async function rotateEncryptionKey(): Promise<number> {
  try {
    return (await trpcClient.secrets.rotate.mutate()).data.rotated;
  } catch (error) {
    throw toRequestError(error);
  } finally {
    void queryClient.invalidateQueries({ queryKey: ["secrets"] });
  }
}

async function sendDescription({ id, key }: Secret, description: string | null): Promise<void> {
  await writeOptimistically({
    collection: secretCollection,
    rowId: id,
    apply: (row) => row && { ...row, description },
    send: () => trpcClient.secrets.update.mutate({ key, description }),
    confirm: (output) => output.data,
  });
  refreshAccesses(key);
}

function refreshAccesses(key: string): void {
  void queryClient.invalidateQueries({ queryKey: accessesKey(key) });
}
