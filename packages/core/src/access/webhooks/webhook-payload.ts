import type { Principal } from "../../platform/procedures/principal.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { isEventOfScopes, kindOf } from "./webhook-events.ts";
import type { PendingDelivery, WebhookTarget } from "./webhook-queue.queries.ts";

/** A longer resource is not sent; the receiver gets it from the API. */
const MAX_DATA_CHARACTERS = 256 * 1024;

/**
 * Reads a resource as somebody may: as REST returns it; `thin` if it has nothing but an id and a name, or does not exist any more;
 * `hidden` if the caller may not know of it.
 */
export type ReadResource = (
  principal: Principal,
  kind: string,
  id: string,
) => Promise<{ readonly data: object } | "thin" | "hidden">;

export interface PayloadDeps {
  readonly readResource: ReadResource;
  readonly redactor: Redactor;
}

/** The body of a delivery, with what its webhook may read; null if it may not know of the event. */
export async function writeBody(
  { readResource, redactor }: PayloadDeps,
  target: WebhookTarget,
  { type, resourceId, resourceName, occurredAt }: PendingDelivery,
): Promise<string | null> {
  const principal = principalOf(target);
  const kind = kindOf(type);
  if (kind === "changes") return bodyOf(type, occurredAt, {});
  if (principal.kind === "api_key" && !isEventOfScopes(type, principal.scopes)) return null;
  // What is said of several documents at once could be about others than those of a key's folder.
  const isLimited = principal.kind === "api_key" && principal.folder !== undefined && kind === "document";
  if (isLimited && resourceId === "*") return bodyOf(type, occurredAt, { id: "*", name: null });
  const thin = { id: resourceId, name: resourceName };
  const isGone = resourceId === "*" || type.endsWith(".delete");
  const read = isGone && !isLimited ? "thin" : await readResource(principal, kind, resourceId);
  if (read === "hidden") return null;
  if (read === "thin" || isGone) return bodyOf(type, occurredAt, thin);
  const body = bodyOf(type, occurredAt, redactor.redactObject({ ...read.data }));
  return body.length > MAX_DATA_CHARACTERS ? bodyOf(type, occurredAt, { ...thin, isTooLarge: true }) : body;
}

export function bodyOf(type: string, timestamp: string, data: object): string {
  return JSON.stringify({ type, timestamp, data });
}

function principalOf({ userId, userName, email, keyId, keyName, scopes, folder }: WebhookTarget): Principal {
  if (keyId === null) return { kind: "user", userId, name: userName, email };
  const key = { kind: "api_key", keyId, name: keyName ?? "", userId, scopes: new Set(scopes) } as const;
  return folder === null ? key : { ...key, folder };
}
