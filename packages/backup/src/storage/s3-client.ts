import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { SaxesParser } from "saxes";
import { BackupError } from "../backup-error.ts";
import type { S3Access } from "./backup-storage.ts";

/** A network or a store that fails for a moment is no reason to give up a backup. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 300;
/** For one object, of at most a few megabytes. */
const REQUEST_DEADLINE_MS = 120_000;
/** Far more than there are chunks of 4 MB in 40 TB. */
const MAX_OBJECTS = 10_000_000;

/** The few requests that backups need, to one bucket. Each throws {@link BackupError} with what the store has responded. */
export interface S3Client {
  /** All keys that begin like this, with the sizes of their objects. */
  list(prefix: string): Promise<Map<string, number>>;
  /** Null if there is no such object. */
  get(key: string): Promise<Buffer | null>;
  put(key: string, content: Buffer): Promise<void>;
  /** Returns false if there is such an object; some stores replace it instead. */
  putNew(key: string, content: Buffer): Promise<boolean>;
  remove(key: string): Promise<void>;
}

const NOT_FOUND = 404;
const EXISTS = [409, 412];

/** Creates a client that addresses objects by path, as all such stores permit. */
export function createS3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Access, bucket: string): S3Client {
  if (!/^https?:\/\/[^/]/.test(endpoint) || !URL.canParse(endpoint)) {
    throw new BackupError(`"${endpoint}" is not the http or https URL of an S3-compatible store.`);
  }
  const base = `${endpoint.endsWith("/") ? endpoint.slice(0, -1) : endpoint}/${bucket}`;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });

  /** Sends a request until the store responds with anything but a failure of its own; an expected status is no error. */
  async function send(url: string, init: RequestInit, expected: readonly number[] = []): Promise<Response> {
    let failure: { message: string; cause?: unknown } = { message: "" };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await sleep(FIRST_PAUSE_MS * 2 ** attempt);
      try {
        const response = await signer.fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_DEADLINE_MS) });
        if (response.ok || expected.includes(response.status)) return response;
        failure = { message: `It responded with ${response.status} ${await readCode(response)}` };
        if (response.status < 500 && response.status !== 429) break;
      } catch (cause) {
        failure = { message: describe(cause), cause };
      }
    }
    const { message, cause } = failure;
    throw new BackupError(`The store at ${endpoint}, bucket ${bucket}: ${message}`.trim(), { cause });
  }

  function put(key: string, content: Buffer, more: Record<string, string> = {}): Promise<Response> {
    // The store refuses what it has received otherwise.
    const sha256 = createHash("sha256").update(content).digest("hex");
    const headers = { "X-Amz-Content-Sha256": sha256, "Content-Type": "application/octet-stream", ...more };
    const body = new Uint8Array(content);
    return send(`${base}/${key}`, { method: "PUT", headers, body }, Object.keys(more).length > 0 ? EXISTS : []);
  }

  return {
    async list(prefix) {
      const found = new Map<string, number>();
      for (let token: string | null = ""; token !== null;) {
        const query = new URLSearchParams({
          "list-type": "2",
          prefix,
          ...(token !== "" && { "continuation-token": token }),
        });
        const page = readListing(await (await send(`${base}?${query.toString()}`, { method: "GET" })).text());
        for (const { key, size } of page.objects) found.set(key, size);
        if (found.size > MAX_OBJECTS) throw new BackupError(`There are too many objects in the bucket ${bucket}.`);
        token = page.next;
      }
      return found;
    },
    async get(key) {
      for (let attempt = 1; ; attempt += 1) {
        const response = await send(`${base}/${key}`, { method: "GET" }, [NOT_FOUND]);
        if (response.status === NOT_FOUND) return null;
        try {
          return Buffer.from(await response.arrayBuffer());
        } catch (cause) {
          // The connection broke within the content.
          if (attempt === ATTEMPTS) throw new BackupError(`The store at ${endpoint}: ${describe(cause)}`, { cause });
          await sleep(FIRST_PAUSE_MS * 2 ** attempt);
        }
      }
    },
    async put(key, content) {
      await put(key, content);
    },
    putNew: async (key, content) => (await put(key, content, { "If-None-Match": "*" })).ok,
    async remove(key) {
      await send(`${base}/${key}`, { method: "DELETE" }, [NOT_FOUND]);
    },
  };
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

interface Listing {
  readonly objects: readonly { key: string; size: number }[];
  /** Null on the last page. */
  readonly next: string | null;
}

/** Reads a page of `ListObjectsV2`. Throws {@link BackupError} if it is none. */
export function readListing(xml: string): Listing {
  const objects: { key: string; size: number }[] = [];
  const path: string[] = [];
  let object = { key: "", size: 0 };
  let [text, token, isTruncated, root] = ["", "", false, ""];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => {
    if (path.length === 0) root = name;
    path.push(name);
    text = "";
    if (path.at(-1) === "Contents") object = { key: "", size: 0 };
  });
  parser.on("text", (piece) => (text += piece));
  parser.on("closetag", ({ name }) => {
    path.pop();
    const parent = path.at(-1);
    if (parent === "Contents" && name === "Key") object.key = text;
    else if (parent === "Contents" && name === "Size") object.size = Number(text);
    else if (name === "Contents") objects.push(object);
    else if (path.length === 1 && name === "IsTruncated") isTruncated = text === "true";
    else if (path.length === 1 && name === "NextContinuationToken") token = text;
  });
  try {
    parser.write(xml).close();
  } catch (cause) {
    throw new BackupError("The store has responded with a list that cannot be read.", { cause });
  }
  if (root !== "ListBucketResult")
    throw new BackupError("The store has not responded with a list; is it the right URL?");
  return { objects, next: isTruncated && token !== "" ? token : null };
}
