import { InvalidInputError } from "@workspace/core";

const ENTITY_TAG = /(W\/)?"([^"]*)"|\*|[^\s,"]+/g;

/**
 * What `If-Match` expects, as an input's `expectedHash`: entity tags without quotes, separated by commas, or `*`. Tags
 * that are weak keep their mark, and so match nothing, as the header demands. Undefined without the header.
 */
export function readIfMatch(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const tags = [...header.matchAll(ENTITY_TAG)].map(([text, weak, tag]) => (weak === undefined ? (tag ?? text) : text));
  return tags.join(",");
}

/** Adds `If-Match` to an input that may say the same itself. Throws {@link InvalidInputError} where the two differ. */
export function withIfMatch(input: object, header: string | undefined): object {
  const expectedHash = readIfMatch(header);
  if (expectedHash === undefined) return input;
  if ("expectedHash" in input && input.expectedHash !== undefined && input.expectedHash !== expectedHash) {
    throw InvalidInputError.at("expectedHash", "must not differ from If-Match");
  }
  return { ...input, expectedHash };
}

/** The entity tag that an output has at a place, in quotes; undefined where there is none. */
export function entityTagOf(output: unknown, place: readonly string[]): string | undefined {
  let value = output;
  for (const key of place) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return typeof value === "string" ? `"${value}"` : undefined;
}
