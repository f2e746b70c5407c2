import { randomUUID } from "node:crypto";
import { readListing, withoutQuotes, type ListedPage, type StoredObject } from "./listing.ts";
import { StoreError } from "./store-error.ts";
import type { S3Access } from "./store-place.ts";
import { createRequests, type S3ClientOptions, type StoreContent } from "./store-requests.ts";

const WRITE_ID = "x-amz-meta-write-id";

/** What has to hold for a write: that there is no such object, or that it has this entity tag. */
export type WriteCondition = "new" | { readonly etag: string };

/** The content of an object as it was at one moment. */
export interface OpenObject extends StoredObject {
  /** Whichever of these is called first has the content. */
  readonly bytes: () => Promise<Buffer>;
  readonly chunks: () => AsyncIterable<Uint8Array>;
  readonly cancel: () => Promise<void>;
}

export interface OpenOptions {
  /** Only the object with this entity tag. */
  readonly etag?: string;
  readonly range?: { readonly start: number; readonly length: number };
}

export interface ListOptions {
  readonly delimiter?: "/";
  readonly pageSize?: number;
}

/** Requests to one bucket. Each throws {@link StoreError} with what the store has responded. */
export interface S3Client {
  /** The objects whose keys begin like this, in pages of up to 1,000 or `pageSize`. */
  list(prefix: string, options?: ListOptions): AsyncGenerator<ListedPage>;
  /** Null if there is no such object. */
  head(key: string): Promise<StoredObject | null>;
  /** The whole content; null if there is no such object. */
  read(key: string): Promise<Buffer | null>;
  /** Null if there is no such object, or if it has another entity tag. */
  open(key: string, options?: OpenOptions): Promise<OpenObject | null>;
  /** Stores an object and returns its entity tag; null, with nothing stored, if the condition does not hold. */
  put(key: string, content: StoreContent, condition?: WriteCondition): Promise<string | null>;
  /**
   * Copies an object within the bucket and returns the copy's entity tag; null if it has another one than expected, or is gone. With
   * `isNew` also if there is something at the target, as far as the store knows conditions of copies.
   */
  copy(from: string, to: string, etag: string, options?: { isNew: boolean }): Promise<string | null>;
  /** Removes an object, if it has this entity tag. Stores that know no conditions of removals ignore it. */
  remove(key: string, etag?: string): Promise<void>;
}

/** Creates a client that addresses objects by path, as all such stores permit. Throws {@link StoreError} for a wrong URL. */
export function createS3Client(access: S3Access, bucket: string, options: S3ClientOptions): S3Client {
  const { endpoint } = access;
  if (!/^https?:\/\/[^/]/.test(endpoint) || !URL.canParse(endpoint)) {
    throw new StoreError(`"${endpoint}" is not the http or https URL of an S3-compatible store.`);
  }
  const base = `${endpoint.replace(/\/$/, "")}/${bucket}`;
  const { send, fail, failFor } = createRequests(access, bucket, options);
  const urlOf = (key: string): string => `${base}/${encodeKey(key)}`;

  async function open(key: string, { etag, range }: OpenOptions = {}): Promise<OpenObject | null> {
    const headers = {
      ...(etag !== undefined && { "If-Match": `"${etag}"` }),
      ...(range !== undefined && { Range: `bytes=${range.start}-${range.start + range.length - 1}` }),
    };
    const { response } = await send({ method: "GET", url: urlOf(key), headers, expected: [404, 412] });
    if (!response.ok) {
      await failFor(response);
      return null;
    }
    const object = describeObject(key, response.headers);
    // For stores that ignore the condition.
    if (etag !== undefined && object.etag !== etag) {
      await response.body?.cancel();
      return null;
    }
    return {
      ...object,
      bytes: () => readWhole(response, fail),
      chunks: () => readBody(response, fail),
      cancel: async () => response.body?.cancel(),
    };
  }

  async function head(key: string): Promise<{ object: StoredObject; writeId: string | null } | null> {
    const { response } = await send({ method: "HEAD", url: urlOf(key), expected: [404] });
    if (!response.ok) return null;
    return { object: describeObject(key, response.headers), writeId: response.headers.get(WRITE_ID) };
  }

  return {
    open,
    async *list(prefix, listed = {}) {
      for (let token: string | null = ""; token !== null;) {
        const url = `${base}?${toQuery(prefix, token, listed)}`;
        const page = readListing(
          await readAgain(
            options.attempts,
            () => send({ method: "GET", url }),
            ({ response }) => readText(response, fail),
          ),
        );
        yield page;
        token = page.next;
      }
    },
    head: async (key) => (await head(key))?.object ?? null,
    read: (key) =>
      readAgain(
        options.attempts,
        () => open(key),
        async (object) => (await object?.bytes()) ?? null,
      ),
    async put(key, content, condition) {
      const writeId = randomUUID();
      const headers = { "Content-Type": "application/octet-stream", [WRITE_ID]: writeId, ...toHeaders(condition) };
      const expected = condition === undefined ? [] : [404, 412];
      const { response, attempt } = await send({ method: "PUT", url: urlOf(key), headers, content, expected });
      if (response.ok) return withoutQuotes(response.headers.get("ETag") ?? "");
      await failFor(response);
      // An earlier attempt may have been carried out although its response was lost.
      const found = attempt > 1 ? await head(key) : null;
      return found?.writeId === writeId ? found.object.etag : null;
    },
    async copy(from, to, etag, { isNew } = { isNew: false }) {
      const headers = {
        "x-amz-copy-source": `/${bucket}/${encodeKey(from)}`,
        "x-amz-copy-source-if-match": `"${etag}"`,
        ...(isNew && toHeaders("new")),
      };
      const { response } = await send({ method: "PUT", url: urlOf(to), headers, expected: [404, 412] });
      if (response.ok) {
        const text = await readText(response, fail);
        // It may respond with 200 before it copies, and with an error afterwards.
        const copied = /<ETag>([^<]*)<\/ETag>/.exec(text)?.[1];
        if (copied === undefined) throw fail(new Error("it has not copied an object"));
        return withoutQuotes(copied.replaceAll(/&(?:quot|#34);/g, '"'));
      }
      await failFor(response);
      return null;
    },
    async remove(key, etag) {
      const headers = etag === undefined ? {} : { "If-Match": `"${etag}"` };
      await send({ method: "DELETE", url: urlOf(key), headers, expected: etag === undefined ? [404] : [404, 412] });
    },
  };
}

function toQuery(prefix: string, token: string, { delimiter, pageSize }: ListOptions): string {
  return new URLSearchParams({
    "list-type": "2",
    prefix,
    "encoding-type": "url",
    ...(delimiter !== undefined && { delimiter }),
    ...(pageSize !== undefined && { "max-keys": String(pageSize) }),
    ...(token !== "" && { "continuation-token": token }),
  }).toString();
}

/** Opens a response again that breaks off while it is read. What fails before has been tried often enough. */
async function readAgain<Opened, Result>(
  attempts: number,
  open: () => Promise<Opened>,
  read: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await open();
    try {
      return await read(opened);
    } catch (error) {
      if (!(error instanceof StoreError) || attempt >= attempts) throw error;
    }
  }
}

function toHeaders(condition: WriteCondition | undefined): Record<string, string> {
  if (condition === undefined) return {};
  return condition === "new" ? { "If-None-Match": "*" } : { "If-Match": `"${condition.etag}"` };
}

/** As the signature has it: nothing but unreserved characters and slashes is left as it is. */
function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%2F", "/");
}

function describeObject(key: string, headers: Headers): StoredObject {
  const range = /\/(\d+)$/.exec(headers.get("Content-Range") ?? "")?.[1];
  return {
    key,
    size: Number(range ?? headers.get("Content-Length") ?? 0),
    etag: withoutQuotes(headers.get("ETag") ?? ""),
    modifiedAt: new Date(headers.get("Last-Modified") ?? 0),
  };
}

async function readText(response: Response, fail: (cause: unknown) => StoreError): Promise<string> {
  return (await readWhole(response, fail)).toString("utf8");
}

async function readWhole(response: Response, fail: (cause: unknown) => StoreError): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    throw fail(cause);
  }
}

async function* readBody({ body }: Response, fail: (cause: unknown) => StoreError): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  try {
    for await (const chunk of body) yield chunk;
  } catch (cause) {
    throw fail(cause);
  }
}
