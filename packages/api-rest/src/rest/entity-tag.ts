import { createHash } from "node:crypto";
import { ConflictError, InvalidInputError, PreconditionFailedError, type RouteMeta } from "@workspace/core";

const ENTITY_TAG = /(W\/)?"([^"]*)"|\*|[^\s,"]+/g;
/** Enough that two states of a row's neighbours never share a tag. */
const HASH_LENGTH = 16;

/**
 * What `If-Match` expects, as an input's `expectedHash` or `expectedVersion`: entity tags without quotes, separated by commas,
 * or `*`. Tags that are weak keep their mark, and so match nothing, as the header demands. Undefined without the header.
 */
export function readIfMatch(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const tags = [...header.matchAll(ENTITY_TAG)].map(([text, weak, tag]) => (weak === undefined ? (tag ?? text) : text));
  return tags.join(",");
}

/**
 * Adds `If-Match` to an input that may say the same itself, in the given field. Throws {@link InvalidInputError} where the two
 * differ.
 */
export function withIfMatch(
  input: object,
  header: string | undefined,
  field: NonNullable<RouteMeta["takesIfMatch"]>,
): object {
  const expected = readIfMatch(header);
  if (expected === undefined) return input;
  const given = valueOf(input, field);
  if (given !== undefined && given !== expected) {
    throw InvalidInputError.at(field, "must not differ from If-Match");
  }
  return { ...input, [field]: expected };
}

/**
 * Whether `If-None-Match` names the entity tag that a resource has, in quotes. The comparison is the weak one that the header
 * demands; `*` names any.
 */
export function matchesNone(header: string | undefined, entityTag: string): boolean {
  if (header === undefined) return false;
  const opaque = entityTag.replace(/^W\//, "");
  return [...header.matchAll(ENTITY_TAG)].some(([text]) => text === "*" || text.replace(/^W\//, "") === opaque);
}

/**
 * Whether a write may only create, by `If-None-Match: *`. Throws {@link InvalidInputError} for entity tags, which have no
 * meaning for a write here: a condition that cannot be kept must not be passed over.
 */
export function isCreateOnly(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === "*") return true;
  throw InvalidInputError.at("If-None-Match", "expected *");
}

/** For a write that may only create: that something is there already is a condition that failed. Other errors stay. */
export function toFailedCondition(error: unknown): unknown {
  return error instanceof ConflictError ? new PreconditionFailedError(error.message, { cause: error }) : error;
}

/** The entity tag of an output, in quotes, by its route's metadata; undefined where it has none. */
export function entityTagOf(
  output: unknown,
  { entityTagAt = [], entityTagWith = [] }: Pick<RouteMeta, "entityTagAt" | "entityTagWith">,
): string | undefined {
  let owner: unknown;
  let value = output;
  for (const key of entityTagAt) {
    owner = value;
    value = valueOf(owner, key);
  }
  if (typeof value !== "string") return undefined;
  if (entityTagWith.length === 0) return `"${value}"`;
  const neighbours = JSON.stringify(entityTagWith.map((key) => valueOf(owner, key)));
  return `"${value}-${createHash("sha1").update(neighbours).digest("base64url").slice(0, HASH_LENGTH)}"`;
}

function valueOf(owner: unknown, key: string): unknown {
  if (typeof owner !== "object" || owner === null) return undefined;
  return Object.getOwnPropertyDescriptor(owner, key)?.value;
}
