import * as z from "zod";
import { PreconditionFailedError } from "./errors.ts";
import { INT4_MAX } from "./number-range.ts";

/** A row's version. Opaque to clients, which only compare it for equality. */
export const entityVersion = z
  .string()
  .meta({ description: "Changes with every update; the entity tag to send in `If-Match`" });

/** An entity tag of ours: the version, optionally followed by a hash of the related data that is shown with the row. */
const ENTITY_TAG = /^(\d{1,10})(?:-[\w-]+)?$/;
/** The version of no row. */
const NO_VERSION = "0";

/** The precondition of a conditional change: the version it is based on, several separated by commas, or `*` for any. */
export const expectedVersion = z
  .string()
  .max(1_000)
  .refine((text) => splitTags(text).every(isOwnTag), "expected a version, several separated by commas, or *")
  .optional()
  .meta({
    description: "The version that the change is based on; 412 if it has changed since. Same as `If-Match`.",
  });

/**
 * The tags of an `If-Match` header, without quotes and separated by commas, as an {@link expectedVersion}. Unlike there, a tag that
 * is not one of ours is no mistake: it matches no row.
 */
export function toExpectedVersion(tags: string): string {
  return splitTags(tags)
    .map((tag) => (isOwnTag(tag) ? tag : NO_VERSION))
    .join(",");
}

/** The acceptable versions of a row; null for any. */
export type ExpectedVersions = readonly number[] | null;

/** Parses {@link expectedVersion}. A tag that is not one of ours matches nothing. */
export function parseExpectedVersions(expected: string | undefined): ExpectedVersions {
  if (expected === undefined) return null;
  const tags = splitTags(expected);
  if (tags.includes("*")) return null;
  const versions = tags.map((tag) => Number(ENTITY_TAG.exec(tag)?.[1] ?? Number.NaN));
  return versions.filter((version) => version <= INT4_MAX);
}

/** Throws {@link PreconditionFailedError} if the actual version is not an expected one. */
export function assertVersion(expected: ExpectedVersions, actual: number): void {
  if (expected !== null && !expected.includes(actual)) throw staleVersion();
}

function splitTags(text: string): string[] {
  return text.split(",").map((tag) => tag.trim());
}

function isOwnTag(tag: string): boolean {
  return tag === "*" || ENTITY_TAG.test(tag);
}

function staleVersion(): PreconditionFailedError {
  return new PreconditionFailedError("It has been changed since it was read. Nothing was changed.");
}
