import { createHash } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { StoreError } from "./store-error.ts";
import type { S3Access } from "./store-place.ts";

const FIRST_PAUSE_MS = 150;
/** A request may take longer by this for its content. */
const BYTES_PER_MS = 100;

export interface S3ClientOptions {
  /** How often a request is sent if the store does not respond, or fails. */
  readonly attempts: number;
  /** How long the store may take to respond, content aside. */
  readonly deadlineMs: number;
}

/** Content in memory, or from where it can be read again for another attempt. */
export type StoreContent =
  Uint8Array | { readonly size: number; readonly sha256: string; readonly read: () => AsyncIterable<Uint8Array> };

export interface Outgoing {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: StoreContent;
  /** Statuses that are no errors. */
  readonly expected?: readonly number[];
}

/** What has come back, and how often it was sent. */
interface Incoming {
  readonly response: Response;
  readonly attempt: number;
}

/** Signs requests to a bucket, and sends them again while the store fails. */
export function createRequests(access: S3Access, bucket: string, options: S3ClientOptions) {
  const toError = (message: string, more: { status?: number; cause?: unknown } = {}): StoreError =>
    new StoreError(`The store at ${access.endpoint}, bucket ${bucket}: ${message}`.trim(), more);

  return {
    /** Sends a request until the store responds with anything but a failure of its own. */
    async send(outgoing: Outgoing): Promise<Incoming> {
      for (let attempt = 1; ; attempt += 1) {
        let failure: StoreError;
        try {
          const response = await sendOnce(access, outgoing, options.deadlineMs);
          if (response.ok || outgoing.expected?.includes(response.status) === true) return { response, attempt };
          const { status } = response;
          failure = toError(`It responded with ${status} ${await readCode(response)}`, { status });
          // 409 is a write at the same time as another one.
          if (status < 500 && status !== 429 && status !== 409) throw failure;
        } catch (cause) {
          if (cause instanceof StoreError) throw cause;
          failure = toError(describe(cause), { cause });
        }
        if (attempt >= options.attempts) throw failure;
        await sleep(FIRST_PAUSE_MS * 2 ** attempt);
      }
    },

    /** The error for a response that broke off. */
    fail: (cause: unknown): StoreError => toError(describe(cause), { cause }),

    /** Throws if a response that may be expected of an object is about the bucket. */
    async failFor(response: Response): Promise<void> {
      const code = await readCode(response);
      if (code.startsWith("NoSuchBucket")) throw toError(`It responded with 404 ${code}`, { status: 404 });
    },
  };
}

async function sendOnce(access: S3Access, outgoing: Outgoing, deadlineMs: number): Promise<Response> {
  const { method, url, headers = {}, content } = outgoing;
  const { accessKeyId, secretAccessKey, region } = access;
  // The store refuses what it has received otherwise.
  const digest = content === undefined ? {} : { "X-Amz-Content-Sha256": sha256Of(content) };
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers, ...digest },
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
  });
  const signed = await signer.sign();
  const size = content === undefined ? 0 : content instanceof Uint8Array ? content.byteLength : content.size;
  if (size > 0) signed.headers.set("Content-Length", String(size));
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DOMException("", "TimeoutError")),
    deadlineMs + Math.ceil(size / BYTES_PER_MS),
  );
  try {
    return await fetch(signed.url, { method, headers: signed.headers, signal: deadline.signal, ...toBody(content) });
  } finally {
    clearTimeout(timer);
  }
}

function toBody(content: StoreContent | undefined): RequestInit {
  if (content === undefined) return {};
  if (content instanceof Uint8Array) return { body: new Uint8Array(content) };
  return { body: ReadableStream.from(content.read()), duplex: "half" };
}

function sha256Of(content: StoreContent): string {
  return content instanceof Uint8Array ? createHash("sha256").update(content).digest("hex") : content.sha256;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "It does not respond.";
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return `It cannot be reached (${cause === "" ? error.message : cause}).`;
}

/** The code in the body of an error, such as `NoSuchBucket`. */
async function readCode(response: Response): Promise<string> {
  const text = await response.text().catch(() => "");
  return `${/<Code>([A-Za-z0-9]{1,100})<\/Code>/.exec(text)?.[1] ?? response.statusText}.`;
}
