import { SaxesParser } from "saxes";
import { StoreError } from "./store-error.ts";

/** What is known about an object without its content. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  /** Without quotes. Differs if the content does. */
  readonly etag: string;
  readonly modifiedAt: Date;
}

export interface ListedPage {
  readonly objects: readonly StoredObject[];
  /** With a delimiter: what the keys of further objects begin with, up to and including it. */
  readonly prefixes: readonly string[];
  /** Where the next page begins; null on the last. */
  readonly next: string | null;
}

/** Reads a page of `ListObjectsV2`, with keys encoded as in URLs if it says so. Throws {@link StoreError} if it is none. */
export function readListing(xml: string): ListedPage {
  const objects: { key: string; size: number; etag: string; modifiedAt: Date }[] = [];
  const prefixes: string[] = [];
  const path: string[] = [];
  let object = emptyObject();
  let [text, token, isTruncated, isEncoded, root] = ["", "", false, false, ""];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => {
    if (path.length === 0) root = name;
    path.push(name);
    text = "";
    if (name === "Contents") object = emptyObject();
  });
  parser.on("text", (piece) => (text += piece));
  parser.on("closetag", ({ name }) => {
    path.pop();
    const parent = path.at(-1);
    if (name === "Contents") objects.push(object);
    else if (parent === "Contents" && name === "Key") object.key = text;
    else if (parent === "Contents" && name === "Size") object.size = Number(text);
    else if (parent === "Contents" && name === "ETag") object.etag = withoutQuotes(text);
    else if (parent === "Contents" && name === "LastModified") object.modifiedAt = new Date(text);
    else if (parent === "CommonPrefixes" && name === "Prefix") prefixes.push(text);
    else if (path.length === 1 && name === "IsTruncated") isTruncated = text === "true";
    else if (path.length === 1 && name === "NextContinuationToken") token = text;
    else if (path.length === 1 && name === "EncodingType") isEncoded = text === "url";
  });
  try {
    parser.write(xml).close();
  } catch (cause) {
    throw new StoreError("The store has responded with a list that cannot be read.", { cause });
  }
  if (root !== "ListBucketResult")
    throw new StoreError("The store has not responded with a list; is it the right URL?");
  const decode = isEncoded ? decodeKey : (key: string): string => key;
  return {
    objects: objects.map((each) => ({ ...each, key: decode(each.key) })),
    prefixes: prefixes.map(decode),
    next: isTruncated && token !== "" ? token : null,
  };
}

function emptyObject() {
  return { key: "", size: 0, etag: "", modifiedAt: new Date(0) };
}

/** Some stores encode spaces as in forms. */
function decodeKey(key: string): string {
  return decodeURIComponent(key.replaceAll("+", " "));
}

/** An entity tag as it is compared: some responses have it in quotes, some not. */
export function withoutQuotes(etag: string): string {
  return etag.replaceAll(/^(?:W\/)?"|"$/g, "");
}
