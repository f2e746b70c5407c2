import { StoreError } from "./store-error.ts";

/** How an S3-compatible store is reached. */
export interface S3Access {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where objects are. */
export interface StorePlace {
  readonly bucket: string;
  /** What all keys begin with: names that end with a slash each, or nothing. */
  readonly prefix: string;
}

const URL_PATTERN = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/;

/** Whether a place is in an S3-compatible store rather than a folder. */
export function isInStore(place: string): boolean {
  return place.startsWith("s3://");
}

/** Reads `s3://bucket/path`. Throws {@link StoreError}. */
export function parseStoreUrl(url: string): StorePlace {
  const [, bucket, path = ""] = URL_PATTERN.exec(url) ?? [];
  const names = path.split("/").filter((name) => name !== "");
  // A URL with such names would lead elsewhere.
  if (bucket === undefined || names.includes(".") || names.includes("..")) {
    throw new StoreError(`"${url}" is not s3://bucket/path; the path may have letters, digits, and . _ - / in it.`);
  }
  return { bucket, prefix: names.map((name) => `${name}/`).join("") };
}
