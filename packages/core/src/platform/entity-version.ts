import * as z from "zod";
import { PreconditionFailedError } from "./errors.ts";
import { INT4_MAX } from "./number-range.ts";

/** How often a row was changed, as its readers know it. Opaque to them: it is compared and nothing else. */
export const entityVersion = z.string().meta({ description: "Another one after each change; what `If-Match` takes" });

/** What a conditional change expects to find: the version it is based on, several with commas, or `*` for any. */
export const expectedVersion = z.string().max(1_000).optional().meta({
  description: "The version that the change is based on; 412 if there is another one by now. As `If-Match`.",
});

/** The versions of which a row must have one; null for any. */
export type ExpectedVersions = readonly number[] | null;

/** An entity tag of ours: the version, and maybe a hash of what is shown along with the row. */
const ENTITY_TAG = /^(\d{1,10})(?:-[\w-]+)?$/;

/** Reads {@link expectedVersion}. What is no version of ours matches nothing. */
export function parseExpectedVersions(expected: string | undefined): ExpectedVersions {
  if (expected === undefined) return null;
  const tags = expected.split(",").map((tag) => tag.trim());
  if (tags.includes("*")) return null;
  const versions = tags.map((tag) => Number(ENTITY_TAG.exec(tag)?.[1] ?? Number.NaN));
  return versions.filter((version) => version <= INT4_MAX);
}

/** Throws {@link PreconditionFailedError} where other versions are expected than the one that is there. */
export function assertVersion(expected: ExpectedVersions, actual: number): void {
  if (expected !== null && !expected.includes(actual)) throw staleVersion();
}

export function staleVersion(): PreconditionFailedError {
  return new PreconditionFailedError("It has been changed since it was read. Nothing was changed.");
}
