import { isObjectName } from "@workspace/core";
import { splitUrl } from "../rest/percent-encoding.ts";

/** What a path of CalDAV leads to. */
export type DavPath =
  | { readonly kind: "root" | "principal" | "home" }
  | { readonly kind: "collection"; readonly collectionId: string | null }
  | { readonly kind: "object"; readonly collectionId: string | null; readonly name: string };

export const ROOT_PATH = "/caldav/";
export const PRINCIPAL_PATH = "/caldav/principal/";
export const HOME_PATH = "/caldav/tasks/";
/** The collection of the tasks without a project. */
const NO_PROJECT = "no-project";
const OBJECT_PATH = /^\/caldav\/tasks\/(no-project|[0-9a-f-]{36})(?:\/([^/]*))?$/;

/**
 * What is at the URL of a request or in an `href`; null if nothing is. Only names of objects may be percent-encoded, and the rest is
 * spelled in one way, so that everything has one path. Collections may lack the slash at their end.
 */
export function parseDavPath(url: string): DavPath | null {
  const [path] = splitUrl(url);
  const whole = path.endsWith("/") ? path : `${path}/`;
  if (whole === ROOT_PATH) return { kind: "root" };
  if (whole === PRINCIPAL_PATH) return { kind: "principal" };
  if (whole === HOME_PATH) return { kind: "home" };
  const [, collection, encodedName] = OBJECT_PATH.exec(path) ?? [];
  if (collection === undefined) return null;
  const collectionId = collection === NO_PROJECT ? null : collection;
  if (encodedName === undefined || encodedName === "") return { kind: "collection", collectionId };
  const name = decodeName(encodedName);
  return name === null ? null : { kind: "object", collectionId, name };
}

export function collectionPath(collectionId: string | null): string {
  return `${HOME_PATH}${collectionId ?? NO_PROJECT}/`;
}

export function objectPath(collectionId: string | null, name: string): string {
  return collectionPath(collectionId) + encodeURIComponent(name);
}

function decodeName(encoded: string): string | null {
  try {
    const name = decodeURIComponent(encoded);
    return isObjectName(name) ? name : null;
  } catch {
    return null;
  }
}
