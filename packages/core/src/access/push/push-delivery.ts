import { request, type Agent } from "node:https";
import { loadWebPush, type PushKeys } from "./push-keys.ts";
import { PrivateAddressError } from "./push-network.ts";
import type { PushTarget } from "./push-subscription.queries.ts";

const TIMEOUT_MS = 10_000;

/** What a device shows. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** The path of the dashboard's page that opens. */
  readonly path: string;
  /** A message replaces an earlier one with the same tag. */
  readonly tag: string;
  /** For how long it is of use to somebody. */
  readonly ttlS: number;
}

/** What has become of a message: accepted; for a subscription that no longer exists; or not accepted, for this reason. */
export type PushOutcome =
  { readonly kind: "accepted" } | { readonly kind: "gone" } | { readonly kind: "failed"; readonly reason: string };

export interface PushSender {
  readonly keys: PushKeys;
  /** Whom a push service may contact about this server: an https or mailto URL. */
  readonly subject: string;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** A message that has not been delivered yet is replaced by the next one with its topic. */
const MAX_TOPIC_LENGTH = 32;
const GONE: readonly number[] = [404, 410];

/**
 * Sends a message, encrypted for the device (RFC 8291), to its push service. Redirects are not followed, and what the service
 * responds is not read: only its status counts.
 */
export async function deliverPush(sender: PushSender, target: PushTarget, message: PushMessage): Promise<PushOutcome> {
  const { ttlS, ...content } = message;
  const { generateRequestDetails } = await loadWebPush();
  const { endpoint, p256dh, auth } = target;
  const { method, headers, body } = generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(content),
    {
      vapidDetails: { subject: sender.subject, ...sender.keys },
      TTL: ttlS,
      urgency: "high",
      topic: message.tag.replaceAll(/\W/g, "").slice(0, MAX_TOPIC_LENGTH),
    },
  );
  try {
    const status = await send(endpoint, { ...sender, method, headers, body });
    if (GONE.includes(status)) return { kind: "gone" };
    const isAccepted = status >= 200 && status < 300;
    return isAccepted ? { kind: "accepted" } : { kind: "failed", reason: `The push service responded with ${status}.` };
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

interface PushRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

function send(url: string, { body, signal, ...options }: PushRequest): Promise<number> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, signal: limit }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddressError) return "The push service is not a public host.";
  if (!(error instanceof Error)) return "The push service could not be reached.";
  const code = "code" in error ? String(error.code) : error.name;
  if (code === "ABORT_ERR") return "The push service did not respond in time.";
  return `The push service could not be reached (${code}).`;
}
