import type { RequestError } from "../../api/request-error.ts";
import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { Store, useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";

const UNAVAILABLE = 503;
const NO_MODEL = "No model is configured";

const missingModel = clientPart(() => new Store<string | null>(null));

/** Remembers that the server refused a run because no model is configured; ignores other errors. */
export function recordMissingModel(client: Client, { status, message }: RequestError): void {
  if (status === UNAVAILABLE && message.startsWith(NO_MODEL)) missingModel(client).set(message);
}

/** A run has started, so a model is configured by now. */
export function clearMissingModel(client: Client): void {
  missingModel(client).set(null);
}

/** Why no agent can run on this server, in the server's words; null until it has refused a run for that reason. */
export function useMissingModel(): string | null {
  return useStore(missingModel(useClient()));
}
