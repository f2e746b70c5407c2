import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { accessesKey, grantsKey, secretCollection } from "./secret-collection.ts";
import type { Secret } from "./secret.ts";
import { undoStack } from "../../undo/undo-stack.ts";

export interface NewSecret {
  readonly key: string;
  readonly value: string;
  readonly description: string | null;
}

/** Stores a secret. Rejects with a RequestError if the server refuses: the form keeps its input. */
export async function createSecret(client: Client, input: NewSecret): Promise<Secret | undefined> {
  const now = new Date().toISOString();
  const shown: Secret = {
    id: newLocalId(),
    key: input.key,
    description: input.description,
    createdAt: now,
    updatedAt: now,
  };
  return writeOptimistically({
    collection: secretCollection(client),
    rowId: shown.id,
    apply: () => shown,
    send: () => client.api.secrets.create.mutate(input),
    confirm: (output) => output.data,
  });
}

/** Fetches a secret's value, which the server records. Rejects with a RequestError. The value is not stored here. */
export async function revealSecret(client: Client, key: string): Promise<string> {
  try {
    return (await client.api.secrets.reveal.query({ key })).data.value;
  } catch (error) {
    throw toRequestError(error);
  } finally {
    refreshAccesses(client, key);
  }
}

/** Changes the description of a secret. Rejects with a RequestError: the field keeps the text. Undoable. */
export async function saveSecretDescription(client: Client, secret: Secret, text: string): Promise<void> {
  const description = text === "" ? null : text;
  if (description === secret.description) return;
  await sendDescription(client, secret, description);
  undoStack(client).offer(
    {
      id: newLocalId(),
      label: `Changed the description of ${secret.key}`,
      undo: () => void sendDescription(client, secret, secret.description),
    },
    { isQuiet: true },
  );
}

/** Replaces a secret's value. Not undoable, since the old value is stored nowhere. Rejects with a RequestError. */
export async function replaceSecretValue(client: Client, { id, key }: Secret, value: string): Promise<void> {
  await writeOptimistically({
    collection: secretCollection(client),
    rowId: id,
    apply: (row) => row && { ...row, updatedAt: new Date().toISOString() },
    send: () => client.api.secrets.update.mutate({ key, value }),
    confirm: (output) => output.data,
  });
  refreshAccesses(client, key);
}

/** Permanently deletes a secret. Rejects with a RequestError. */
export async function deleteSecret(client: Client, { id, key }: Secret): Promise<void> {
  const pending = secretCollection(client).begin({ rowId: id, apply: () => undefined });
  try {
    await client.api.secrets.delete.mutate({ key });
    secretCollection(client).drop([id]);
  } catch (error) {
    throw toRequestError(error);
  } finally {
    pending.rollback();
  }
}

/** Lets a command use a secret in a folder. Rejects with a RequestError: the form keeps its input. */
export async function createSecretGrant(
  client: Client,
  input: { readonly key: string; readonly command: string; readonly folder: string },
): Promise<void> {
  try {
    await client.api.secrets.createGrant.mutate(input);
  } catch (error) {
    throw toRequestError(error);
  }
  await client.queries.invalidateQueries({ queryKey: grantsKey(input.key) });
}

/** Lets a command use a secret no longer. Rejects with a RequestError. */
export async function deleteSecretGrant(client: Client, key: string, id: string): Promise<void> {
  try {
    await client.api.secrets.deleteGrant.mutate({ key, id });
  } catch (error) {
    throw toRequestError(error);
  } finally {
    await client.queries.invalidateQueries({ queryKey: grantsKey(key) });
  }
}

/** Re-encrypts all secrets with a new key. Returns their number. Rejects with a RequestError. */
export async function rotateEncryptionKey(client: Client): Promise<number> {
  try {
    return (await client.api.secrets.rotate.mutate()).data.rotated;
  } catch (error) {
    throw toRequestError(error);
  } finally {
    void client.queries.invalidateQueries({ queryKey: ["secrets"] });
  }
}

async function sendDescription(client: Client, { id, key }: Secret, description: string | null): Promise<void> {
  await writeOptimistically({
    collection: secretCollection(client),
    rowId: id,
    apply: (row) => row && { ...row, description },
    send: () => client.api.secrets.update.mutate({ key, description }),
    confirm: (output) => output.data,
  });
  refreshAccesses(client, key);
}

function refreshAccesses(client: Client, key: string): void {
  void client.queries.invalidateQueries({ queryKey: accessesKey(key) });
}
