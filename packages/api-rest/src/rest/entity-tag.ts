import {
  ConflictError,
  createShortHash,
  InvalidInputError,
  PreconditionFailedError,
  toExpectedVersion,
  type RouteMeta,
} from "@workspace/core";

const ENTITY_TAG = /(W\/)?"([^"]*)"|\*|[^\s,"]+/g;
/** Long enough that two states of the related fields never share a tag. */
const shortHash = createShortHash(16);

/**
 * The value of `If-Match` as an input's `expectedHash` or `expectedVersion`: entity tags without quotes, separated by commas, or
 * `*`. Weak tags keep their prefix, so they match nothing, as the header requires. Undefined without the header.
 */
export function readIfMatch(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const tags = [...header.matchAll(ENTITY_TAG)].map(([text, weak, tag]) => (weak === undefined ? (tag ?? text) : text));
  return tags.join(",");
}

/**
 * Adds `If-Match` to an input in the given field, which the input may also contain itself. Throws {@link InvalidInputError} if
 * the two differ.
 */
export function withIfMatch(
  input: object,
  header: string | undefined,
  field: NonNullable<RouteMeta["takesIfMatch"]>,
): object {
  const tags = readIfMatch(header);
  if (tags === undefined) return input;
  const expected = field === "expectedVersion" ? toExpectedVersion(tags) : tags;
  const given = valueOf(input, field);
  if (given !== undefined && given !== expected) {
    throw InvalidInputError.at(field, "must not differ from If-Match");
  }
  return { ...input, [field]: expected };
}

/**
 * Whether `If-None-Match` contains the resource's entity tag, which includes its quotes. The comparison is weak, as the header
 * requires; `*` matches any tag.
 */
export function matchesNone(header: string | undefined, entityTag: string): boolean {
  if (header === undefined) return false;
  const opaque = entityTag.replace(/^W\//, "");
  return [...header.matchAll(ENTITY_TAG)].some(([text]) => text === "*" || text.replace(/^W\//, "") === opaque);
}

/**
 * Whether a write may only create, because of `If-None-Match: *`. Throws {@link InvalidInputError} for entity tags, which have no
 * meaning for writes here: a condition that cannot be checked must not be ignored.
 */
export function isCreateOnly(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === "*") return true;
  throw InvalidInputError.at("If-None-Match", "expected *");
}

/** For a write that may only create: a conflict is a failed precondition. Other errors are returned unchanged. */
export function toFailedCondition(error: unknown): unknown {
  return error instanceof ConflictError ? new PreconditionFailedError(error.message, { cause: error }) : error;
}

/** The entity tag of an output, with quotes, as the route's metadata defines it; undefined if it has none. */
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
  const relatedFields = JSON.stringify(entityTagWith.map((key) => valueOf(owner, key)));
  return `"${value}-${shortHash(relatedFields)}"`;
}

function valueOf(owner: unknown, key: string): unknown {
  if (typeof owner !== "object" || owner === null) return undefined;
  return Object.getOwnPropertyDescriptor(owner, key)?.value;
}
