import { createHmac, randomBytes } from "node:crypto";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";

const TIMEOUT_MS = 10_000;
/** How much of a response is read, and how long it may take after its status. */
const MAX_READ_BYTES = 4096;
const MAX_READ_MS = 1_000;
const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;
const MS_PER_S = 1000;

/** A secret as the Standard Webhooks write it. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The headers by which a receiver recognises a message and verifies that it was sent by whoever has the secret, and when. */
export function signatureHeaders(secret: string, { id, at, body }: SignedMessage): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / MS_PER_S).toString();
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

export interface SignedMessage {
  readonly id: string;
  /** When it is sent. */
  readonly at: Date;
  readonly body: string;
}

/** What a receiver responded: its status, and the beginning of the text. Or that there was no response, and why. */
export type WebhookResponse =
  | { readonly status: number; readonly text: string; readonly location: string | null }
  | { readonly status: null; readonly problem: string };

/**
 * Sends a message. There are no credentials in the request, and redirects are not followed; of the response, only the beginning is
 * read, for a limited time. Never rejects.
 */
export async function sendWebhook(
  url: string,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<WebhookResponse> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await open(url, { headers, body, signal: limit });
    const { statusCode = 0, headers: received } = response;
    return { status: statusCode, text: await readBeginning(response), location: received.location ?? null };
  } catch (error) {
    return { status: null, problem: describe(error) };
  }
}

function open(
  url: string,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<IncomingMessage> {
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A connection of its own: one that a receiver has just closed would look like a failure.
    const sent = request(url, {
      method: "POST",
      agent: false,
      signal,
      headers: {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        "User-Agent": "Workspace-Webhooks",
        ...headers,
      },
    });
    sent.on("response", resolve);
    // Also after the response has begun, when nobody is interested any more.
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The status has decided already, so whatever is wrong with the rest does not matter. */
function readBeginning(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      response.destroy();
      resolve(Buffer.concat(chunks).subarray(0, MAX_READ_BYTES).toString("utf8"));
    };
    const timer = setTimeout(finish, MAX_READ_MS);
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_READ_BYTES) finish();
    });
    response.on("error", finish);
    response.on("close", finish);
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return "The receiver could not be reached.";
  const code = "code" in error ? String(error.code) : error.name;
  if (code === "ABORT_ERR") return "The receiver did not respond within 10 seconds.";
  return `The receiver could not be reached (${code}).`;
}
